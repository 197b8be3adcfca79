//! A schema as a tree that keeps what a `serde_json::Value` loses: the order of members, and how each scalar is spelled.

use jsonseam_text::{elements, members, pointer};

use crate::json::JsonText;

/// One value of a schema, with everything below it.
#[derive(Debug, Clone)]
pub(crate) enum Tree {
    /// The members in their order. No schema that was compiled has a name twice.
    Object(Vec<Member>),
    Array(Vec<Tree>),
    /// A string, a number or a word, as it is spelled.
    Scalar(Box<str>),
}

/// One member of an object.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub(crate) name: String,
    /// The name as it is spelled, with its quotes.
    pub(crate) key: Box<str>,
    pub(crate) value: Tree,
}

impl Member {
    pub(crate) fn new(name: &str, value: Tree) -> Self {
        Self { name: name.to_owned(), key: quoted(name).into(), value }
    }
}

impl Tree {
    /// Reads the text of a schema that was compiled, which is valid and at most 64 levels deep.
    pub(crate) fn of(text: &str) -> Self {
        let text = text.trim();
        let inner = |span| Self::of(text.get(span).unwrap_or_default());
        match text.as_bytes().first() {
            Some(b'{') => {
                let member = |member: jsonseam_text::Member| Member {
                    name: member.name(text).to_text(),
                    key: text.get(member.key).unwrap_or_default().into(),
                    value: inner(member.value),
                };
                Self::Object(members(text).map(member).collect())
            }
            Some(b'[') => Self::Array(elements(text).map(inner).collect()),
            _ => Self::Scalar(text.into()),
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Self> {
        self.members()?.iter().find(|member| member.name == name).map(|member| &member.value)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    pub(crate) fn members(&self) -> Option<&[Member]> {
        if let Self::Object(members) = self { Some(members) } else { None }
    }

    /// Puts a value in the place of the one of this name, or after all others.
    pub(crate) fn set(&mut self, name: &str, value: Self) {
        let Self::Object(members) = self else { return };
        match members.iter_mut().find(|member| member.name == name) {
            Some(member) => member.value = value,
            None => members.push(Member::new(name, value)),
        }
    }

    pub(crate) fn elements(&self) -> Option<&[Self]> {
        if let Self::Array(elements) = self { Some(elements) } else { None }
    }

    /// A list of strings.
    pub(crate) fn of_strings<'s>(strings: impl IntoIterator<Item = &'s str>) -> Self {
        Self::Array(strings.into_iter().map(|string| Self::Scalar(quoted(string).into())).collect())
    }

    /// What a string spells.
    pub(crate) fn as_string(&self) -> Option<String> {
        if let Self::Scalar(text) = self { serde_json::from_str(text).ok() } else { None }
    }

    /// The strings of a list; none if it is not a list.
    pub(crate) fn strings(&self) -> Vec<String> {
        self.elements().into_iter().flatten().filter_map(Self::as_string).collect()
    }

    /// What a JSON Pointer leads to.
    pub(crate) fn at(&self, path: &str) -> Option<&Self> {
        let is_pointer = path.is_empty() || path.starts_with('/');
        pointer::names(path).filter(|_| is_pointer).try_fold(self, |tree, name| match tree {
            Self::Array(elements) => elements.get(name.parse::<usize>().ok()?),
            tree => tree.get(&name),
        })
    }

    /// The text, for a server.
    pub(crate) fn to_json(&self) -> JsonText {
        self.to_string().parse().unwrap_or_default()
    }

    fn push_to(&self, out: &mut String) {
        match self {
            Self::Scalar(text) => out.push_str(text),
            Self::Array(elements) => {
                out.push('[');
                for (index, element) in elements.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { "," });
                    element.push_to(out);
                }
                out.push(']');
            }
            Self::Object(members) => {
                out.push('{');
                for (index, Member { key, value, .. }) in members.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { "," });
                    out.push_str(key);
                    out.push(':');
                    value.push_to(out);
                }
                out.push('}');
            }
        }
    }
}

/// The text, without white space.
impl std::fmt::Display for Tree {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut out = String::new();
        self.push_to(&mut out);
        formatter.write_str(&out)
    }
}

/// A text as a JSON string.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
