//! How sure a repair is: the four levels of SPEC B1.

use jsonseam_text::named;

named! {
    /// How sure the edits of a rule are (SPEC B1), from the surest to the least sure.
    ///
    /// The order is meaningful: a cap such as `max-risk = "likely"` admits every level up to it.
    ///
    /// ```
    /// use jsonseam_core::Risk;
    ///
    /// assert!(Risk::Certain < Risk::Lossy);
    /// assert_eq!("likely".parse(), Ok(Risk::Likely));
    /// ```
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Risk as "a level of risk" {
        /// A published superset grammar (JSON5, JSONC, JavaScript, Python literals) reads the text, and all that do agree.
        Certain = "certain",
        /// Only punctuation is inserted, removed or re-spelled: every character of keys and values survives.
        Likely = "likely",
        /// The end of a string or the nesting is chosen among several.
        Guess = "guess",
        /// A character of a key or value is dropped or changed, or a value invented.
        Lossy = "lossy",
    }
}
