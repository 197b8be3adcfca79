//! The members of a record, written straight to memory: what a file of millions of them is made with.

use jsonseam_text::{push_compact, push_string};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::derived::debug_facts;
use crate::results::repaired::{Repaired, Status};

/// Which members of a record are written, and what is known of its text.
///
/// ```
/// use jsonseam_core::{Config, Pipeline, Record, RecordOptions};
///
/// let pipeline = Pipeline::from_rules(&Config::default(), Vec::new());
/// let result = pipeline.repair("{\"a\": 1}");
/// let mut out = Vec::new();
/// Record::new(&result).write_json(&RecordOptions::new().with_members(&["value", "status"]), &mut out)?;
/// assert_eq!(out, br#"{"status":"valid","value":{"a":1}}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct RecordOptions<'o> {
    members: &'o [&'o str],
    spelling: Option<&'o str>,
}

// No text.
debug_facts!(RecordOptions<'_>, |options| members: options.members);

impl<'o> RecordOptions<'o> {
    /// All members, and nothing is known.
    pub fn new() -> Self {
        Self::default()
    }

    /// The members of these names alone, in the order that they have in every record; with no names all of them. Other names select nothing.
    #[must_use]
    pub fn with_members(mut self, names: &'o [&'o str]) -> Self {
        self.members = names;
        self
    }

    /// How the text of a valid result is spelled within a JSON string, without quotes. Use it when the completion was read from that string
    /// and the text is a part of it: it is then not escaped again.
    ///
    /// It is copied and not checked, so a wrong one is not JSON: for the command alone, whose reader has just decoded it.
    /// With any status but `valid` it is left out of account.
    #[doc(hidden)]
    #[must_use]
    pub fn with_spelling(mut self, text: Option<&'o str>) -> Self {
        self.spelling = text;
        self
    }
}

/// What takes the members of a record, in their order.
pub(super) struct Members<'m> {
    options: &'m RecordOptions<'m>,
    out: &'m mut Vec<u8>,
}

