//! Findings about a part, reported as findings about the whole that it belongs to.

use std::sync::Arc;

use jsonseam_text::pointer::escaped;

use crate::check::Cast;
use crate::violation::{Declared, Segment, Violation};

impl Violation {
    /// The same violation, of the value that holds what was checked under the declared key `name`.
    ///
    /// ```
    /// use jsonseam_schema::{Failure, decode};
    ///
    /// let Err(Failure::Invalid(violations)) = decode::<Vec<u8>>("[1, 2000]") else { panic!() };
    /// assert_eq!(violations[0].clone().within("counts").path(), "/counts/1");
    /// ```
    #[must_use]
    pub fn within(mut self, name: &str) -> Self {
        self.segments.insert(0, Segment::Key(name.into()));
        if !self.declared.contains(name) {
            Arc::make_mut(&mut self.declared).insert(name.into());
        }
        self
    }

    /// All violations of one value, as [`Violation::within`] gives each: the names that its schema declares are copied once.
    #[must_use]
    pub fn all_within(mut violations: Vec<Self>, name: &str) -> Vec<Self> {
        let mut last: Option<(Declared, Declared)> = None;
        for violation in &mut violations {
            violation.segments.insert(0, Segment::Key(name.into()));
            if violation.declared.contains(name) {
                continue;
            }
            let known = last.take().filter(|(own, _)| Arc::ptr_eq(own, &violation.declared));
            let (own, extended) = known.unwrap_or_else(|| {
                let mut extended = violation.declared.clone();
                Arc::make_mut(&mut extended).insert(name.into());
                (violation.declared.clone(), extended)
            });
            violation.declared = extended.clone();
            last = Some((own, extended));
        }
        violations
    }

    /// All violations of one item, with the way to it: the member that is the array, if it is one, and the place of the item.
    pub(crate) fn all_of_item(mut violations: Vec<Self>, name: Option<&str>, index: usize) -> Vec<Self> {
        for violation in &mut violations {
            violation.segments.insert(0, Segment::Index(index));
        }
        match name {
            Some(name) => Self::all_within(violations, name),
            None => violations,
        }
    }

    /// The first key on the way to what does not fit, which may be the model's text; `None` for the root and within arrays.
    pub fn first_key(&self) -> Option<&str> {
        match self.segments.first() {
            Some(Segment::Key(name)) => Some(name),
            _ => None,
        }
    }
}

impl Cast {
    /// The same cast, of the value that holds what was checked under the declared key `name`.
    #[must_use]
    pub fn within(mut self, name: &str) -> Self {
        let prefix = format!("/{}", escaped(name));
        self.path.insert_str(0, &prefix);
        self.shown.insert_str(0, &prefix);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Casts, Failure, Schema};

    #[test]
    fn v3_the_violations_of_a_field_share_one_set_of_names() {
        let schema = Schema::compile(r#"{"items": {"properties": {"a": {"type": "string"}}}}"#).expect("a schema");
        let Err(Failure::Invalid(violations)) = schema.check(r#"[{"a": 1}, {"a": 2}, {"a": 3}]"#, &Casts::NONE) else {
            panic!("it does not fit");
        };
        let one_by_one: Vec<_> = violations.iter().cloned().map(|violation| violation.within("list")).collect();
        let together = Violation::all_within(violations, "list");
        assert_eq!(together, one_by_one);
        assert_eq!(together[2].shown_path(), "/list/2/a");
        assert!(together.iter().all(|violation| Arc::ptr_eq(&violation.declared, &together[0].declared)));
    }
}
