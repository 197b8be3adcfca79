//! Every short text there is keeps every law, under every preset. Longer ones are a campaign: `cargo xtask prove`.

use jsonseam::{Config, Pipeline, Root, pipeline};
use jsonseam_testkit::exhaustive::Exhaustive;
use jsonseam_testkit::laws::{check_all, is_json};
use jsonseam_testkit::subject::{Outcome, Subject};

fn preset(name: &str, root: Root) -> Pipeline {
    let config = Config::default().with_preset(name).with_root(root);
    pipeline(&config).expect("the preset is built in")
}

#[test]
fn every_text_of_up_to_four_symbols_keeps_every_law() {
    for name in ["strict", "standard", "lenient"] {
        for root in [Root::Any, Root::Object] {
            let subject = preset(name, root);
            let mut texts = Exhaustive::new(4);
            while let Some(text) = texts.advance() {
                check_all(&subject, text).unwrap_or_else(|violation| panic!("{name}: {violation}"));
            }
        }
    }
}

#[test]
fn the_recogniser_reads_exactly_what_raw_value_reads() {
    let recogniser = Pipeline::from_rules(&Config::default().with_root(Root::Any), Vec::new());
    let mut texts = Exhaustive::new(5);
    while let Some(text) = texts.advance() {
        let is_accepted =
            matches!(Subject::repair(&recogniser, text), Outcome::Accepted(accepted) if accepted.text == text);
        assert_eq!(is_accepted, is_json(text), "{text:?}");
    }
}
