//! A JSON text against a contract: keys, then fields, then the whole (SPEC K5). No repair happens here.
//!
//! **Invariant:** the text that a schema has judged is the text that is returned, or spells the same value:
//! repeated keys within it are gone, and every cast is in it.

use std::borrow::Cow;
use std::ops::Range;

use jsonseam_core::Root;
use jsonseam_keyset::{Inspection, Member, Mismatch, members, without_repeats};
use jsonseam_schema::{Cast, Casts, Failure, Schema, UnfitItem, Violation};
use jsonseam_text::pointer;

use crate::contract::{Contract, Output};
use crate::duplicates::Duplicates;
use crate::envelope;
use crate::error::Error;
use crate::field::{Field, FieldName, FieldText, Judged};
use crate::heads;
use crate::items::{DroppedItem, Items};
use crate::rename::renamed;
use crate::typed::AnyValue;

impl Judged {
    /// Forgets the fields that these JSON Pointers are in: what a cut left incomplete.
    pub(crate) fn forget(&mut self, pointers: &[String], contract: &Contract) {
        for pointer in pointers {
            let name = pointer::names(pointer).next().unwrap_or_default();
            self.fields.retain(|field| pointer.is_empty() || contract.name(&field.name) != name);
        }
    }
}

/// A text that does not fit: why, and the fields that do.
pub(crate) struct Failed {
    pub(crate) error: Error,
    pub(crate) partial: Judged,
}

/// Judges `text`, which is valid JSON of the contract's root.
pub(crate) fn judge(contract: &Contract, text: &str) -> Result<Judged, Box<Failed>> {
    if contract.root != Root::Object && !text.trim_ascii_start().starts_with('{') {
        return judge_whole_value(contract, text);
    }
    let failed = match judge_named(contract, text) {
        Err(failed) => failed,
        judged => return judged,
    };
    // An envelope is taken off only where the text does not fit as it is, and what is in it does.
    let opened = envelope::opened(contract, text);
    let judged = opened.and_then(|(name, inner)| Some((name, inner, judge_named(contract, inner).ok()?)));
    let Some((name, inner, mut judged)) = judged else { return Err(failed) };
    judged.casts.insert(0, Cast::of_envelope(&name));
    judged.text.get_or_insert_with(|| inner.to_owned());
    Ok(judged)
}

/// Judges an object under the names that its keys stand for.
fn judge_named(contract: &Contract, text: &str) -> Result<Judged, Box<Failed>> {
    match renamed(contract, text) {
        Some((renamed, casts)) => {
            let mut judged = judge_object(contract, &renamed);
            let fields = judged.as_mut().unwrap_or_else(|failed| &mut failed.partial);
            fields.casts.splice(..0, casts);
            fields.text.get_or_insert(renamed);
            judged
        }
        None => judge_object(contract, text),
    }
}

fn judge_object(contract: &Contract, text: &str) -> Result<Judged, Box<Failed>> {
    let Inspection { declared, mismatch, .. } = contract.keys.inspect(text);
    if let Some(mismatch) = mismatch.and_then(|mismatch| refused(mismatch, contract.duplicates)) {
        return Err(Box::new(judge_beside(contract, text, declared, mismatch)));
    }
    let mut judging = Judging::new(contract);
    let whole = judging.cast_whole(text, contract.items);
    let declared = match &whole {
        Cow::Borrowed(_) => declared,
        Cow::Owned(text) => contract.keys.inspect(text).declared,
    };
    let mut judging = judging.read(&whole, declared);
    judging.check_again(&whole);
    judging.check_calls(text, &whole);
    let text = match whole {
        Cow::Borrowed(_) => None,
        Cow::Owned(text) => Some(text),
    };
    judging.finish(text)
}

