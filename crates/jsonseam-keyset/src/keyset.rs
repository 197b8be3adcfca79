//! The declared keys, and whether an object has exactly those.

use std::collections::HashMap;
use std::ops::Range;

use jsonseam_text::{Member, Name, members};

use crate::hint;
use crate::mismatch::{Extra, MOST_FINDINGS, Mismatch, Repeated};

/// Up to so many declared keys are compared one by one, which is faster than a table.
const FEW: usize = 12;

/// So many undeclared keys get a hint: comparing spellings is not free, and no one reads the hundredth.
const HINTED: usize = 16;

/// So many declared keys are compared for a hint.
const COMPARED: usize = 256;

/// The keys that an object must have, may have, and no others.
///
/// ```
/// use jsonseam_keyset::KeySet;
///
/// let keys = KeySet::new().required("city").required("country").optional("note");
/// let mismatch = keys.check(r#"{"city": "Oslo", "Country": "NO"}"#).unwrap_err();
///
/// assert_eq!(mismatch.reason().as_str(), "missing_output_keys");
/// assert_eq!(mismatch.missing(), ["country"]);
/// assert_eq!(mismatch.extra()[0].hint.as_ref().map(|hint| hint.name.as_str()), Some("country"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeySet {
    keys: Vec<Key>,
    /// Where each name is in `keys`; empty while there are few.
    index: HashMap<Box<[u8]>, usize>,
    is_open: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Key {
    name: Box<str>,
    is_required: bool,
}

/// Where the values of declared keys are in one object, and what is wrong with its keys.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Inspection {
    /// For each declared key, in declared order, its member: the last one if it is repeated.
    pub declared: Vec<Option<Member>>,
    /// What is wrong with the keys, if anything is.
    pub mismatch: Option<Mismatch>,
}

impl KeySet {
    /// A set of no keys: an empty object is all that fits.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same set, and `name` must be there (SPEC K2). If it is declared already, it becomes required.
    #[must_use]
    pub fn required(self, name: &str) -> Self {
        self.declare(name, true)
    }

    /// The same set, and `name` may be there. If it is declared already, it becomes optional.
    #[must_use]
    pub fn optional(self, name: &str) -> Self {
        self.declare(name, false)
    }

    /// The same set, but undeclared keys are let through. Repeated keys still do not fit.
    #[must_use]
    pub fn open(mut self) -> Self {
        self.is_open = true;
        self
    }

    fn declare(mut self, name: &str, is_required: bool) -> Self {
        if let Some(index) = self.position(name.as_bytes()) {
            self.keys[index].is_required = is_required;
            return self;
        }
        self.keys.push(Key { name: name.into(), is_required });
        if self.keys.len() > FEW {
            let from = if self.index.is_empty() { 0 } else { self.keys.len() - 1 };
            for (index, key) in self.keys.iter().enumerate().skip(from) {
                self.index.insert(key.name.as_bytes().into(), index);
            }
        }
        self
    }

    /// The declared names in declared order, and whether each is required.
    pub fn names(&self) -> impl ExactSizeIterator<Item = (&str, bool)> {
        self.keys.iter().map(|key| (&*key.name, key.is_required))
    }

    /// Whether undeclared keys are let through.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    fn position(&self, name: &[u8]) -> Option<usize> {
        if self.index.is_empty() {
            return self.keys.iter().position(|key| key.name.as_bytes() == name);
        }
        self.index.get(name).copied()
    }

    /// Whether `object`, the text of a valid JSON object, has exactly the declared keys. The error holds everything that is wrong.
    pub fn check(&self, object: &str) -> Result<(), Mismatch> {
        self.inspect(object).mismatch.map_or(Ok(()), Err)
    }

    /// Whether these keys, which are in their order and have no escapes any more, are exactly the declared ones.
    /// The spans of the error count keys, and not bytes.
    ///
    /// ```
    /// let keys = jsonseam_keyset::KeySet::new().required("a");
    /// assert!(keys.check_keys(["a"]).is_ok());
    /// assert_eq!(keys.check_keys(["a", "a"]).unwrap_err().reason().as_str(), "duplicate_output_keys");
    /// ```
    pub fn check_keys<'k>(&self, keys: impl IntoIterator<Item = &'k str>) -> Result<(), Mismatch> {
        let mut sorting = Sorting::new(self);
        for (index, key) in keys.into_iter().enumerate() {
            sorting.add(&Name::of_decoded(key), Member { key: index..index + 1, value: index..index + 1 });
        }
        sorting.finish().mismatch.map_or(Ok(()), Err)
    }

    /// Where the values of the declared keys are in `object`, the text of a valid JSON object, and what is wrong with its keys.
    ///
    /// One pass over the text; every finding at once.
    pub fn inspect(&self, object: &str) -> Inspection {
        let mut sorting = Sorting::new(self);
        for member in members(object) {
            sorting.add(&member.name(object), member);
        }
        sorting.finish()
    }
}

