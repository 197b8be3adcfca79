//! Valid documents, damaged the way language models damage them, each with the truth that a careful reader would find.
//!
//! **Invariant**: damage is done to tokens and knows no repair. The truth is what the document said before, not what some rule makes of the
//! text, so a rule cannot be right by definition.
//!
//! **Invariant**: a damaged text is never valid JSON, and its truth is never a matter of taste. Where two readers could disagree, the
//! place is not damaged: a key is left without quotes only if it is an identifier, a number that could have gone on is no end of a text, two defects
//! do not meet in one gap, and what is only plain while its neighbours are as they were is three tokens from any other damage.
//!
//! A truth is compared with a repaired text by [`compact`]: white space between tokens is not part of it.

mod around;
mod between;
mod closers;
mod content;
mod defect;
mod draft;
mod plain;
mod quotes;
mod spelling;
mod structure;
mod tail;
mod whole;
mod words;

use std::ops::RangeInclusive;

pub use self::defect::Defect;

use self::defect::Room;
use self::draft::Draft;
use crate::generate::{Document, RootKind, Shape, Style, document, records};
use crate::random::Random;

/// Where in the document to put the defect.
///
/// A defect around the whole document comes before it ([`Site::First`]) or after it ([`Site::Last`]) where there is a choice; the other
/// sites then only ask that the document holds such a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Site {
    /// The first.
    First,
    /// The last.
    Last,
    /// One inside a container that is inside the root.
    Nested,
    /// One in an empty string or container, or at most two tokens away from one.
    Empty,
    /// Any of them.
    Any,
}

impl Site {
    /// Every site.
    pub const ALL: [Self; 5] = [Self::First, Self::Last, Self::Nested, Self::Empty, Self::Any];
}

/// A damaged text and what is known about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damaged {
    /// The text: not valid JSON.
    pub text: String,
    /// What it meant, as valid JSON without outer white space. A repaired text says the same if [`compact`] makes the two equal.
    pub truth: String,
    /// What was done, in the order in which it was asked for.
    pub defects: Vec<Defect>,
    /// Whether the end is missing, so that a repair must say so (SPEC B3).
    pub truncated: bool,
    /// Whether the payload itself is damaged; else finding it is all that is needed.
    pub expects_edits: bool,
}

/// The document with one defect, or `None` if it has no such place.
///
/// ```
/// use jsonseam_testkit::damage::{Defect, Site, damage};
/// use jsonseam_testkit::generate::{Document, Token, TokenKind};
/// use jsonseam_testkit::random::Random;
///
/// let tokens = [(TokenKind::OpenArray, "["), (TokenKind::Number, "1"), (TokenKind::CloseArray, "]")];
/// let document = Document { tokens: tokens.map(|(kind, text)| Token::new(kind, text)).to_vec() };
/// let damaged = damage(&document, Defect::TrailingComma, Site::First, &mut Random::new(1)).expect("there is a closer");
/// assert_eq!((damaged.text.as_str(), damaged.truth.as_str()), ("[1,]", "[1]"));
/// assert_eq!(damage(&document, Defect::UnquotedKey, Site::Any, &mut Random::new(1)), None);
/// ```
pub fn damage(document: &Document, defect: Defect, site: Site, random: &mut Random) -> Option<Damaged> {
    damage_with(document, &[(defect, site)], random)
}

/// The document with several defects, or `None` if one of them finds no place that is left. The same defect may be asked for more than once, except
/// the cut end and those around the document.
pub fn damage_with(document: &Document, plan: &[(Defect, Site)], random: &mut Random) -> Option<Damaged> {
    let is_impossible = |(index, (defect, _)): (usize, &(Defect, Site))| {
        plan.iter().skip(index + 1).any(|(other, _)| !defect.meets(*other))
    };
    if plan.is_empty() || plan.iter().enumerate().any(is_impossible) {
        return None;
    }
    let mut ordered = plan.to_vec();
    ordered.sort_by_key(|(defect, _)| defect.turn());
    let mut draft = Draft::new(document);
    for (defect, site) in ordered {
        inflict(&mut draft, defect, site, random)?;
    }
    finish(&draft, plan.iter().map(|(defect, _)| *defect).collect())
}

