//! The text of a repair prompt: a template that a caller may replace, rendered within bounds.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::sync::Arc;

use jsonseam_text::{ErrorCode, named};
use minijinja::{AutoEscape, Environment, ErrorKind, UndefinedBehavior, Value};

/// The template that is used unless another is given.
const BUILT_IN: &str = include_str!("prompt/repair.jinja");
/// Longest template that is taken, in bytes.
const MAX_TEMPLATE: usize = 64 << 10;
/// Longest prompt that a template may make, in bytes.
const MAX_PROMPT: usize = 64 << 10;
/// Steps that one rendering may take.
const FUEL: u64 = 100_000;
/// How deep macros may call each other.
const RECURSION: usize = 32;

/// A template of repair prompts, in the syntax of Jinja.
///
/// These names are defined, and any other is an error:
///
/// | name | holds |
/// |---|---|
/// | `errors` | a list of lines, at most 10, each without text of the model |
/// | `more_errors` | how many further ones there are |
/// | `hints` | a list of lines about defects that were seen |
/// | `format` | the required format, generated from the contract |
/// | `quoted` | the last answer between two fences, or nothing with `echo = "none"` |
/// | `is_cut` | whether only its beginning is quoted |
/// | `fields` | the fields that are asked for, in the scope `failing-fields`; else empty |
/// | `is_shorter` | whether a shorter answer is asked for |
/// | `attempt`, `maximum` | the number of this re-ask and the most there can be |
/// | `mode` | the response format, such as `json-schema` |
///
/// What the model wrote is in `quoted` and nowhere else.
/// Rendering is bounded in steps and in length.
///
/// ```
/// use jsonseam_reask::{Template, TemplateReason};
///
/// assert!(Template::new("Repair this: {{ errors | join('; ') }}\n{{ quoted }}").is_ok());
/// let error = Template::new("{{ errors }}\n{{ answer }}").unwrap_err();
/// assert_eq!((error.reason(), error.line()), (TemplateReason::Undefined, Some(2)));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Template(Arc<str>);

named! {
    /// Why a template cannot be used.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum TemplateReason as "a reason" {
        /// It cannot be read.
        Syntax = "syntax",
        /// It uses a name, filter or test that does not exist.
        Undefined = "undefined",
        /// It does not end within the steps that are allowed.
        OutOfFuel = "out_of_fuel",
        /// It, or what it makes, is too long.
        TooLong = "too_long",
        /// It does something with a value that the value cannot do.
        Failed = "failed",
    }
}

/// A template that cannot be used. It quotes neither the template nor what was to be rendered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateError {
    reason: TemplateReason,
    line: Option<usize>,
}

/// What a template is given.
#[derive(Debug, Clone, Default)]
pub(crate) struct Parts {
    pub(crate) errors: Vec<String>,
    pub(crate) more_errors: usize,
    pub(crate) hints: Vec<&'static str>,
    pub(crate) format: String,
    pub(crate) quoted: String,
    pub(crate) is_cut: bool,
    pub(crate) fields: Vec<String>,
    pub(crate) is_shorter: bool,
    pub(crate) attempt: u32,
    pub(crate) maximum: u32,
    pub(crate) mode: &'static str,
}

impl Template {
    /// Takes a template. It is rendered once with sample values, so that a mistake shows now and not in the middle of a run.
    pub fn new(text: &str) -> Result<Self, TemplateError> {
        if text.len() > MAX_TEMPLATE {
            return Err(TemplateError { reason: TemplateReason::TooLong, line: None });
        }
        let template = Self(text.into());
        for sample in samples() {
            template.render(&sample)?;
        }
        Ok(template)
    }

    /// The text of the template.
    pub fn source(&self) -> &str {
        &self.0
    }

    pub(crate) fn render(&self, parts: &Parts) -> Result<String, TemplateError> {
        let mut environment = Environment::new();
        environment.set_auto_escape_callback(|_| AutoEscape::None);
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_recursion_limit(RECURSION);
        environment.set_fuel(Some(FUEL));
        let template = environment.template_from_str(&self.0).map_err(|error| TemplateError::of(&error))?;
        let mut output = Bounded(Vec::new());
        template.render_captured_to(parts.values(), &mut output).map_err(|error| TemplateError::of(&error))?;
        String::from_utf8(output.0).map_err(|_| TemplateError { reason: TemplateReason::Failed, line: None })
    }
}

impl Default for Template {
    fn default() -> Self {
        Self(BUILT_IN.into())
    }
}

impl fmt::Debug for Template {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Template").field("length", &self.0.len()).finish()
    }
}

impl Parts {
    fn values(&self) -> Value {
        let entries: [(&str, Value); 11] = [
            ("errors", Value::from(self.errors.clone())),
            ("more_errors", Value::from(self.more_errors)),
            ("hints", Value::from(self.hints.clone())),
            ("format", Value::from(self.format.as_str())),
            ("quoted", Value::from(self.quoted.as_str())),
            ("is_cut", Value::from(self.is_cut)),
            ("fields", Value::from(self.fields.clone())),
            ("is_shorter", Value::from(self.is_shorter)),
            ("attempt", Value::from(self.attempt)),
            ("maximum", Value::from(self.maximum)),
            ("mode", Value::from(self.mode)),
        ];
        Value::from(BTreeMap::from(entries))
    }
}

