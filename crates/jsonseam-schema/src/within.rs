//! Findings about a part, told as findings about the whole that it belongs to.

use std::sync::Arc;

use crate::check::Cast;
use crate::violation::{Segment, Violation, escaped};

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
