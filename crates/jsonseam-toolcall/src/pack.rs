//! Wrappers as data: one TOML pack for each family of formats, one row for each format.

use std::fmt;

use serde::Deserialize;

use crate::template::Template;

/// The formats of tool calls and the marks of reasoning, read from packs.
///
/// The built-in packs are in `crates/jsonseam-toolcall/wrappers/`; [`Packs::parse`] says what one holds.
#[derive(Debug, Clone, Default)]
pub struct Packs {
    pub(crate) formats: Vec<Format>,
    pub(crate) reasoning: Vec<Reasoning>,
    pub(crate) noise: Vec<String>,
    /// Marks that belong to calls alone: where one remains in the content, a call may have been meant.
    pub(crate) marks: Vec<String>,
    /// The keys of calls in formats without marks.
    pub(crate) head_keys: HeadKeys,
    /// What of the noise begins no call: it may be between calls without marks.
    pub(crate) between: Vec<String>,
    /// Marks and words with which another role begins to speak.
    pub(crate) turns: Vec<String>,
    /// Those that do so only where they begin a line.
    pub(crate) turn_lines: Vec<String>,
}

/// One format, ready to be matched.
#[derive(Debug, Clone)]
pub(crate) struct Format {
    pub(crate) name: String,
    pub(crate) family: String,
    pub(crate) heads: Vec<Template>,
    pub(crate) empties: Vec<Template>,
    pub(crate) ends: Vec<Template>,
    pub(crate) late_ends: Vec<Template>,
    pub(crate) arguments: Vec<Template>,
    pub(crate) argument_ends: Vec<Template>,
    pub(crate) around: Vec<String>,
    pub(crate) row: Row,
}

/// The keys of the members that name a tool, and of those that hold its arguments.
#[derive(Debug, Clone, Default)]
pub(crate) struct HeadKeys {
    pub(crate) names: Vec<String>,
    pub(crate) arguments: Vec<String>,
}

impl HeadKeys {
    /// Whether a member of this key is of the head of a call.
    pub(crate) fn have(&self, key: &str) -> bool {
        self.names.iter().chain(&self.arguments).any(|known| known == key)
    }
}

/// Where a model thinks aloud.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Reasoning {
    /// The mark that begins it. Many prompts end with it, so the text may hold only the other one.
    pub(crate) open: Template,
    /// The marks that end it: the first that occurs.
    pub(crate) close: Vec<Template>,
    /// Whether the mark begins thoughts only where the text begins: elsewhere it is text.
    #[serde(default)]
    pub(crate) at_start: bool,
    /// Whether thoughts always hold their own mark of beginning: then a mark of the end alone says nothing.
    #[serde(default)]
    pub(crate) opened: bool,
    /// What begins something else wherever it occurs: the thoughts end before it.
    #[serde(default)]
    pub(crate) bounded_by: Vec<Template>,
}

/// Where the models that write a format think aloud.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum Thoughts {
    /// Between the marks that are begun by these.
    Marks(Vec<String>),
    /// They have no marks for thoughts, says this source.
    None {
        #[serde(rename = "none")]
        source: String,
    },
}

impl Thoughts {
    /// The marks that begin thoughts.
    pub(crate) fn opens(&self) -> &[String] {
        match self {
            Self::Marks(opens) => opens,
            Self::None { .. } => &[],
        }
    }
}

/// What a pack says of a format in words.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Described<'p> {
    /// The family that it belongs to.
    pub family: &'p str,
    /// Its name, as `--format` takes it.
    pub name: &'p str,
    /// The models that write it.
    pub models: &'p str,
    /// Where its marks were looked up.
    pub source: &'p str,
    /// What a call begins with, as the pack spells it. Without any, the whole text is the call.
    pub marks: Vec<&'p str>,
    /// Whether it is read only if tools were offered.
    pub is_offered_only: bool,
}

/// What is between the head of a call and its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Body {
    /// JSON objects that name their tool, or arrays of them.
    Calls,
    /// A JSON object that holds the arguments; the head names the tool.
    Arguments,
    /// Arguments between marks, one by one, their values mostly raw text.
    Tagged,
    /// Calls as Python writes them: `f(a=1)`.
    Python,
    /// Members with bare keys and strings between marks: `{k:<|"|>v<|"|>}`.
    Bare,
    /// An element for each argument, which may hold elements itself.
    Elements,
    /// An element for each argument, named after it, whose value is raw text.
    Named,
    /// The name on a line of its own, then a JSON object that holds the arguments.
    Lines,
    /// Raw text that is the one argument of the tool.
    Text,
}