/// The document with the defect at every place that it can befall, or `None` if there is none. The end is cut once, and a comment or an invisible
/// character put before every token.
pub fn damage_everywhere(document: &Document, defect: Defect, random: &mut Random) -> Option<Damaged> {
    if defect.turn() != 1 {
        return damage(document, defect, Site::Any, random);
    }
    let mut draft = Draft::new(document);
    let all = places(&draft, defect);
    // From the end, so that what is added or removed leaves the earlier places where they were; a place may be gone once its neighbour is damaged.
    for &index in all.iter().rev() {
        if is_place(&draft, defect, index) {
            apply(&mut draft, defect, index, random)?;
        }
    }
    if all.is_empty() { None } else { finish(&draft, vec![defect]) }
}

/// `count` damaged documents with an object as their root and one to three of `defects` each, always the same for the same seed.
///
/// ```
/// use jsonseam_testkit::damage::{Defect, damage_many};
///
/// assert_eq!(damage_many(7, &Defect::STRICT, 100).count(), 100);
/// assert_eq!(damage_many(7, &[], 100).count(), 0);
/// ```
pub fn damage_many(seed: u64, defects: &[Defect], count: usize) -> impl Iterator<Item = Damaged> {
    let mut random = Random::new(seed);
    (0..count).map_while(move |_| {
        let mut random = random.fork();
        // Most documents have places for most defects; tiny ones have few.
        (0..1_000).find_map(|_| {
            let early = document(&Shape::any(RootKind::Object, &mut random), &mut random);
            let mut plan = Vec::new();
            for _ in 0..random.between(1, 3) {
                plan.push((*random.pick(defects)?, *random.pick(&Site::ALL)?));
            }
            damage_with(&fitting(early, &plan, &mut random), &plan, &mut random)
        })
    })
}

/// `count` damaged documents with an object as their root: each holds one of `leads`, which take turns, and up to two of `companions`. Always the
/// same for the same seed.
///
/// With the same number of documents for every lead, a rare kind of damage is measured as well as a common one.
///
/// ```
/// use jsonseam_testkit::damage::{Defect, damage_each};
///
/// let first = damage_each(7, Defect::ALL, &Defect::STRICT, 1).next().expect("one document");
/// assert_eq!(first.defects[0], Defect::ALL[0]);
/// ```
pub fn damage_each(seed: u64, leads: &[Defect], companions: &[Defect], count: usize) -> impl Iterator<Item = Damaged> {
    damage_each_with(seed, leads, companions, 1..=3, count)
}

/// The same with as many defects in each document as the range says, the leading one counted.
///
/// ```
/// use jsonseam_testkit::damage::{Defect, damage_each_with};
///
/// let mut documents = damage_each_with(7, Defect::ALL, Defect::ALL, 3..=5, 20);
/// assert!(documents.all(|damaged| (3..=5).contains(&damaged.defects.len())));
/// ```
pub fn damage_each_with(
    seed: u64,
    leads: &[Defect],
    companions: &[Defect],
    defects: RangeInclusive<usize>,
    count: usize,
) -> impl Iterator<Item = Damaged> {
    let mut random = Random::new(seed);
    leads.iter().cycle().take(count).map_while(move |&lead| {
        let mut random = random.fork();
        (0..20_000).find_map(|_| {
            let early = document(&Shape::any(RootKind::Object, &mut random), &mut random);
            let mut plan = vec![(lead, *random.pick(&Site::ALL)?)];
            for _ in 1..random.between(*defects.start(), *defects.end()) {
                plan.extend(random.pick(companions).map(|&companion| (companion, Site::Any)));
            }
            damage_with(&fitting(early, &plan, &mut random), &plan, &mut random)
        })
    })
}

/// The document, or most of the time nested records in its place where the plan damages closers of such.
fn fitting(document: Document, plan: &[(Defect, Site)], random: &mut Random) -> Document {
    let Some(is_on_lines) = plan.iter().find_map(|(defect, _)| defect.is_on_lines()) else {
        return document;
    };
    if random.chance(1, 4) {
        return document;
    }
    let styles = if is_on_lines { [Style::PrettyTwo, Style::PrettyFour] } else { [Style::Spaced, Style::Minified] };
    records(*random.pick(&styles).unwrap_or(&Style::Spaced), random)
}

/// Valid JSON without the white space between its tokens; strings and numbers keep their spelling.
///
/// ```
/// use jsonseam_testkit::damage::compact;
///
/// assert_eq!(compact("{ \"a b\" : 1.0 }\n"), "{\"a b\":1.0}");
/// ```
pub fn compact(text: &str) -> String {
    let mut is_inside_string = false;
    let mut is_escaped = false;
    let keeps = |character: &char| {
        if !is_inside_string {
            is_inside_string = *character == '"';
            return !matches!(character, ' ' | '\t' | '\r' | '\n');
        }
        is_inside_string = is_escaped || *character != '"';
        is_escaped = *character == '\\' && !is_escaped;
        true
    };
    text.chars().filter(keeps).collect()
}