/// What else is wrong with an object whose keys are not the declared ones: a repeated question must name everything at once.
fn judge_beside(contract: &Contract, text: &str, declared: Vec<Option<Member>>, mismatch: Mismatch) -> Failed {
    let mut judging = Judging::new(contract);
    judging.cast_whole(text, Items::All);
    let mut judging = judging.read(text, declared);
    judging.check_calls(text, text);
    let Judging { mut fields, mut violations, dropped, .. } = judging;
    let is_repeated = |name: &str| mismatch.duplicates().iter().any(|repeated| repeated.name == name);
    // What the schema of the whole says of the object itself, or of a key that is missing, the mismatch says.
    violations.retain(|violation| {
        let is_missing = |name: &str| mismatch.missing().iter().any(|missing| missing == name);
        violation.first_key().is_some_and(|name| contract.position(name).is_some() && !is_missing(name))
    });
    jsonseam_text::sort_by_key(&mut violations, |violation| {
        violation.first_key().and_then(|name| contract.position(name))
    });
    violations.dedup();
    let is_wrong = |name: &str| is_to_blame(&violations, name);
    fields.retain(|field| {
        let name = contract.name(&field.name);
        !is_repeated(name) && !is_wrong(name)
    });
    let partial = Judged { fields, dropped, ..Judged::default() };
    Failed { error: Error::keys(mismatch, violations, contract), partial }
}

/// The mismatch without the repeated keys that the policy lets through.
fn refused(mismatch: Mismatch, duplicates: Duplicates) -> Option<Mismatch> {
    match duplicates {
        Duplicates::Refuse => Some(mismatch),
        Duplicates::Last => mismatch.without_duplicates(),
    }
}

/// A root that is not an object has no keys: the schema of the whole is all there is.
fn judge_whole_value(contract: &Contract, text: &str) -> Result<Judged, Box<Failed>> {
    let mut judging = Judging::new(contract);
    let whole = judging.cast_whole(text, contract.items);
    judging.finish(match whole {
        Cow::Borrowed(_) => None,
        Cow::Owned(text) => Some(text),
    })
}

/// A text on its way through a contract.
struct Judging<'c> {
    contract: &'c Contract,
    fields: Vec<Field>,
    casts: Vec<Cast>,
    dropped: Vec<DroppedItem>,
    violations: Vec<Violation>,
    /// The first failure that is not a violation, and the name of its field.
    broken: Option<(Option<Box<str>>, Failure)>,
    /// Whether a field's own cast changed what the schema of the whole has seen.
    is_cast: bool,
}

impl<'c> Judging<'c> {
    fn new(contract: &'c Contract) -> Self {
        Self {
            contract,
            fields: Vec::new(),
            casts: Vec::new(),
            dropped: Vec::new(),
            violations: Vec::new(),
            broken: None,
            is_cast: false,
        }
    }

