//! What a contract tells the engine and the rules, place by place: the keys that it allows, and what fits there.
//!
//! Evidence changes no verdict; it helps to choose between two readings. So what is not simple is left out or left open,
//! and what a cast of the contract makes fit is what fits.

use jsonseam_core::{Evidence, Kind, Shape, Step};
use jsonseam_schema::{CastKind, Casts, Outline, Schema};

use crate::contract::Output;

/// The evidence of a contract.
pub(crate) fn of(
    outputs: &[Output],
    whole: Option<&Schema>,
    casts: Casts,
    aliases: &[(Box<str>, Box<str>)],
) -> Evidence {
    let keys_may_differ = casts.has(CastKind::KeyCase) || !aliases.is_empty();
    let mut told = Told { evidence: Evidence::new(), casts, keys_may_differ };
    if let Some(schema) = whole {
        // The declared outputs decide on the keys of the root; the schema still decides on those below.
        told.tell(&schema.outline(), &mut Vec::new(), !outputs.is_empty());
    }
    if !outputs.is_empty() {
        let names = outputs.iter().map(|output| &*output.name).chain(aliases.iter().map(|(alias, _)| &**alias));
        let required = outputs.iter().filter(|output| !output.is_optional).map(|output| &*output.name);
        let shape = Shape::new().with_kinds([Kind::Object]);
        let shape = if told.keys_may_differ { shape } else { shape.with_required(required) };
        told.evidence = told.evidence.closed(&[], names).shaped(&[], shape);
    }
    for output in outputs {
        if let Some(schema) = &output.schema {
            told.tell(&schema.outline(), &mut vec![Step::Key(&output.name)], false);
        }
    }
    told.evidence
}

struct Told {
    evidence: Evidence,
    casts: Casts,
    /// Whether a declared key may come under another name.
    keys_may_differ: bool,
}

impl Told {
    /// Tells what fits at `path` and below it.
    fn tell<'o>(&mut self, outline: &'o Outline, path: &mut Vec<Step<'o>>, are_keys_known: bool) {
        let names = outline.keys.keys().map(|key| &**key);
        let rest = outline.rest.as_deref();
        let evidence = std::mem::take(&mut self.evidence);
        self.evidence = match rest {
            _ if are_keys_known => evidence,
            Some(rest) if rest.is_never() && !self.casts.has(CastKind::KeyCase) => evidence.closed(path, names),
            _ if outline.keys.is_empty() => evidence,
            _ => evidence.open(path, names),
        };
        if let Some(shape) = self.shape(outline) {
            self.evidence = std::mem::take(&mut self.evidence).shaped(path, shape);
        }
        let keys = outline.keys.iter().map(|(key, below)| (Step::Key(key), below));
        let rest = rest.filter(|rest| !rest.is_never()).map(|below| (Step::AnyKey, below));
        let item = outline.item.as_deref().map(|below| (Step::Item, below));
        for (step, below) in keys.chain(rest).chain(item) {
            path.push(step);
            self.tell(below, path, false);
            path.pop();
        }
    }

    /// What fits, or is made to fit by a cast; `None` if that is anything.
    fn shape(&self, outline: &Outline) -> Option<Shape> {
        let has = |casts: &[CastKind]| casts.iter().any(|&cast| self.casts.has(cast));
        let mut kinds: Vec<Kind> =
            KINDS.into_iter().filter(|(name, _)| outline.has(name)).map(|(_, kind)| kind).collect();
        let fits = |kind: Kind| kinds.contains(&kind);
        let reads_string = fits(Kind::Number) && has(&OF_NUMBERS)
            || fits(Kind::Boolean) && has(&[CastKind::StringToBoolean, CastKind::YesNo])
            || fits(Kind::Null) && has(&[CastKind::NullSpelling])
            || (fits(Kind::Array) || fits(Kind::Object)) && has(&[CastKind::StringToJson]);
        let reads_scalar = fits(Kind::String) && has(&[CastKind::ToString]);
        let takes_any = fits(Kind::Array) && has(&[CastKind::ToList]);
        let casts_words = reads_string || has(&[CastKind::EnumCase, CastKind::Trim]);
        kinds.extend(Some(Kind::String).filter(|_| reads_string));
        kinds.extend([Kind::Number, Kind::Boolean].into_iter().filter(|_| reads_scalar));
        kinds.extend(Some(Kind::Array).filter(|_| has(&[CastKind::FromList])));
        let mut shape = Shape::new();
        if !takes_any && KINDS.iter().any(|(_, kind)| !kinds.contains(kind)) {
            shape = shape.with_kinds(kinds);
        }
        if let Some(words) = outline.words.as_ref().filter(|_| !casts_words) {
            shape = shape.with_words(words.iter().map(|word| &**word));
        }
        if !self.keys_may_differ {
            // A key whose absence a default makes good is not missed.
            let is_filled = |key: &str| outline.keys.get(key).is_some_and(|below| below.default.is_some());
            let fills = has(&[CastKind::Default]);
            let required = outline.required.iter().map(|key| &**key);
            shape = shape.with_required(required.filter(|key| !(fills && is_filled(key))));
        }
        if let Some(default) = &outline.default {
            shape = shape.with_default(default.to_string());
        }
        Some(shape).filter(|shape| *shape != Shape::new())
    }
}

const KINDS: [(&str, Kind); 6] = [
    ("null", Kind::Null),
    ("boolean", Kind::Boolean),
    ("number", Kind::Number),
    ("string", Kind::String),
    ("array", Kind::Array),
    ("object", Kind::Object),
];

/// The casts that make a number of a string.
const OF_NUMBERS: [CastKind; 4] =
    [CastKind::StringToNumber, CastKind::NumberFormat, CastKind::Currency, CastKind::Percent];
