//! One reading layer: what is read as a key, a literal, a comment, a blank or a separator is so for all who look ahead (SPEC M3).

use jsonseam::Pipeline;
use jsonseam_testkit::spellings::{Asker, Kind, Spelling, disagreements};

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

/// The rules under `lenient`, after a value that is spelled like this.
struct Rules {
    name: &'static str,
    /// The value, and what it is read as.
    value: &'static str,
    read: &'static str,
    pipeline: Pipeline,
}

impl Rules {
    fn after(name: &'static str, value: &'static str, read: &'static str) -> Self {
        let config = jsonseam::Config::default().with_preset("lenient").with_root(jsonseam::Root::Any);
        Self { name, value, read, pipeline: jsonseam::pipeline(&config).expect("the preset is built in") }
    }
}

impl Asker for Rules {
    fn name(&self) -> &'static str {
        self.name
    }

    fn reads(&self, spelling: &Spelling) -> Option<bool> {
        // A rule may read more than the table: then that is its defect.
        if !spelling.is_read {
            return None;
        }
        let (text, value) = (spelling.text, self.value);
        let completion = match spelling.kind {
            Kind::Key => format!("{{\"a\": {value}, {text}: 1}}"),
            Kind::Value => format!("[{value}, {text}]"),
            Kind::Blank => format!("{{\"a\": {value}{text}, \"b\": 1}}"),
            Kind::Separator => format!("{{\"a\": {value}{text}\"b\": 1}}"),
        };
        let Ok(repaired) = self.pipeline.repair(&completion) else { return Some(false) };
        let read = serde_json::from_str(repaired.text()).expect("what is repaired is JSON");
        let first = |value: &serde_json::Value| *value == *self.read;
        Some(match &read {
            serde_json::Value::Object(members) => members.len() == 2 && members.get("a").is_some_and(first),
            serde_json::Value::Array(elements) => elements.len() == 2 && elements.first().is_some_and(first),
            _ => false,
        })
    }
}

/// Who asks whether a root has ended: a key or a value after a comma says that it has not (SPEC P2).
struct Root(Pipeline);

impl Asker for Root {
    fn name(&self) -> &'static str {
        "the end of a root"
    }

    fn reads(&self, spelling: &Spelling) -> Option<bool> {
        let text = spelling.text;
        let completion = match spelling.kind {
            Kind::Key => format!("{{\"a\": 1}}, {text}: 1}}"),
            Kind::Blank => format!("{{\"a\": 1}}{text}, \"b\": 1}}"),
            Kind::Value | Kind::Separator => return None,
        };
        let ends = self.0.repair(&completion).is_ok_and(|repaired| repaired.text() == "{\"a\": 1}");
        spelling.is_read.then_some(!ends)
    }
}

#[test]
fn who_reads_spellings_agrees_with_the_table() {
    let askers: [&dyn Asker; 7] = [
        &Lexer,
        &Rules::after("rules after a string", "\"hi\"", "hi"),
        &Rules::after("rules after a string with inner quotes", "\"say \"hi\" now\"", "say \"hi\" now"),
        &Rules::after("rules after a string in apostrophes", "'hi'", "hi"),
        &Rules::after("rules after a string in typographic quotes", "“hi”", "hi"),
        &Rules::after("rules after an escaped quote", "\"hi\\n\"", "hi\n"),
        &Root(jsonseam::preset("strict").expect("the preset is built in")),
    ];
    assert_eq!(disagreements(&askers), Vec::<String>::new());
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