    /// The whole text as its schema leaves it: without repeated keys and items that do not fit, and with its casts.
    fn cast_whole<'t>(&mut self, text: &'t str, items: Items) -> Cow<'t, str> {
        let Some(schema) = &self.contract.whole else { return Cow::Borrowed(text) };
        match fitted(schema, text, self.contract.casts, items) {
            Ok(Fitted { text, casts, unfit }) => {
                self.casts.extend(casts);
                self.dropped.extend(unfit.into_iter().map(|item| DroppedItem::unfit(item, None)));
                text
            }
            Err(Failure::NotRepresentable) => {
                let name = self.contract.unheld(text);
                self.broken.get_or_insert((name, Failure::NotRepresentable));
                Cow::Borrowed(text)
            }
            Err(failure) => {
                self.fail(None, failure);
                Cow::Borrowed(text)
            }
        }
    }

    fn fail(&mut self, field: Option<usize>, failure: Failure) {
        let name = field.and_then(|index| self.contract.outputs.get(index)).map(Output::name);
        match failure {
            Failure::Invalid(violations) => {
                self.violations.extend(match name {
                    Some(name) => Violation::all_within(violations, name),
                    None => violations,
                });
            }
            other => {
                self.broken.get_or_insert((name.map(Box::from), other));
            }
        }
    }

    /// Takes the fields out of `text`, and checks each that has a schema of its own.
    fn read(mut self, text: &str, declared: Vec<Option<Member>>) -> Self {
        if self.contract.outputs.is_empty() {
            self.read_undeclared(text);
            return self;
        }
        for (index, member) in declared.into_iter().enumerate() {
            if let Some(member) = member {
                let span = member.value;
                let field = self.check_field(index, text.get(span.clone()).unwrap_or_default());
                self.fields.extend(field.map(|(cast, typed)| Field {
                    name: FieldName::Declared(index),
                    text: cast.map_or(FieldText::Span(span), FieldText::Own),
                    typed,
                }));
            }
        }
        self
    }

    /// Without declared outputs each member is one; of repeated ones the last, in its place.
    fn read_undeclared(&mut self, text: &str) {
        let mut seen = std::collections::HashMap::new();
        for (index, member) in members(text).enumerate() {
            let name = member.name(text);
            let Some(known) = name.as_str() else {
                // A name that no string holds cannot be returned as another.
                self.broken.get_or_insert((None, Failure::NotRepresentable));
                return;
            };
            let field =
                Field { name: FieldName::Found(known.into()), text: FieldText::Span(member.value), typed: None };
            seen.insert(name, index);
            self.fields.push(field);
        }
        if seen.len() < self.fields.len() {
            let kept: std::collections::HashSet<usize> = seen.into_values().collect();
            let mut index = 0;
            self.fields.retain(|_| {
                index += 1;
                kept.contains(&(index - 1))
            });
        }
    }

    /// The text that a field's schema leaves, if it is another one, and the value of its type. `None` if the field does not fit.
    fn check_field(&mut self, index: usize, text: &str) -> Option<(Option<Box<str>>, Option<AnyValue>)> {
        let output = self.contract.outputs.get(index)?;
        // An array that has lost items to the schema of the whole has other places now.
        let items =
            if self.dropped.iter().any(|item| item.is_in(&output.name)) { Items::All } else { self.contract.items };
        match checked(self.contract, output, text, items) {
            Ok(Checked { text, casts, unfit, typed }) => {
                self.is_cast |= !casts.is_empty() || !unfit.is_empty();
                self.casts.extend(casts.into_iter().map(|cast| cast.within(&output.name)));
                self.dropped.extend(unfit.into_iter().map(|item| DroppedItem::unfit(item, Some(&output.name))));
                Some((text, typed))
            }
            Err(failure) => {
                self.fail(Some(index), failure);
                None
            }
        }
    }

    /// What a field's own schema has cast must still fit the schema of the whole.
    fn check_again(&mut self, text: &str) {
        let Some(schema) = self.contract.whole.as_ref().filter(|_| self.is_cast) else { return };
        let mut spliced = String::with_capacity(text.len());
        let mut pos = 0;
        let mut cast: Vec<_> = self.cast_fields(text);
        jsonseam_text::sort_by_key(&mut cast, |(span, _)| span.start);
        for (span, own) in cast {
            spliced.push_str(text.get(pos..span.start).unwrap_or_default());
            spliced.push_str(own);
            pos = span.end;
        }
        spliced.push_str(text.get(pos..).unwrap_or_default());
        if let Err(failure) = check(schema, &spliced, Casts::NONE) {
            self.fail(None, failure);
        }
    }

    /// The heads of tool calls: `original` is what the model wrote, `whole` what its schema has left of it.
    fn check_calls(&mut self, original: &str, whole: &str) {
        if !self.contract.declares_calls {
            return;
        }
        self.violations.extend(heads::repeated(original));
        self.violations.extend(heads::misspelled_lists(whole));
        for field in &self.fields {
            let name = self.contract.name(&field.name);
            let text = match &field.text {
                FieldText::Span(span) => whole.get(span.clone()).unwrap_or_default(),
                FieldText::Own(own) => own,
            };
            if heads::is_list(name) {
                self.violations.extend(heads::misspelled(name, text));
            }
        }
    }

    /// Where the values that were cast stood, and what they are now.
    fn cast_fields(&self, text: &str) -> Vec<(Range<usize>, &str)> {
        let declared = self.contract.keys.inspect(text).declared;
        let own = self.fields.iter().filter_map(|field| match (&field.name, &field.text) {
            (FieldName::Declared(index), FieldText::Own(own)) => Some((*index, &**own)),
            _ => None,
        });
        own.filter_map(|(index, own)| Some((declared.get(index)?.as_ref()?.value.clone(), own))).collect()
    }

    fn finish(self, text: Option<String>) -> Result<Judged, Box<Failed>> {
        let Self { contract, mut fields, casts, dropped, mut violations, broken, .. } = self;
        if violations.is_empty() && broken.is_none() {
            return Ok(Judged { text, fields, casts, dropped });
        }
        let declared_place = |violation: &Violation| {
            let place = violation.first_key().and_then(|name| contract.position(name));
            place.unwrap_or(contract.outputs.len())
        };
        jsonseam_text::sort_by_key(&mut violations, declared_place);
        fields.retain(|field| !is_to_blame(&violations, contract.name(&field.name)));
        let first = violations.first().and_then(Violation::first_key).and_then(|name| contract.position(name));
        let error = match broken {
            Some((field, failure)) if violations.is_empty() || matches!(failure, Failure::NotRepresentable) => {
                Error::failure(failure, field.as_deref())
            }
            _ => Error::fields(violations, first.and_then(|index| contract.outputs.get(index)).map(Output::name)),
        };
        Err(Box::new(Failed { error, partial: Judged { text, fields, casts, dropped } }))
    }
}