/// The units of a string's content: escapes and characters.
fn units(content: &str) -> impl Iterator<Item = &str> {
    let mut rest = content;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let len = match (first, rest.get(1..2)) {
            ('\\', Some("u")) => 6,
            ('\\', _) => 2,
            _ => first.len_utf8(),
        };
        let (unit, tail) = rest.split_at_checked(len).unwrap_or((rest, ""));
        rest = tail;
        Some(unit)
    })
}

/// The places that a defect of the payload can befall.
fn places(draft: &Draft, defect: Defect) -> Vec<usize> {
    (0..draft.pieces.len()).filter(|&index| is_place(draft, defect, index)).collect()
}

/// Whether the defect can befall the token.
fn is_place(draft: &Draft, defect: Defect, index: usize) -> bool {
    let is_one = match defect.room() {
        Room::Tail => return tail::is_place(draft, defect, index),
        Room::Between => between::is_place(draft, defect, index),
        Room::Spelling => spelling::is_place(draft, defect, index),
        Room::Quotes => quotes::is_place(draft, defect, index) && draft.is_calm(index),
        Room::Content => content::is_place(draft, defect, index) && draft.is_calm(index),
        Room::Structure => structure::is_place(draft, defect, index) && draft.is_calm(index),
        Room::Words => words::is_place(draft, defect, index) && draft.is_calm(index),
        Room::Closers => closers::is_place(draft, defect, index) && draft.is_calm(index),
        Room::Whole | Room::Around => false,
    };
    is_one && draft.has_container_root() && !draft.is_by_fragile(index)
}

fn apply(draft: &mut Draft, defect: Defect, index: usize, random: &mut Random) -> Option<()> {
    match defect.room() {
        Room::Tail => tail::apply(draft, defect, index, random),
        Room::Between => between::apply(draft, defect, index, random),
        Room::Spelling => spelling::apply(draft, defect, index, random),
        Room::Quotes => quotes::apply(draft, defect, index, random),
        Room::Content => content::apply(draft, defect, index, random),
        Room::Structure => structure::apply(draft, defect, index, random),
        Room::Words => words::apply(draft, defect, index, random),
        Room::Closers => closers::apply(draft, defect, index, random),
        Room::Whole | Room::Around => None,
    }
}

/// Does the defect to the draft at the site.
fn inflict(draft: &mut Draft, defect: Defect, site: Site, random: &mut Random) -> Option<()> {
    let depths = draft.depths();
    let is_nested = |index: &usize| depths.get(*index).is_some_and(|depth| *depth >= 2);
    if matches!(defect.room(), Room::Whole | Room::Around) {
        let mut all = 0..draft.pieces.len();
        let has_site = match site {
            Site::Nested => all.any(|index| is_nested(&index)),
            Site::Empty => all.any(|index| draft.is_empty_value(index)),
            _ => true,
        };
        return match defect.room() {
            _ if !has_site => None,
            Room::Whole => whole::apply(draft, defect, random),
            _ => around::apply(draft, defect, site, random),
        };
    }
    let mut found = places(draft, defect);
    match site {
        Site::First => found.truncate(1),
        Site::Last => found = found.split_off(found.len().saturating_sub(1)),
        Site::Nested => found.retain(is_nested),
        // A text cut after a bracket ends in a container that is empty from then on.
        Site::Empty => found.retain(|&index| {
            draft.is_by_empty(index)
                || defect == Defect::UnclosedContainer && draft.piece(index).is_some_and(|piece| piece.kind.opens())
        }),
        Site::Any => {}
    }
    let &index = random.pick(&found)?;
    apply(draft, defect, index, random)
}

/// The text and its truth, or `None` if the damage happens to be valid JSON.
fn finish(draft: &Draft, defects: Vec<Defect>) -> Option<Damaged> {
    let expects_edits = defects.iter().any(|defect| !defect.is_around());
    let text = draft.text();
    let is_valid = serde_json::from_str::<&serde_json::value::RawValue>(&text).is_ok();
    (!is_valid).then(|| Damaged { text, truth: draft.truth(), defects, truncated: draft.is_cut, expects_edits })
}
