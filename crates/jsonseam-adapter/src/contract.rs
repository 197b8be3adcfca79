//! What the caller declared, compiled once and shared.

use std::fmt;

use jsonseam_core::{Evidence, Root};
use jsonseam_keyset::KeySet;
use jsonseam_schema::{Casts, Schema};
use jsonseam_text::{Member, members};
use serde_json::Value;

use crate::duplicates::Duplicates;
use crate::field::FieldName;
use crate::items::{Incomplete, Items};
use crate::typed::Decode;

/// What an [`Adapter`](crate::Adapter) expects: the outputs in declared order, and the schemas they must fit.
///
/// Prompts are written from it.
///
/// ```
/// use jsonseam_adapter::Adapter;
///
/// let adapter = Adapter::builder().output("city").optional("country").build()?;
/// let declared: Vec<_> = adapter.contract().outputs().iter().map(|output| (output.name(), output.is_optional())).collect();
/// assert_eq!(declared, [("city", false), ("country", true)]);
/// # Ok::<(), jsonseam_adapter::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Contract {
    pub(crate) outputs: Vec<Output>,
    /// The keys of the outputs; open when none is declared.
    pub(crate) keys: KeySet,
    pub(crate) whole: Option<Schema>,
    pub(crate) root: Root,
    pub(crate) duplicates: Duplicates,
    pub(crate) casts: Casts,
    /// Names, each with the output or property that it stands for.
    pub(crate) aliases: Vec<(Box<str>, Box<str>)>,
    pub(crate) incomplete: Incomplete,
    pub(crate) items: Items,
    pub(crate) evidence: Evidence,
    /// Whether the answer holds tool calls, whose heads must be beyond doubt.
    pub(crate) declares_calls: bool,
}

/// One declared output.
#[derive(Clone)]
pub struct Output {
    pub(crate) name: Box<str>,
    pub(crate) is_optional: bool,
    pub(crate) schema: Option<Schema>,
    /// Decodes the output's text as the declared Rust type.
    pub(crate) decode: Option<Decode>,
    /// What a stream tells of it.
    #[cfg(feature = "stream")]
    pub(crate) when: crate::when::When,
}

impl Contract {
    /// The first member whose value no type holds, such as `1e400`, if the contract declares its name: other names are not shown (SPEC M5).
    pub(crate) fn unheld(&self, text: &str) -> Option<Box<str>> {
        let unheld = |member: &Member| serde_json::from_str::<Value>(text.get(member.value.clone())?).err();
        let member = members(text).find(|member| unheld(member).is_some())?;
        let name = member.name(text);
        let name = name.as_str()?;
        let is_declared =
            self.position(name).is_some() || self.whole.as_ref().is_some_and(|schema| schema.declares(name));
        is_declared.then(|| name.into())
    }

    /// The declared outputs, in declared order. None: the keys are not checked, and each member is an output.
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// The output of this name.
    pub fn output(&self, name: &str) -> Option<&Output> {
        self.outputs.iter().find(|output| &*output.name == name)
    }

    /// The schema of the whole value, if there is one.
    pub fn schema(&self) -> Option<&Schema> {
        self.whole.as_ref()
    }

    /// What the outermost value must be.
    pub fn root(&self) -> Root {
        self.root
    }

    /// The declared keys. Open when no output is declared.
    pub fn keys(&self) -> &KeySet {
        &self.keys
    }

    /// What is done with repeated keys.
    pub fn duplicates(&self) -> Duplicates {
        self.duplicates
    }

    /// Which casts may be made.
    pub fn casts(&self) -> Casts {
        self.casts
    }

    /// Whether results that were cut off are taken as they are (SPEC B3).
    pub fn allows_truncated(&self) -> bool {
        self.incomplete == Incomplete::Keep
    }

    /// What is done with answers that were cut off (SPEC B3).
    pub fn incomplete(&self) -> Incomplete {
        self.incomplete
    }

    /// What is done with items that do not fit.
    pub fn items(&self) -> Items {
        self.items
    }

    /// Whether undeclared keys are refused.
    pub fn checks_keys(&self) -> bool {
        !self.keys.is_open()
    }

    /// Where the output of this name is in declared order.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.outputs.iter().position(|output| &*output.name == name)
    }

    /// The name of a field.
    pub(crate) fn name<'n>(&'n self, name: &'n FieldName) -> &'n str {
        match name {
            FieldName::Declared(index) => self.outputs.get(*index).map_or("", |output| &output.name),
            FieldName::Found(name) => name,
        }
    }

    /// What kind of value an output wants, in the words of its schema or of that of the whole.
    pub(crate) fn kind_of(&self, name: &str) -> Option<&str> {
        let own = self.output(name)?.schema.as_ref().map(Schema::source);
        let of_whole = || self.whole.as_ref()?.source().get("properties")?.get(name);
        own.or_else(of_whole)?.get("type").and_then(Value::as_str)
    }
}

impl Output {
    /// The name: the key that it must be found under, exactly (SPEC K1).
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it may be absent.
    pub fn is_optional(&self) -> bool {
        self.is_optional
    }

    /// Its schema, given or that of its Rust type.
    pub fn schema(&self) -> Option<&Schema> {
        self.schema.as_ref()
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Output")
            .field("name", &self.name)
            .field("is_optional", &self.is_optional)
            .field("has_schema", &self.schema.is_some())
            .field("is_typed", &self.decode.is_some())
            .finish_non_exhaustive()
    }
}