/// What the schema of an output makes of a text.
pub(crate) struct Checked {
    /// Another text, if it is one.
    pub(crate) text: Option<Box<str>>,
    pub(crate) casts: Vec<Cast>,
    pub(crate) unfit: Vec<UnfitItem>,
    /// The value of the output's type.
    pub(crate) typed: Option<AnyValue>,
}

/// Checks the text of an output by itself.
pub(crate) fn checked(contract: &Contract, output: &Output, text: &str, items: Items) -> Result<Checked, Failure> {
    let Some(schema) = &output.schema else {
        return Ok(Checked { text: None, casts: Vec::new(), unfit: Vec::new(), typed: None });
    };
    let Fitted { text, casts, unfit } = fitted(schema, text, contract.casts, items)?;
    let typed = output.decode.map(|decode| decode(schema, &text)).transpose()?;
    let text = match text {
        Cow::Borrowed(_) => None,
        Cow::Owned(text) => Some(text.into()),
    };
    Ok(Checked { text, casts, unfit, typed })
}

/// Whether a violation is about the field of this name. What is wrong with a list of calls is wrong with every member that may be taken for it.
fn is_to_blame(violations: &[Violation], name: &str) -> bool {
    let is_calls = heads::is_like_list(name);
    let mut keys = violations.iter().filter_map(Violation::first_key);
    keys.any(|key| key == name || is_calls && heads::is_like_list(key))
}

/// A text as its schema leaves it.
struct Fitted<'t> {
    text: Cow<'t, str>,
    casts: Vec<Cast>,
    unfit: Vec<UnfitItem>,
}

/// Checks a text and, if the policy says so and it does not fit, checks it without the items that do not.
fn fitted<'t>(schema: &Schema, text: &'t str, casts: Casts, items: Items) -> Result<Fitted<'t>, Failure> {
    let failure = match check(schema, text, casts) {
        Ok((text, casts)) => return Ok(Fitted { text, casts, unfit: Vec::new() }),
        Err(failure) => failure,
    };
    let may_sift = items == Items::Fitting && matches!(failure, Failure::Invalid(_));
    let Some(sifted) = may_sift.then(|| schema.sift(text, &casts)).flatten() else { return Err(failure) };
    match check(schema, &sifted.text, casts) {
        Ok((left, casts)) => Ok(Fitted { text: Cow::Owned(left.into_owned()), casts, unfit: sifted.unfit }),
        Err(_) => Err(failure),
    }
}

/// Checks a text; gives it as the schema has seen it, with its casts and without repeated keys, so that no reader of it can see another value.
fn check<'t>(schema: &Schema, text: &'t str, casts: Casts) -> Result<(Cow<'t, str>, Vec<Cast>), Failure> {
    let checked = schema.check(text, &casts)?;
    let text = if checked.repeated.is_empty() {
        checked.text
    } else {
        Cow::Owned(without_repeats(&checked.text).into_owned())
    };
    Ok((text, checked.casts))
}