/// What may be trimmed from a raw value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Trim {
    /// Nothing.
    #[default]
    None,
    /// One newline on each side.
    Newline,
}

/// One row of a pack.
#[expect(clippy::struct_excessive_bools, reason = "each is one member of a row, off unless it is said")]
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Row {
    /// The name of the format.
    name: String,
    /// The models that write it, for the documentation.
    #[serde(default)]
    models: String,
    /// Where its marks were looked up, for the documentation.
    #[serde(default)]
    source: String,
    /// What a call begins with, `{name}` for the name of the tool. Without any, the whole text is the call.
    #[serde(default)]
    call: Vec<String>,
    /// What ends a call.
    #[serde(default)]
    end: Vec<String>,
    /// What ends a call whose own end is missing, after an argument that has its end.
    #[serde(default)]
    late_end: Vec<String>,
    /// Calls without arguments that are one mark, `{name}` for the name of the tool.
    #[serde(default)]
    empty: Vec<String>,
    /// Whether a call without its end was cut.
    #[serde(default)]
    pub(crate) needs_end: bool,
    /// Where the models that write this format think aloud.
    pub(crate) thoughts: Thoughts,
    /// Whether the mark of a call, or of the stretch that holds all calls, ends thoughts that are open.
    #[serde(default)]
    pub(crate) ends_thoughts: bool,
    /// Whether the mark of a call is one only where it begins a line.
    #[serde(default)]
    pub(crate) begins_line: bool,
    /// The starts of lines after which no call is one: the model has given its answer, and goes on with the pattern of the prompt.
    #[serde(default)]
    pub(crate) not_after: Vec<String>,
    /// Whether a call is one only where nothing but calls follows: interfaces print the same of calls that were made.
    #[serde(default)]
    pub(crate) last: bool,
    /// Whether prompts end with what the head of a call begins with, so that a text may begin with the rest of the head.
    #[serde(default)]
    pub(crate) begun_by_prompt: bool,
    /// What begins the stretch that holds all calls.
    #[serde(default)]
    around: Vec<String>,
    /// What ends such a stretch. Where one occurs and none began, the stretch is unknown, and its calls are refused.
    #[serde(default)]
    pub(crate) around_end: Vec<String>,
    /// Whether a stretch that is begun and not ended was cut.
    #[serde(default)]
    pub(crate) around_closed: bool,
    /// Whether raw numbers and constants of a parameter that is not declared are read as such.
    #[serde(default)]
    pub(crate) infers: bool,
    /// What begins arguments that are one object.
    #[serde(default)]
    pub(crate) object: Vec<String>,
    /// What ends arguments that are one object.
    #[serde(default)]
    pub(crate) object_end: Vec<String>,
    /// Whether text may follow a call that has no end, although the format has ends.
    #[serde(default)]
    pub(crate) loose: bool,
    /// Whether the format is read only if tools were offered: people write it too.
    #[serde(default)]
    pub(crate) offered: bool,
    /// Whether a name without arguments is a call only of a tool that was offered.
    #[serde(default)]
    pub(crate) offered_alone: bool,
    /// Whether, without any tools, such a name is a call at the start of the text.
    #[serde(default)]
    pub(crate) alone_at_start: bool,
    /// Whether a call with an argument that its tool does not declare is not a call.
    #[serde(default)]
    pub(crate) declared_keys: bool,
    /// Whether `print(…)` may be around a call, for [`Body::Python`].
    #[serde(default)]
    pub(crate) printed: bool,
    /// Whether a list of calls is not of this format.
    #[serde(default)]
    pub(crate) single: bool,
    /// Whether the mark of a call is nothing but the name of its tool, so that only offered names make one.
    #[serde(default)]
    pub(crate) named_by_tool: bool,
    /// The mark before each tag, for [`Body::Elements`].
    #[serde(default)]
    pub(crate) prefix: String,
    /// What is not content when there is a call: ends of stretches, tokens of the format.
    #[serde(default)]
    noise: Vec<String>,
    /// What is between head and end.
    pub(crate) body: Body,
    /// What an argument begins with, `{key}` for its name, `{string}` and `{type}` for what says how to read it.
    #[serde(default)]
    argument: Vec<String>,
    /// What ends an argument.
    #[serde(default)]
    argument_end: Vec<String>,
    /// Whether the next argument or the end of the call may end an argument too.
    #[serde(default)]
    pub(crate) argument_end_optional: bool,
    /// What is trimmed from raw values.
    #[serde(default)]
    pub(crate) trim: Trim,
    /// Whether a raw value may be a section of character data: `<![CDATA[…]]>`.
    #[serde(default)]
    pub(crate) cdata: bool,
    /// Whether `&lt;` and the like are escapes in raw values.
    #[serde(default)]
    pub(crate) entities: bool,
    /// The members that may name the tool.
    #[serde(default = "name_keys")]
    pub(crate) name_keys: Vec<String>,
    /// The members that may hold the arguments.
    #[serde(default = "argument_keys")]
    pub(crate) argument_keys: Vec<String>,
    /// Whether a call without arguments is not a call.
    #[serde(default)]
    pub(crate) needs_arguments: bool,
    /// Whether `{"f": {…}}` calls `f`.
    #[serde(default)]
    pub(crate) short: bool,
    /// What is taken from the front of a name.
    #[serde(default)]
    pub(crate) name_prefix: Vec<String>,
    /// What is taken from the end of a name.
    #[serde(default)]
    pub(crate) name_suffix: Vec<String>,
    /// Whether `:0` at the end of a name counts calls and is not part of it.
    #[serde(default)]
    pub(crate) numbered: bool,
    /// The name that marks plain text.
    pub(crate) text_name: Option<String>,
    /// The marks around strings, for [`Body::Bare`].
    #[serde(default)]
    pub(crate) quotes: Vec<[String; 2]>,
    /// Whether what looks like this format and is not read as it is left alone: its marks mean other things too.
    #[serde(default)]
    pub(crate) soft: bool,
}

