//! Of several forms, the one that a value was meant as: by its kind, by a constant that tells the forms apart, by the keys that it has.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Stop, Walk};
use crate::evaluate::ScopeId;
use crate::graph::{Keyword, Kinds, NodeId};
use crate::violation::{Problem, Segment, kind_of, listed};

impl Walk<'_> {
    /// None of several forms fits, or too many do.
    ///
    /// If the value can only have been meant as one of them, by its kind or by a constant that tells the forms apart, what is wrong with that one is reported.
    pub(super) fn forms(
        &mut self,
        keyword: &'static str,
        nodes: &[NodeId],
        value: &Value,
        scope: ScopeId,
    ) -> Result<(), Stop> {
        if self.evaluation.count(nodes, value, scope, 1)? > 0 {
            let problem = Problem::Says("Value fits more than one form of which it must fit exactly one".to_owned());
            return self.tell(keyword, "exactly one form".to_owned(), kind_of(value), problem);
        }
        let kinds: Vec<Kinds> = nodes.iter().map(|&node| self.kinds(node, 0)).collect();
        let fits = |index: &usize| kinds[*index].accept(value, self.evaluation.exact);
        let mut likely: Vec<usize> = (0..nodes.len()).filter(fits).collect();
        if likely.is_empty() {
            let expected = kinds.into_iter().fold(Kinds::default(), Kinds::or).told();
            return self.tell(keyword, expected, kind_of(value), Problem::Expected);
        }
        let forms: Vec<NodeId> = likely.iter().map(|&index| nodes[index]).collect();
        if likely.len() > 1 {
            likely.retain(|&index| self.is_tagged(nodes[index], value, 0) == Some(true));
        }
        if likely.is_empty() {
            // Forms of which each needs a key of its own are told apart by the keys.
            let has_needed = |&index: &usize| {
                let needed = self.needed(nodes[index], 0);
                !needed.is_empty() && needed.iter().all(|name| value.get(&**name).is_some())
            };
            likely = (0..nodes.len()).filter(has_needed).filter(fits).collect();
        }
        if let [index] = likely.as_slice() {
            return self.below(&[keyword, &index.to_string()], nodes[*index], value, scope);
        }
        if likely.is_empty() && self.tell_forms(keyword, &forms, value)? {
            return Ok(());
        }
        let problem = Problem::Says("Value fits none of the allowed forms".to_owned());
        self.tell(keyword, "one of several forms".to_owned(), kind_of(value), problem)
    }

    /// Tells by what the forms differ, if that is a constant, a member with a constant, or a key. False if they differ otherwise.
    pub(super) fn tell_forms(&mut self, keyword: &'static str, forms: &[NodeId], value: &Value) -> Result<bool, Stop> {
        let constants: Vec<Option<Vec<Value>>> = forms.iter().map(|&form| self.constants(form, 0)).collect();
        if let Some(constants) = constants.into_iter().collect::<Option<Vec<_>>>() {
            let told = listed(&constants.concat());
            let problem = Problem::Says(format!("Value must be one of {told}"));
            self.tell(keyword, format!("one of {told}"), kind_of(value), problem)?;
            return Ok(true);
        }
        if !value.is_object() {
            return Ok(false);
        }
        let tags: Vec<BTreeMap<Box<str>, Vec<Value>>> = forms.iter().map(|&form| self.tags(form, 0)).collect();
        let common =
            tags.first().and_then(|first| first.keys().find(|name| tags.iter().all(|of| of.contains_key(*name))));
        if let Some(name) = common {
            let values: Vec<Value> = tags.iter().flat_map(|of| of[name].clone()).collect();
            let told = listed(&values);
            let (found, problem) = match value.get(&**name) {
                None => ("undefined", Problem::Expected),
                Some(found) => (kind_of(found), Problem::Says(format!("Value must be one of {told}"))),
            };
            self.path.push(Segment::Key(name.clone()));
            let result = self.tell(keyword, format!("one of {told}"), found, problem);
            self.path.pop();
            return result.map(|()| true);
        }
        let needed: Vec<Vec<Box<str>>> = forms.iter().map(|&form| self.needed(form, 0)).collect();
        if forms.len() > 1 && needed.iter().all(|names| names.len() == 1) {
            let names: Vec<Value> = needed.concat().iter().map(|name| Value::from(&**name)).collect();
            let told = listed(&names);
            let problem = Problem::Says(format!("Object must have one of the keys {told}"));
            self.tell(keyword, format!("an object with one of the keys {told}"), kind_of(value), problem)?;
            return Ok(true);
        }
        Ok(false)
    }

    /// The values that a node allows, if it lists them.
    pub(super) fn constants(&self, node: NodeId, depth: usize) -> Option<Vec<Value>> {
        self.graph().nodes[node].keywords.iter().filter(|_| depth <= 8).find_map(|keyword| match keyword {
            Keyword::Const(value) => Some(vec![value.clone()]),
            Keyword::Enum(options) => {
                let mut strings: Vec<Value> = options.strings.iter().map(|text| Value::from(&**text)).collect();
                jsonseam_text::sort_by(&mut strings, |left, right| left.as_str().cmp(&right.as_str()));
                strings.extend(options.others.iter().cloned());
                Some(strings)
            }
            Keyword::Ref(inner) => self.constants(*inner, depth + 1),
            _ => None,
        })
    }

    /// The members that a node pins to listed values.
    pub(super) fn tags(&self, node: NodeId, depth: usize) -> BTreeMap<Box<str>, Vec<Value>> {
        let mut tags = BTreeMap::new();
        for keyword in self.graph().nodes[node].keywords.iter().filter(|_| depth <= 8) {
            match keyword {
                Keyword::Properties(properties) => {
                    for (name, &inner) in &properties.named {
                        if let Some(values) = self.constants(inner, 0) {
                            tags.insert(name.clone(), values);
                        }
                    }
                }
                Keyword::Ref(inner) => tags.extend(self.tags(*inner, depth + 1)),
                _ => {}
            }
        }
        tags
    }

    /// The keys that a node needs.
    pub(super) fn needed(&self, node: NodeId, depth: usize) -> Vec<Box<str>> {
        let keywords = self.graph().nodes[node].keywords.iter().filter(|_| depth <= 8);
        keywords
            .flat_map(|keyword| match keyword {
                Keyword::Required(names) => names.clone(),
                Keyword::Ref(inner) => self.needed(*inner, depth + 1),
                _ => Vec::new(),
            })
            .collect()
    }

    /// The kinds that a node accepts, as far as `type` and what is referred to tell.
    pub(super) fn kinds(&self, node: NodeId, depth: usize) -> Kinds {
        let mut kinds = Kinds::ALL;
        if depth > 8 {
            return kinds;
        }
        for keyword in &self.graph().nodes[node].keywords {
            kinds = kinds.and(match keyword {
                Keyword::Never => Kinds::default(),
                Keyword::Type(kinds) => *kinds,
                Keyword::Const(value) => Kinds::of(value),
                Keyword::Enum(options) => {
                    let strings =
                        if options.strings.is_empty() { Kinds::default() } else { Kinds::named(&"string".into()) };
                    options.others.iter().map(Kinds::of).fold(strings, Kinds::or)
                }
                Keyword::Ref(inner) => self.kinds(*inner, depth + 1),
                _ => Kinds::ALL,
            });
        }
        if self.graph().nodes[node].accepts_null { kinds.or(Kinds::of(&Value::Null)) } else { kinds }
    }

    /// Whether a value has the constants by which a form is told from others; `None` if the form has none.
    pub(super) fn is_tagged(&self, node: NodeId, value: &Value, depth: usize) -> Option<bool> {
        let mut is_tagged = None;
        for keyword in self.graph().nodes[node].keywords.iter().filter(|_| depth <= 8) {
            match keyword {
                Keyword::Properties(properties) => {
                    for (name, &inner) in &properties.named {
                        let Some(is_equal) = self.is_constant(inner, value.get(name.as_ref())) else { continue };
                        is_tagged = Some(is_tagged.unwrap_or(true) && is_equal);
                    }
                }
                Keyword::Ref(inner) => {
                    if let Some(inner) = self.is_tagged(*inner, value, depth + 1) {
                        is_tagged = Some(is_tagged.unwrap_or(true) && inner);
                    }
                }
                _ => {}
            }
        }
        is_tagged
    }

    /// Whether a member is the one string that its schema allows; `None` if it allows others.
    pub(super) fn is_constant(&self, node: NodeId, member: Option<&Value>) -> Option<bool> {
        self.graph().nodes[node].keywords.iter().find_map(|keyword| match keyword {
            Keyword::Const(Value::String(constant)) => Some(member.and_then(Value::as_str) == Some(constant)),
            Keyword::Enum(options) if options.others.is_empty() && options.strings.len() == 1 => {
                Some(member.and_then(Value::as_str).is_some_and(|text| options.strings.contains(text)))
            }
            _ => None,
        })
    }
}
