//! What fuzz targets call: the laws, put to bytes that no one chose.
//!
//! A target is one line that hands its subject and the bytes over; `cargo test` hands over the same subject and the crashes that were found.
//! Here, and only here, a violation is a panic: that is how a fuzzer learns of one.

use std::panic::panic_any;

use jsonseam_core::{Config, ConfigError, Limits, Pipeline, StreamOptions};

use crate::laws::{check_all, check_bytes, is_json};
use crate::streams::{ends_of, judge};
use crate::subject::{Outcome, Subject};

/// Bytes of hostile configuration whose cost no one should wait for.
const LONGEST_CONFIG: usize = 64 << 10;

/// Ends the text of a stream: no UTF-8 holds this byte.
const END_OF_TEXT: u8 = 0xff;

/// Streams longer than this are not looked at after every piece, which takes quadratic time.
const LONGEST_LOOKED_AT: usize = 512;

/// Every law holds for `subject` on these bytes.
///
/// # Panics
///
/// When a law does not hold.
pub fn repair(subject: &dyn Subject, bytes: &[u8]) {
    if let Err(violation) = check_bytes(subject, bytes) {
        panic!("{violation}");
    }
}

/// A subject without any rule, with any root, accepts exactly what `RawValue` reads, within the limit of depth.
/// White space of any script and a byte order mark are outside the payload (SPEC P2): a text that is valid but for them is accepted without them.
///
/// # Panics
///
/// When the two disagree.
pub fn recogniser(subject: &dyn Subject, bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if let Err(seen) = agrees(subject, text) {
        panic!("{seen} on {text:?}");
    }
}

/// Whether `subject`, without any rule and with any root, and `RawValue` agree about `text`; the error says how they do not.
pub fn agrees(subject: &dyn Subject, text: &str) -> Result<(), String> {
    let outcome = subject.repair(text);
    let is_too_deep = matches!(&outcome, Outcome::Refused { limit: Some(_), .. });
    match (outcome.accepted(), is_json(text)) {
        (Some(accepted), true) if accepted.text == text => Ok(()),
        (Some(_), true) => Err("valid text came back changed".to_owned()),
        (None, false) => Ok(()),
        (None, true) if is_too_deep && nesting(text) > usize::from(Limits::default().max_depth) => Ok(()),
        (None, true) => Err("the recogniser refuses what RawValue reads".to_owned()),
        (Some(accepted), false) => {
            let before = text.get(..accepted.payload.start).unwrap_or(text);
            let after = text.get(accepted.payload.end..).unwrap_or(text);
            let is_outer = |char: char| char == '\u{feff}' || char.is_whitespace();
            if is_json(&accepted.text) && before.chars().chain(after.chars()).all(is_outer) {
                Ok(())
            } else {
                Err("the recogniser accepts what RawValue refuses".to_owned())
            }
        }
    }
}

/// How deep valid JSON nests.
fn nesting(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let (mut is_in_string, mut is_escaped) = (false, false);
    for byte in text.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_in_string,
            b'"' => is_in_string = !is_in_string,
            b'{' | b'[' if !is_in_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' if !is_in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// Reading a configuration, and building the pipeline it describes, ends in a pipeline that keeps every law, or in an error with a place inside the file.
///
/// # Panics
///
/// When the error's place is nowhere, or a law does not hold.
pub fn config(build: &dyn Fn(&Config) -> Result<Pipeline, ConfigError>, bytes: &[u8]) {
    const FILE: &str = "fuzz.toml";
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if text.len() > LONGEST_CONFIG {
        return;
    }
    match Config::from_toml(text, FILE).and_then(|config| build(&config)) {
        Ok(pipeline) => {
            for probe in ["{\"a\": [1, 'b', None,], // c\n d: \"e\n", "[1,]", ""] {
                if let Err(violation) = check_all(&pipeline, probe) {
                    panic_any(format!("{violation} with the configuration {text:?}"));
                }
            }
        }
        Err(error) => {
            if let Err(seen) = is_placed(&error, FILE, text) {
                panic!("{seen}: {error} with the configuration {text:?}");
            }
        }
    }
}

/// Whether an error names its file and a place that the file has.
fn is_placed(error: &ConfigError, file: &str, text: &str) -> Result<(), String> {
    let (Some(line), Some(column)) = (error.line(), error.column()) else {
        return Err("an error without a place".to_owned());
    };
    if error.file() != Some(file) {
        return Err("an error in another file".to_owned());
    }
    // A text that ends with a newline ends on an empty line of its own, where an error at the end is.
    let Some(found) = line.checked_sub(1).and_then(|index| text.split('\n').nth(index)) else {
        return Err("an error on a line that the file does not have".to_owned());
    };
    if column == 0 || column > found.chars().count() + 1 {
        return Err("an error in a column that its line does not have".to_owned());
    }
    if error.message().is_empty() {
        return Err("an error without a message".to_owned());
    }
    Ok(())
}

/// Every law holds for each of `subjects`, which differ in the payload they choose, and each payload is in the completion.
///
/// # Panics
///
/// When a law does not hold.
pub fn locate<'s>(subjects: impl IntoIterator<Item = &'s dyn Subject>, bytes: &[u8]) {
    for subject in subjects {
        repair(subject, bytes);
    }
}