fn name_keys() -> Vec<String> {
    ["name", "tool_name", "function", "tool"].map(str::to_owned).to_vec()
}

fn argument_keys() -> Vec<String> {
    ["arguments", "parameters", "args", "input", "params", "tool_input", "kwargs", "inputs"].map(str::to_owned).to_vec()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    family: String,
    #[serde(default)]
    format: Vec<Row>,
    #[serde(default)]
    reasoning: Vec<Reasoning>,
    #[serde(default)]
    noise: Vec<String>,
    #[serde(default)]
    turns: Vec<String>,
    #[serde(default, rename = "turn-lines")]
    turn_lines: Vec<String>,
}

/// A pack that cannot be read. Says which one and, where it is known, which format; never quotes the pack.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PackError {
    /// The pack, as the caller named it.
    pub pack: String,
    /// The line, from 1, if the pack is not TOML or a row has the wrong members.
    pub line: Option<usize>,
    /// The format whose marks cannot be matched, or whose thoughts no pack describes.
    pub format: Option<String>,
}

impl fmt::Display for PackError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the wrapper pack {}", self.pack)?;
        match (&self.line, &self.format) {
            (_, Some(format)) => {
                write!(formatter, " holds a mark in format {format} that nothing bounds, or that begins no thoughts")
            }
            (Some(line), None) => write!(formatter, " cannot be read: line {line} is not what a pack holds"),
            (None, None) => write!(formatter, " cannot be read"),
        }
    }
}

impl std::error::Error for PackError {}