impl Members<'_> {
    /// Appends an object with those members that `write` writes and the options want.
    pub(super) fn write(
        options: &RecordOptions<'_>,
        out: &mut Vec<u8>,
        write: impl FnOnce(&mut Members<'_>) -> serde_json::Result<()>,
    ) -> serde_json::Result<()> {
        out.push(b'{');
        write(&mut Members { options, out })?;
        out.push(b'}');
        Ok(())
    }

    /// Writes the name of a member, if it is wanted.
    fn begins(&mut self, name: &'static str) -> bool {
        let names = self.options.members;
        if !names.is_empty() && !names.contains(&name) {
            return false;
        }
        // No value ends with what opens the object.
        if self.out.last() != Some(&b'{') {
            self.out.push(b',');
        }
        self.out.push(b'"');
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
        true
    }

    /// A member whose value is found out only if it is wanted.
    pub(super) fn member<T: Serialize>(
        &mut self,
        name: &'static str,
        value: impl FnOnce() -> T,
    ) -> serde_json::Result<()> {
        if self.begins(name) { serde_json::to_writer(&mut *self.out, &value()) } else { Ok(()) }
    }

    /// A member that is a string.
    fn string(&mut self, name: &'static str, text: &str) {
        if self.begins(name) {
            push_string(text, self.out);
        }
    }

    /// The member `text`.
    pub(super) fn text(&mut self, repaired: &Repaired<'_>) {
        let Some(spelling) = self.options.spelling.filter(|_| repaired.status() == Status::Valid) else {
            return self.string("text", repaired.text());
        };
        if self.begins("text") {
            self.out.push(b'"');
            self.out.extend_from_slice(spelling.as_bytes());
            self.out.push(b'"');
        }
    }

    /// The member `value`.
    pub(super) fn value(&mut self, repaired: &Repaired<'_>) {
        if self.begins("value") {
            let start = self.out.len();
            push_compact(repaired.text(), self.out);
            debug_assert!(
                serde_json::from_slice::<&RawValue>(&self.out[start..]).is_ok(),
                "what is compacted is valid"
            );
        }
    }

    /// The member `edits`, with the pointer of each.
    pub(super) fn edits(&mut self, repaired: &Repaired<'_>) -> serde_json::Result<()> {
        if !self.begins("edits") {
            return Ok(());
        }
        self.out.push(b'[');
        for (index, (edit, path)) in repaired.edits().zip(repaired.paths()).enumerate() {
            if index > 0 {
                self.out.push(b',');
            }
            Members::write(&RecordOptions::new(), self.out, |members| {
                members.string("rule", edit.rule);
                members.string("risk", edit.risk.as_str());
                members.member("start", || edit.span.start)?;
                members.member("end", || edit.span.end)?;
                members.string("replacement", edit.replacement);
                members.string("path", &path);
                Ok(())
            })?;
        }
        self.out.push(b']');
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Config, Pipeline, Record, RepairOptions};

    fn written(record: Record<'_>, options: &RecordOptions<'_>) -> String {
        let mut out = b"before".to_vec();
        record.write_json(options, &mut out).expect("memory takes everything");
        String::from_utf8(out).expect("it is text")
    }

    #[test]
    fn a_record_is_what_serde_json_writes() {
        let pipeline = Pipeline::from_rules(&Config::default(), Vec::new());
        let cut = RepairOptions::new().with_finish_reason(Some("length"));
        for completion in
            ["{}", " { \"a\\n\\u00e9\" : [ 1.10 , \"b \\\" c\" ] }\n", "{\"a\": 1", "", "{\"\u{e9}\u{7f}\":[{ }]}"]
        {
            for options in [&RepairOptions::new(), &cut] {
                let result = pipeline.repair_with(completion, options);
                let record = Record::new(&result);
                let expected = serde_json::to_string(&record).expect("a record can be written");
                assert_eq!(written(record, &RecordOptions::new()), format!("before{expected}"));
                if let Ok(repaired) = &result {
                    assert_strings_as_serde_json_writes_them(&expected, repaired.text());
                }
            }
        }
    }

    /// The member `text` is spelled as `serde_json` spells it, and `value` has the same values.
    fn assert_strings_as_serde_json_writes_them(record: &str, text: &str) {
        let spelled = serde_json::to_string(text).expect("a string can be written");
        assert!(record.contains(&format!("\"text\":{spelled},")), "{record}");
        let read = |text| serde_json::from_str::<serde_json::Value>(text).expect("it is JSON");
        assert_eq!(read(record)["value"], read(text));
    }

    #[test]
    fn wherever_blocks_begin_a_record_is_what_serde_json_writes() {
        let pipeline = Pipeline::from_rules(&Config::default(), Vec::new());
        for padding in 0..140 {
            for content in ["", "\\n", "\\\\", "\\\"", "\\u0001\\ud83d\\ude00", "é€😀", "\u{7f}\u{2028}", "/"] {
                let completion = format!(
                    "{{ \"{}{content}\" :\t[ \"{content}\" , 1.0 ,{}true ] ,\n\"b\":{{ }} }}",
                    "k".repeat(padding),
                    " ".repeat(padding / 2)
                );
                let result = pipeline.repair(&completion);
                assert!(result.is_ok(), "{completion}");
                let record = written(Record::new(&result), &RecordOptions::new());
                assert_strings_as_serde_json_writes_them(record.trim_start_matches("before"), &completion);
            }
        }
    }

    #[test]
    fn members_are_chosen_by_name_and_keep_their_order() {
        let result = Pipeline::from_rules(&Config::default(), Vec::new()).repair("{ \"a\": 1}");
        let chosen = |names: &[&str]| written(Record::new(&result), &RecordOptions::new().with_members(names));
        assert_eq!(chosen(&["gap", "text", "version"]), r#"before{"version":1,"text":"{ \"a\": 1}","gap":null}"#);
        assert_eq!(chosen(&["nonsense"]), "before{}");
    }

    #[test]
    fn a_spelling_is_no_text_of_a_refusal_and_of_no_repair() {
        let result = Pipeline::from_rules(&Config::default(), Vec::new()).repair("{\"a\": 1,}");
        let options = RecordOptions::new().with_members(&["text"]).with_spelling(Some("x"));
        assert_eq!(written(Record::new(&result), &options), r#"before{"text":null}"#);
    }

    #[test]
    fn a_spelling_that_is_given_is_copied() {
        let result = Pipeline::from_rules(&Config::default(), Vec::new()).repair("{}");
        let options = RecordOptions::new().with_members(&["text"]).with_spelling(Some(r"\u007b}"));
        assert_eq!(written(Record::new(&result), &options), r#"before{"text":"\u007b}"}"#);
        assert!(!format!("{options:?}").contains("007b"));
    }
}