/// Values that take a template through its usual branches.
fn samples() -> [Parts; 3] {
    let full = Parts {
        errors: vec!["An error".to_owned()],
        more_errors: 1,
        hints: vec!["A hint"],
        format: "{}".to_owned(),
        quoted: "```\n{}\n```".to_owned(),
        is_cut: true,
        attempt: 1,
        maximum: 2,
        mode: "text",
        ..Parts::default()
    };
    let fields = Parts { fields: vec!["a".to_owned()], ..full.clone() };
    let shorter = Parts { is_shorter: true, quoted: String::new(), ..full.clone() };
    [full, fields, shorter]
}

impl TemplateError {
    /// The template engine's own message may quote what it rendered, so only its kind is kept.
    fn of(error: &minijinja::Error) -> Self {
        let reason = match error.kind() {
            ErrorKind::SyntaxError | ErrorKind::BadEscape | ErrorKind::InvalidDelimiter => TemplateReason::Syntax,
            ErrorKind::UndefinedError
            | ErrorKind::UnknownFilter
            | ErrorKind::UnknownTest
            | ErrorKind::UnknownFunction
            | ErrorKind::UnknownMethod
            | ErrorKind::UnknownBlock
            | ErrorKind::TemplateNotFound => TemplateReason::Undefined,
            ErrorKind::OutOfFuel => TemplateReason::OutOfFuel,
            ErrorKind::WriteFailure => TemplateReason::TooLong,
            _ => TemplateReason::Failed,
        };
        Self { reason, line: error.line() }
    }

    /// The stable code of the error type: always `template`.
    pub const fn code(&self) -> ErrorCode {
        ErrorCode::Template
    }

    /// What is wrong.
    pub fn reason(&self) -> TemplateReason {
        self.reason
    }

    /// The line of the template, from 1.
    pub fn line(&self) -> Option<usize> {
        self.line
    }
}

impl fmt::Display for TemplateError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self.reason {
            TemplateReason::Syntax => "the template cannot be read",
            TemplateReason::Undefined => "the template uses a name that does not exist",
            TemplateReason::OutOfFuel => "the template does not end in time",
            TemplateReason::TooLong => "the template, or what it makes, is too long",
            TemplateReason::Failed => "the template cannot be rendered",
        })?;
        match self.line {
            Some(line) => write!(formatter, " (line {line} of the template)"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for TemplateError {}

/// Output that refuses to grow too long.
struct Bounded(Vec<u8>);

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len().saturating_add(bytes.len()) > MAX_PROMPT {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{BUILT_IN, Parts, Template, TemplateReason, samples};

    #[test]
    fn the_built_in_template_renders_every_sample_and_leaves_nothing_out() {
        let template = Template::new(BUILT_IN).expect("it is ours");
        let [full, fields, shorter] = samples();
        let text = template.render(&full).expect("it is bounded");
        for part in ["An error", "and 1 more", "HINT: A hint", "{}", "```\n{}\n```", "attempt 1 of 2"] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
        assert!(template.render(&fields).is_ok_and(|text| text.contains("only these, as one JSON object: a.")));
        assert!(template.render(&shorter).is_ok_and(|text| text.contains("shorter") && !text.contains("fences")));
    }

    #[test]
    fn templates_are_refused_by_kind_and_never_quoted() {
        let refused = |text: &str| Template::new(text).map(|_| ()).expect_err("it is wrong");
        assert_eq!(refused("{% if").reason(), TemplateReason::Syntax);
        assert_eq!(refused("{{ SECRET }}").reason(), TemplateReason::Undefined);
        assert_eq!(refused("{{ format | SECRET }}").reason(), TemplateReason::Undefined);
        let endless = "{% for a in range(10000) %}{% for b in range(10000) %}.{% endfor %}{% endfor %}";
        assert_eq!(refused(endless).reason(), TemplateReason::OutOfFuel);
        assert_eq!(refused("{{ 'x' * 100000 }}").reason(), TemplateReason::TooLong);
        assert_eq!(refused(&" ".repeat(100_000)).reason(), TemplateReason::TooLong);
        let shown = format!("{} {:?}", refused("\n{{ SECRET }}"), refused("\n{{ SECRET }}"));
        assert!(!shown.contains("SECRET") && shown.contains("line 2"), "{shown}");
    }

    #[test]
    fn nothing_is_escaped_for_html() {
        let template = Template::new("{{ quoted }}").expect("it is right");
        let parts = Parts { quoted: "<a & \"b\">".to_owned(), ..Parts::default() };
        assert_eq!(template.render(&parts).as_deref(), Ok("<a & \"b\">"));
    }
}