impl Packs {
    /// Reads packs: pairs of a name, for messages, and TOML.
    ///
    /// A pack has a `family` and rows `[[format]]`; the order of packs and rows is the order in which formats are tried at one place.
    /// A row has at least `name`, `body` (`calls`, `arguments`, `tagged`, `named`, `python`, `bare`, `elements`, `lines` or `text`) and `thoughts`,
    /// and mostly `call` and `end`; `models` and `source` say who writes it, and where its marks were looked up.
    /// `thoughts` lists the marks with which the models of the row begin to think aloud, each one the `open` of a `[[reasoning]]` in one of the packs;
    /// `thoughts = { none = "source" }` says that they have no such marks, and where that was looked up.
    /// In marks, `{name}` and `{key}` are holes, `{count}` is one for digits and `{}` matches any white space; a `{` at the end of a mark is the first character of what follows it.
    ///
    /// ```
    /// let pack = r#"
    /// family = "mine"
    /// [[format]]
    /// name = "angle"
    /// call = ['<call tool="{name}">']
    /// end = ["</call>"]
    /// body = "arguments"
    /// thoughts = { none = "the model does not think aloud" }
    /// "#;
    /// let packs = jsonseam_toolcall::Packs::parse(&[("mine", pack)])?;
    /// assert_eq!(packs.formats().count(), 1);
    /// # Ok::<(), jsonseam_toolcall::PackError>(())
    /// ```
    pub fn parse(packs: &[(&str, &str)]) -> Result<Self, PackError> {
        let mut read = Self::default();
        let mut rows = Vec::new();
        for &(pack, text) in packs {
            let fault = |line, format| PackError { pack: pack.to_owned(), line, format };
            let file: File = toml::from_str(text).map_err(|error| {
                let line = |span: std::ops::Range<usize>| {
                    text.get(..span.start).map(|before| before.bytes().filter(|&byte| byte == b'\n').count() + 1)
                };
                fault(error.span().and_then(line), None)
            })?;
            read.reasoning.extend(file.reasoning);
            read.noise.extend(file.noise);
            read.turns.extend(file.turns.into_iter().chain(file.turn_lines.iter().cloned()));
            read.turn_lines.extend(file.turn_lines);
            for row in file.format {
                let name = row.name.clone();
                let format = Format::new(&file.family, row).ok_or_else(|| fault(None, Some(name)))?;
                read.noise.extend(format.row.noise.iter().chain(&format.around).cloned());
                if !format.row.soft {
                    let parts =
                        [&format.heads, &format.empties, &format.ends, &format.arguments, &format.argument_ends];
                    read.marks.extend(parts.into_iter().flatten().map(|mark| tag_of(mark.anchor()).to_owned()));
                }
                rows.push(pack);
                read.formats.push(format);
            }
        }
        read.marks.sort();
        read.marks.dedup();
        // The longest first, so that no mark is taken for the start of another.
        read.noise.sort_by(|one, other| other.len().cmp(&one.len()).then(one.cmp(other)));
        read.noise.dedup();
        let bare = read.formats.iter().filter(|format| format.heads.is_empty() && format.row.body == Body::Calls);
        for format in bare {
            read.head_keys.names.extend(format.row.name_keys.iter().cloned());
            read.head_keys.arguments.extend(format.row.argument_keys.iter().cloned());
        }
        let is_head =
            |mark: &String| read.formats.iter().any(|format| format.heads.iter().any(|head| head.anchor() == *mark));
        read.between = read.noise.iter().filter(|mark| !is_head(mark)).cloned().collect();
        read.check_thoughts(&rows)?;
        Ok(read)
    }

    /// Every row names marks of thoughts, each of which begins thoughts, or says that there are none. `rows` names the pack of each format.
    fn check_thoughts(&self, rows: &[&str]) -> Result<(), PackError> {
        let is_known = |open: &String| self.reasoning.iter().any(|marks| marks.open.spelled() == *open);
        let is_told = |thoughts: &Thoughts| match thoughts {
            Thoughts::Marks(opens) => !opens.is_empty() && opens.iter().all(is_known),
            Thoughts::None { source } => !source.trim().is_empty(),
        };
        let wrong = self.formats.iter().zip(rows).find(|(format, _)| !is_told(&format.row.thoughts));
        wrong.map_or(Ok(()), |(format, pack)| {
            Err(PackError { pack: (*pack).to_owned(), line: None, format: Some(format.name.clone()) })
        })
    }

    /// These packs with one format alone, and what is known of thoughts; `None` if no format has the name.
    #[must_use]
    pub fn only(&self, name: &str) -> Option<Self> {
        let mut only = self.clone();
        only.formats.retain(|format| format.name == name);
        (!only.formats.is_empty()).then_some(only)
    }

