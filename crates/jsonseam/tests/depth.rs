//! B5: nesting of any depth is a typed refusal or a result, on a small stack, and so is everything done with it afterwards.

use jsonseam::{Config, Limit, Pipeline, Reason, Record, Root, pipeline};

const DEPTH: usize = 1_000_000;
const STACK: usize = 256 << 10;

fn preset(name: &str) -> Pipeline {
    let config = Config::default().with_preset(name).with_root(Root::Any);
    pipeline(&config).expect("the preset is built in")
}

fn families() -> Vec<(&'static str, String)> {
    let open = |text: &str| text.repeat(DEPTH);
    vec![
        ("arrays, open", open("[")),
        ("arrays, closed", open("[") + &open("]")),
        ("objects, open", open("{\"a\":")),
        ("objects, closed", open("{\"a\":") + "1" + &open("}")),
        ("mixed, open", open("[{\"a\":")),
        ("mixed, closed", open("[{\"a\":") + "1" + &open("}]")),
        ("in prose", "Sure: ".to_owned() + &open("[")),
        ("in a fence", "```json\n".to_owned() + &open("{\"a\":") + "\n```"),
        ("in an unclosed fence", "```\n".to_owned() + &open("[")),
        ("in tokens", "<|im_start|>".to_owned() + &open("[") + &open("]") + "<|im_end|>"),
        ("closers only", open("]")),
        ("broken on the way", open("[1,,") + &open("]")),
    ]
}

#[test]
fn b5_a_million_levels_are_refused_or_read_on_a_small_stack() {
    let work = || {
        for name in ["strict", "standard", "lenient"] {
            let pipeline = preset(name);
            for (family, text) in families() {
                let result = pipeline.repair(&text);
                let record = serde_json::to_string(&Record::new(&result)).expect("every result has a record");
                assert!(record.starts_with("{\"version\":1"), "{family} under {name}");
                if let Err(error) = &result {
                    let is_depth = error.reason() == Reason::LimitExceeded && error.limit_met() == Some(Limit::Depth);
                    let is_other = matches!(error.reason(), Reason::Syntax | Reason::NoJsonObjectFound);
                    assert!(is_depth || is_other, "{family} under {name}: {error}");
                    drop(format!("{error} {error:?}"));
                }
                drop(result);
            }
        }
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread starts");
    assert!(thread.join().is_ok(), "the work panicked");
}

#[test]
fn b5_the_deepest_allowed_nesting_is_valid_and_one_more_is_not() {
    let pipeline = preset("strict");
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert_eq!(pipeline.repair(&nested(127)).map(|repaired| repaired.edits().len()), Ok(0));
    let refusal = pipeline.repair(&nested(128)).map(|_| ()).expect_err("it is one level too deep");
    assert_eq!((refusal.reason(), refusal.limit_met()), (Reason::LimitExceeded, Some(Limit::Depth)));
    assert_eq!(refusal.position().map(|position| position.offset), Some(127));
}
