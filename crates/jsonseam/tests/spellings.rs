//! One reading layer: what is read as a key, a literal, a comment, a blank or a separator is so for all who look ahead (SPEC M3).

use jsonseam::Pipeline;
use jsonseam_testkit::spellings::{Asker, Kind, Spelling, disagreements, spellings};

/// The lexer itself.
struct Lexer;

impl Asker for Lexer {
    fn name(&self) -> &'static str {
        "the lexer"
    }

    fn reads(&self, spelling: &Spelling) -> Option<bool> {
        use jsonseam::rule::CountedText;
        let text = match spelling.kind {
            Kind::Key => format!("{}: 1}}", spelling.text),
            Kind::Value | Kind::Blank => format!("{}]", spelling.text),
            Kind::Separator => return None,
        };
        let text = CountedText::new(&text);
        let is_closed = |at: usize| text.at(at).starts_with("]");
        Some(match spelling.kind {
            Kind::Key => text.at(0).has_key(),
            Kind::Value => text.at(0).scalar_end().is_some_and(|end| is_closed(end.pos())),
            _ => is_closed(text.at(0).skip_space_and_comments().pos()),
        })
    }
}

/// The text around a spelling, where `value` comes before it.
fn completion(spelling: &Spelling, value: &str) -> String {
    let text = spelling.text;
    match spelling.kind {
        Kind::Key => format!("{{\"a\": {value}, {text}: 1}}"),
        Kind::Value => format!("[{value}, {text}]"),
        Kind::Blank => format!("{{\"a\": {value}{text}, \"b\": 1}}"),
        Kind::Separator => format!("{{\"a\": {value}{text}\"b\": 1}}"),
    }
}

fn lenient() -> Pipeline {
    let config = jsonseam::Config::default().with_preset("lenient").with_root(jsonseam::Root::Any);
    jsonseam::pipeline(&config).expect("the preset is built in")
}

#[test]
fn the_lexer_reads_every_spelling_of_the_table_and_no_near_miss() {
    assert_eq!(disagreements(&[&Lexer]), Vec::<String>::new());
}

#[test]
fn what_is_repaired_after_a_plain_string_is_repaired_after_one_with_inner_quotes() {
    let lenient = lenient();
    let mut differ = Vec::new();
    let mut repaired = 0;
    for spelling in spellings().filter(|spelling| spelling.is_read) {
        let [plain, inner] = ["\"hi\"", "\"say \"hi\" now\""].map(|value| completion(&spelling, value));
        let Ok(plain) = lenient.repair(&plain) else { continue };
        repaired += 1;
        let expected = plain.text().replacen("\"hi\"", "\"say \\\"hi\\\" now\"", 1);
        match lenient.repair(&inner) {
            Ok(inner) if inner.text() == expected => {}
            Ok(inner) => differ.push(format!("{:?}: {}", spelling.text, inner.text())),
            Err(error) => differ.push(format!("{:?}: {error}", spelling.text)),
        }
    }
    assert!(repaired >= 50, "{repaired} of the table are repaired after a plain string");
    assert_eq!(differ, Vec::<String>::new());
}

#[test]
fn a_file_that_spells_literals_or_comments_or_blanks_is_the_lexer_or_a_rule_of_that_defect() {
    // The defects themselves; what comes beside a comment; words that no bare text is.
    const KNOWN: [&str; 7] =
        ["bare.rs", "blanks.rs", "comments.rs", "lex.rs", "literals.rs", "placeholders.rs", "unquoted_string.rs"];
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let mut folders = vec![format!("{root}/crates/jsonseam-core/src").into(), format!("{root}/rules/src").into()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        let folder: std::path::PathBuf = folder;
        for entry in std::fs::read_dir(folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).expect("a source");
                let code: Vec<_> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
                let spells = |mark: &str| code.iter().any(|line| line.contains(mark));
                if ["\"/*\"", "\"None\"", "\"undefined\"", "\\u{2060}"].into_iter().any(spells) {
                    found.push(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
                }
            }
        }
    }
    found.retain(|name| !KNOWN.contains(&name.as_str()));
    assert_eq!(found, Vec::<String>::new(), "ask the lexer, or put the asker to the table");
}