    /// What the packs say of each format in words, in the order in which formats are tried.
    ///
    /// ```
    /// use jsonseam_toolcall::{Packs, WRAPPERS};
    ///
    /// let packs = Packs::parse(&WRAPPERS)?;
    /// let hermes = packs.described().find(|format| format.name == "hermes").expect("it is built in");
    /// assert_eq!(hermes.marks, ["<tool_call>"]);
    /// assert!(hermes.models.contains("Qwen") && !hermes.is_offered_only);
    /// # Ok::<(), jsonseam_toolcall::PackError>(())
    /// ```
    pub fn described(&self) -> impl Iterator<Item = Described<'_>> {
        self.formats.iter().map(|format| Described {
            family: &format.family,
            name: &format.name,
            models: &format.row.models,
            source: &format.row.source,
            marks: format.row.call.iter().map(String::as_str).collect(),
            is_offered_only: format.row.offered || format.heads.is_empty() && format.row.body != Body::Python,
        })
    }

    /// Every format: its family and its name, in the order in which they are tried.
    pub fn formats(&self) -> impl Iterator<Item = (&str, &str)> {
        self.formats.iter().map(|format| (format.family.as_str(), format.name.as_str()))
    }
}

/// The name of the tag that a mark begins with, as far as the tag's attributes; any other mark is itself.
fn tag_of(mark: &str) -> &str {
    let is_tag = mark.strip_prefix('<').and_then(|rest| rest.chars().next()).is_some_and(char::is_alphabetic);
    let end = mark.find([' ', '=']).filter(|_| is_tag);
    // A token of DeepSeek is a mark by itself.
    let token = mark.find("｜>").filter(|_| mark.starts_with("<｜")).map(|at| at + "｜>".len());
    mark.get(..end.or(token).unwrap_or(mark.len())).unwrap_or(mark)
}

impl Format {
    fn new(family: &str, row: Row) -> Option<Self> {
        let templates = |marks: &[String]| marks.iter().map(|mark| Template::parse(mark)).collect::<Option<Vec<_>>>();
        let format = Self {
            name: row.name.clone(),
            family: family.to_owned(),
            heads: templates(&row.call)?,
            empties: templates(&row.empty)?,
            ends: templates(&row.end)?,
            late_ends: templates(&row.late_end)?,
            arguments: templates(&row.argument)?,
            argument_ends: templates(&row.argument_end)?,
            around: row.around.clone(),
            row,
        };
        let names_tool = format.heads.iter().all(|head| head.has_hole("name"));
        let is_named = matches!(format.row.body, Body::Calls | Body::Python | Body::Lines)
            || names_tool && !format.heads.is_empty();
        let has_keys = format.row.body != Body::Tagged
            || !format.arguments.is_empty() && format.arguments.iter().all(|argument| argument.has_hole("key"));
        (is_named && has_keys).then_some(format)
    }

    /// Whether nothing but white space is between `pos` and a further call.
    pub(crate) fn begins_again(&self, text: &str, pos: usize) -> bool {
        let rest = text.get(pos..).unwrap_or_default();
        let next = text.len() - rest.trim_start().len();
        self.heads.iter().any(|head| head.match_at(text, next).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m5_a_broken_pack_is_told_without_its_text() {
        let error = Packs::parse(&[("own", "family = \"J\"\n[[format]]\nname = \"SECRET\"\nbdy = \"calls\"\n")]);
        let error = error.expect_err("a row has no such member");
        assert!(error.line.is_some() && !error.to_string().contains("SECRET"));
    }

    #[test]
    fn a_format_that_could_not_name_its_tool_is_refused() {
        let pack =
            "[[format]]\nname = \"x\"\ncall = [\"<call>\"]\nbody = \"arguments\"\nthoughts = { none = \"a test\" }\n";
        let error = Packs::parse(&[("own", pack)]).expect_err("nothing names the tool");
        assert_eq!(error.format.as_deref(), Some("x"));
    }

    #[test]
    fn l0a_a_row_that_says_nothing_of_thoughts_is_refused_with_its_pack() {
        let row = |thoughts: &str| {
            format!("[[format]]\nname = \"x\"\ncall = [\"<call>\"]\nbody = \"calls\"\nthoughts = {thoughts}\n")
        };
        let known = row("{ none = \"a test\" }");
        for thoughts in ["[]", "[\"<unknown>\"]", "{ none = \" \" }"] {
            // The name of the row is in both packs.
            let error = Packs::parse(&[("first", &known), ("second", &row(thoughts))]).expect_err(thoughts);
            assert_eq!((error.pack.as_str(), error.format.as_deref()), ("second", Some("x")), "{thoughts}");
        }
        assert!(Packs::parse(&[("first", &known)]).is_ok());
    }
}
