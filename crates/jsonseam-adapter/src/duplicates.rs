//! What is done with repeated keys.

use jsonseam_text::named;

named! {
    /// What is done with a key that the object holds more than once (SPEC K4).
    ///
    /// ```
    /// use jsonseam_adapter::{Adapter, Duplicates};
    ///
    /// let adapter = Adapter::builder().output("a").duplicates(Duplicates::Last).build()?;
    /// assert_eq!(adapter.parse("{\"a\": 1, \"a\": 2}")?.get::<u8>("a")?, 2);
    /// # Ok::<(), jsonseam_adapter::Error>(())
    /// ```
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Duplicates as "a policy for repeated keys" {
        /// The completion is refused with `duplicate_output_keys`.
        #[default]
        Refuse = "refuse",
        /// The last one counts, as most readers have it.
        Last = "last",
    }
}
