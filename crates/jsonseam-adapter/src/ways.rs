//! What would make an answer fit that does not fit its schemas: found by trying.

use std::sync::Arc;

use jsonseam_core::Root;
use jsonseam_schema::{Cast, CastKind, Violation};

use crate::adapter::Adapter;
use crate::contract::Contract;
use crate::error::Error;
use crate::evidence;

/// The ways to an answer that fits, from [`Adapter::ways_to_fit`]. Holds names of casts and kinds of values, and no text of a completion.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ways {
    /// The casts that make this answer fit, beside those that are made already; `None` if no casts do.
    pub casts: Option<Vec<CastKind>>,
    /// The kinds of values that a schema wants as a whole, if the root admits none of them; else empty.
    pub kinds: Vec<String>,
    /// The root.
    pub root: Root,
}

impl Ways {
    /// A clause for each way, for a person.
    ///
    /// `setting` writes a setting and its values as the caller of this front does, as in `--coerce=to-string` or `coerce=["to-string"]`:
    /// it gets `coerce` with names of casts, or `root` with one root. `again` says how to ask for another answer.
    pub fn told(&self, setting: impl Fn(&str, &[&str]) -> String, again: &str) -> Vec<String> {
        let root = (!self.kinds.is_empty()).then(|| {
            let (own, any) = (setting("root", &[self.root.as_str()]), setting("root", &[Root::Any.as_str()]));
            let kinds = self.kinds.join(" or ");
            format!("the schema wants {kinds} as a whole, and {own} reads no such value: {any} does")
        });
        let fitting = match &self.casts {
            Some(casts) => {
                let names: Vec<_> = casts.iter().map(|kind| kind.name()).collect();
                format!("it fits when it is cast: {}", setting("coerce", &names))
            }
            None => format!("no cast makes it fit: change the schema if the answer is right, or {again}"),
        };
        root.into_iter().chain([fitting]).collect()
    }
}

impl Adapter {
    /// What would make `completion` fit, which this adapter refused with `error` because it does not fit its schemas; `None` for any other error.
    ///
    /// The casts were tried, so this takes as long as parsing.
    ///
    /// ```
    /// use jsonseam_adapter::{Adapter, CastKind};
    ///
    /// let adapter = Adapter::builder().schema("n", r#"{"type": "integer"}"#).build()?;
    /// let completion = r#"{"n": "12"}"#;
    /// let error = adapter.parse(completion).unwrap_err();
    /// let ways = adapter.ways_to_fit(&error, completion).ok_or(error)?;
    /// assert_eq!(ways.casts, Some(vec![CastKind::StringToNumber]));
    /// # Ok::<(), jsonseam_adapter::Error>(())
    /// ```
    pub fn ways_to_fit(&self, error: &Error, completion: &str) -> Option<Ways> {
        if error.violations().is_empty() {
            return None;
        }
        let root = self.pipeline.root();
        let kinds = error.violations().iter().find_map(|violation| unread(violation, root));
        Some(Ways { casts: self.fitting_casts(completion), kinds: kinds.unwrap_or_default(), root })
    }

    /// The casts that make the completion fit, beside those that are made already.
    fn fitting_casts(&self, completion: &str) -> Option<Vec<CastKind>> {
        let own = &self.contract;
        let all = CastKind::ALL.iter().filter(|kind| **kind != CastKind::Default);
        let casts = all.fold(own.casts, |casts, kind| casts.with(*kind));
        let evidence = evidence::of(&own.outputs, own.whole.as_ref(), casts, &own.aliases);
        let contract = Arc::new(Contract { casts, evidence, ..Contract::clone(own) });
        let outputs = Self { contract, ..self.clone() }.parse(completion).ok()?;
        let made = |kind: &CastKind| outputs.casts().iter().map(Cast::kind).any(|cast| cast == *kind);
        Some(CastKind::ALL.iter().copied().filter(|kind| !own.casts.has(*kind) && made(kind)).collect())
    }
}

/// The kinds that a schema wants as a whole, if the root admits none of them.
fn unread(violation: &Violation, root: Root) -> Option<Vec<String>> {
    if !violation.path().is_empty() || violation.keyword() != "type" {
        return None;
    }
    let wanted: Vec<&str> = violation
        .expected()
        .split(|char: char| !char.is_ascii_lowercase())
        .filter(|kind| !matches!(*kind, "" | "or"))
        .collect();
    let is_admitted = |kind: &&str| match root {
        Root::Any => true,
        Root::Object => *kind == "object",
        Root::Array => *kind == "array",
    };
    (!wanted.is_empty() && !wanted.iter().any(is_admitted)).then(|| wanted.into_iter().map(str::to_owned).collect())
}
