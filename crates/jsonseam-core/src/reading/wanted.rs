//! What is wanted of a completion: which kind of root, and which of several payloads.

use jsonseam_text::named;

named! {
    /// What the root of a payload may be (SPEC P3).
    ///
    /// ```
    /// use jsonseam_core::Root;
    ///
    /// assert_eq!("array".parse(), Ok(Root::Array));
    /// assert_eq!(Root::default().to_string(), "object");
    /// ```
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    pub enum Root as "a root" {
        /// An object only.
        #[default]
        Object = "object",
        /// An array only.
        Array = "array",
        /// Any value; a scalar only if it is the whole region.
        Any = "any",
    }
}

impl Root {
    /// Whether this byte opens an object or array that may be the root.
    ///
    /// ```
    /// use jsonseam_core::Root;
    ///
    /// assert!(Root::Array.opens(b'[') && !Root::Object.opens(b'['));
    /// ```
    pub const fn opens(self, byte: u8) -> bool {
        match self {
            Self::Object => byte == b'{',
            Self::Array => byte == b'[',
            Self::Any => matches!(byte, b'{' | b'['),
        }
    }

    /// Where in `text` the first such byte is.
    pub(crate) fn opener_in(self, text: &[u8]) -> Option<usize> {
        match self {
            Self::Object => memchr::memchr(b'{', text),
            Self::Array => memchr::memchr(b'[', text),
            Self::Any => memchr::memchr2(b'{', b'[', text),
        }
    }
}

named! {
    /// Which of several payloads is taken (SPEC B4).
    ///
    /// ```
    /// use jsonseam_core::Policy;
    ///
    /// assert_eq!("only".parse(), Ok(Policy::Only));
    /// assert_eq!(Policy::default().to_string(), "first");
    /// ```
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Policy as "a policy for candidates" {
        /// The first one.
        #[default]
        First = "first",
        /// The one there is; several are refused.
        Only = "only",
        /// The last one.
        Last = "last",
        /// The one that fits the contract, then without an edit above `likely`, then the latest, then of least cost. The default of a contract.
        Best = "best",
    }
}