/// Every law of streams holds for one of `pipelines` on a text in pieces.
///
/// The text ends at the first byte `0xff`, or with the bytes. The byte after that chooses the pipeline, and those that follow say how long the pieces
/// are, over and over again; without them each piece is a single character. So a text alone is an input too.
///
/// # Panics
///
/// When a law does not hold.
pub fn stream(pipelines: &[Pipeline], bytes: &[u8]) {
    let end = bytes.iter().position(|&byte| byte == END_OF_TEXT);
    let (text, choices) = bytes.split_at(end.unwrap_or(bytes.len()));
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    let (chosen, sizes) = choices.get(1..).and_then(<[u8]>::split_first).unwrap_or((&0, &[]));
    let Some(pipeline) = pipelines.get(usize::from(*chosen) % pipelines.len().max(1)) else {
        return;
    };
    let looks = text.len() <= LONGEST_LOOKED_AT;
    if let Err(complaint) = judge(pipeline, text, StreamOptions::new(), &ends(text, sizes), looks) {
        panic!("{complaint} on {text:?} in pieces of {sizes:?}");
    }
}

/// Where the pieces of a text end whose lengths in bytes, less one, are `sizes` in turn; no character is split.
fn ends(text: &str, sizes: &[u8]) -> Vec<usize> {
    let mut sizes = sizes.iter().cycle();
    ends_of(text, || 1 + usize::from(*sizes.next().unwrap_or(&0)))
}

#[cfg(test)]
mod tests {
    use jsonseam_core::{Config, Pipeline, Root};

    use super::{agrees, config, ends, nesting, recogniser, stream};
    use crate::subject::{Outcome, Subject};

    fn without_rules() -> Pipeline {
        let config = Config::default().with_root(Root::Any);
        Pipeline::from_rules(&config, Vec::new())
    }

    #[test]
    fn depth_is_counted_outside_strings() {
        assert_eq!(nesting("{\"[[\\\"[\": [1, {}], \"b\": []}"), 3);
        assert_eq!(nesting("\"\""), 0);
    }

    #[test]
    fn the_recogniser_may_refuse_for_depth_alone() {
        let subject = without_rules();
        for depth in [1, 127, 128, 1_000] {
            let text = "[".repeat(depth) + &"]".repeat(depth);
            assert_eq!(agrees(&subject, &text), Ok(()), "{depth}");
        }
        recogniser(&subject, b"\xff");
    }

    #[test]
    fn pieces_are_as_long_as_the_bytes_say_and_split_no_character() {
        assert_eq!(ends("abcdef", &[0, 1]), [1, 3, 4, 6]);
        assert_eq!(ends("aébc", &[1]), [3, 5]);
        assert_eq!(ends("ab", &[255]), [2]);
        assert_eq!(ends("é,", &[]), [2, 3]);
        assert_eq!(ends("", &[3]), [0; 0]);
    }

    #[test]
    fn a_text_without_choices_is_streamed_and_bytes_that_are_no_text_are_not() {
        let pipelines = [without_rules()];
        for bytes in
            [&b""[..], b"{\"a\": 1}", b"[1, [2\xff", b"[1]\xff\x07", b"[1, 2]\xff\x00\x02\x00", b"[\x80\xff\x00"]
        {
            stream(&pipelines, bytes);
        }
        stream(&[], b"[1]");
    }

    #[test]
    fn what_lies_outside_the_payload_is_no_disagreement() {
        let subject = without_rules();
        for text in ["\u{feff}42", " \u{feff} {} ", "\u{feff}", "{}\u{feff}", "\u{feff}\u{feff}[]"] {
            assert_eq!(agrees(&subject, text), Ok(()), "{text:?}");
        }
    }

    /// A subject that refuses everything.
    struct Deaf;

    impl Subject for Deaf {
        fn repair(&self, _: &str) -> Outcome {
            Subject::repair(&without_rules(), "?")
        }
    }

    #[test]
    fn a_recogniser_that_refuses_valid_text_is_caught() {
        assert!(agrees(&Deaf, "[]").is_err());
        assert_eq!(agrees(&Deaf, "["), Ok(()));
    }

    #[test]
    fn any_configuration_ends_in_a_pipeline_or_in_a_placed_error() {
        let build = |config: &Config| Ok(Pipeline::from_rules(config, Vec::new()));
        for text in ["", "root = \"any\"\n", "root", "[limits]\nmax-depth = 500\n", "\u{feff}preset = 1\r\n", "é = \"é"]
        {
            config(&build, text.as_bytes());
        }
    }
}