/// One object on its way through a set.
struct Sorting<'s, 't> {
    set: &'s KeySet,
    declared: Vec<Option<Member>>,
    /// Where the repeated finding of each declared key is; empty until one is repeated.
    repeated: HashMap<usize, usize>,
    duplicates: Vec<Repeated>,
    others: Others<'t>,
    uncounted: usize,
}

/// The undeclared keys so far.
#[derive(Default)]
struct Others<'t> {
    keys: Vec<(Name<'t>, Range<usize>)>,
    /// Where each name is in `keys`; empty while there are few.
    index: HashMap<Name<'t>, usize>,
    /// Where the repeated finding of a key is.
    repeated: HashMap<usize, usize>,
}

impl<'t> Others<'t> {
    /// Where the name was seen before; else it is taken in.
    fn seen(&mut self, name: &Name<'t>, key: &Range<usize>) -> Option<usize> {
        let known = if self.index.is_empty() {
            self.keys.iter().position(|(known, _)| known == name)
        } else {
            self.index.get(name).copied()
        };
        if known.is_some() {
            return known;
        }
        self.keys.push((name.clone(), key.clone()));
        if self.keys.len() > FEW {
            let from = if self.index.is_empty() { 0 } else { self.keys.len() - 1 };
            for (index, (name, _)) in self.keys.iter().enumerate().skip(from) {
                self.index.insert(name.clone(), index);
            }
        }
        None
    }
}

impl<'s, 't> Sorting<'s, 't> {
    fn new(set: &'s KeySet) -> Self {
        Self {
            set,
            declared: vec![None; set.keys.len()],
            repeated: HashMap::new(),
            duplicates: Vec::new(),
            others: Others::default(),
            uncounted: 0,
        }
    }

    fn add(&mut self, name: &Name<'t>, member: Member) {
        let Some(index) = self.set.position(name.bytes()) else {
            if let Some(first) = self.others.seen(name, &member.key) {
                let before = self.others.keys[first].1.clone();
                let known = self.others.repeated.get(&first).copied();
                let finding = self.repeat(known, before, &member, || Repeated::of(name.to_text(), false));
                self.others.repeated.insert(first, finding);
            }
            return;
        };
        if let Some(before) = self.declared[index].take() {
            let known = self.repeated.get(&index).copied();
            let name = &self.set.keys[index].name;
            let finding = self.repeat(known, before.key, &member, || Repeated::of(name.to_string(), true));
            self.repeated.insert(index, finding);
        }
        self.declared[index] = Some(member);
    }

    /// Notes that a key is there again; gives the place of the finding.
    fn repeat(
        &mut self,
        known: Option<usize>,
        before: Range<usize>,
        member: &Member,
        new: impl FnOnce() -> Repeated,
    ) -> usize {
        let place = known.unwrap_or(self.duplicates.len());
        if known.is_none() {
            if place >= MOST_FINDINGS {
                self.uncounted += 1;
                return place;
            }
            self.duplicates.push(Repeated { spans: vec![before], ..new() });
        }
        if let Some(finding) = self.duplicates.get_mut(place).filter(|finding| finding.spans.len() < MOST_FINDINGS) {
            finding.spans.push(member.key.clone());
        }
        place
    }

    fn finish(self) -> Inspection {
        let Self { set, declared, duplicates, others, mut uncounted, .. } = self;
        let absent = || set.keys.iter().zip(&declared).filter(|(_, member)| member.is_none()).map(|(key, _)| key);
        let missing: Vec<_> = absent().filter(|key| key.is_required).map(|key| key.name.to_string()).collect();
        let mut extra = Vec::new();
        if !set.is_open && !others.keys.is_empty() {
            uncounted += others.keys.len().saturating_sub(MOST_FINDINGS);
            for (name, span) in others.keys.into_iter().take(MOST_FINDINGS) {
                let text = name.to_text();
                let is_hinted = extra.len() < HINTED;
                let hint_among = |keys: &mut dyn Iterator<Item = &Key>| {
                    is_hinted.then(|| hint::hint(&text, keys.take(COMPARED).map(|key| &*key.name))).flatten()
                };
                // A key that is absent is more likely the one that was meant.
                let hint = hint_among(&mut absent()).or_else(|| hint_among(&mut set.keys.iter()));
                extra.push(Extra { name: text, span, hint });
            }
        }
        let mismatch = Mismatch { missing, extra, duplicates, uncounted };
        Inspection { declared, mismatch: Some(mismatch).filter(|mismatch| !mismatch.is_empty()) }
    }
}

impl Repeated {
    fn of(name: String, is_declared: bool) -> Self {
        Self { name, is_declared, spans: Vec::new() }
    }
}

#[cfg(test)]
mod tests;
