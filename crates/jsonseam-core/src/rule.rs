//! The interfaces of a rule, and how one is declared.
//!
//! A rule is a type that implements [`RepairRule`] or [`LocateRule`] and is declared with [`rule!`](crate::rule!).
//! The declaration chooses the trait: a rule that declares one and implements the other does not compile.
//! It is plain data ([`Registration`]): name, role, its documentation, its cases, its options.
//! Declaring a rule makes it known; only configuration turns it on.

use std::fmt;

use crate::dispatch::Dispatch;
use crate::edit::Edits;
use crate::expected::Expected;
use crate::fault::Fault;
use crate::locate::{Candidates, Landmarks, Region};
use crate::option::{OptionInfo, OptionProblem, OptionValue};
use crate::proposals::Proposals;
use crate::reach::Reach;
use crate::review::{ReadPayload, Review};
use crate::risk::Risk;

/// A repair rule: one defect, one answer.
///
/// A rule holds only its options; it has no memory between calls, so the same fault always gets the same answer.
/// It is asked only where the recogniser has stopped: text that is valid JSON never reaches a rule.
pub trait RepairRule: Send + Sync + 'static {
    /// The edit that repairs this fault, or `None` to leave it to other rules.
    ///
    /// For a rule of risk `certain` or `likely` it is the sole answer: such a rule reads its own token and the next one, and knows.
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let _ = fault;
        None
    }

    /// All answers to this fault, those that compete with others included. By default the one of [`repair`](Self::repair).
    fn propose(&self, fault: &Fault<'_>, to: &mut Proposals) {
        if let Some(edits) = self.repair(fault) {
            to.sole(edits);
        }
    }

    /// Why the rule leaves a fault alone that looks like one of its own: a sentence for people, without text of the payload.
    /// Asked only by who asks what would have helped, of a fault that no rule answers (SPEC P6).
    fn why_not(&self, fault: &Fault<'_>) -> Option<&'static str> {
        let _ = fault;
        None
    }

    /// What the rule says of the payload when it was read to its end: some defects show only then (SPEC R7).
    /// Asked if the rule answers faults of strings and a backslash was edited.
    fn review(&self, payload: &ReadPayload<'_>) -> Option<Review> {
        let _ = payload;
        None
    }
}

/// A locator: where in a completion the payload could be (fences, prose, wrappers).
///
/// A locator holds only its options, like a repair rule.
/// It is asked only if the completion is not valid JSON of the wanted root as a whole.
pub trait LocateRule: Send + Sync + 'static {
    /// Adds the places in `region` to `found`, the preferred one first; adds nothing to leave the region to the next locator.
    fn locate(&self, region: &Region<'_>, found: &mut Candidates);
}

/// What a locator finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Locates {
    /// Parts of the completion that may hold a payload (a fenced block). Makes no edit.
    Regions,
    /// Payloads in a region (from the first `{` on). Makes no edit.
    Payloads,
    /// Payloads that can be read only after edits of its own (escaped text). It is asked before other payload locators.
    EditedPayloads {
        /// The risk of these edits.
        risk: Risk,
    },
}

impl Locates {
    /// The risk of the locator's edits; `None` if it makes none.
    pub const fn risk(self) -> Option<Risk> {
        match self {
            Self::EditedPayloads { risk } => Some(risk),
            Self::Regions | Self::Payloads => None,
        }
    }
}

/// What a rule does, when it is asked, and the rule itself: how it is built, or as it is built.
#[derive(Clone, Copy)]
pub enum Role<L = Build<dyn LocateRule>, R = Build<dyn RepairRule>> {
    /// Finds payloads.
    Locate {
        /// What the locator finds.
        locates: Locates,
        /// What it looks for: it is not asked about a region without that.
        landmarks: Landmarks,
        /// The locator.
        rule: L,
    },
    /// Repairs faults.
    Repair {
        /// The risk of every edit of the rule (SPEC B1: one rule, one risk).
        risk: Risk,
        /// The faults the rule is asked about.
        answers: &'static [Expected],
        /// Which of these faults the rule can answer, by what comes next and before.
        dispatch: Dispatch,
        /// How far back its edits may start.
        reach: Reach,
        /// The rule.
        rule: R,
    },
}

impl<L, R> Role<L, R> {
    /// The risk of the rule's edits; `None` for locators that make none.
    pub const fn risk(&self) -> Option<Risk> {
        match self {
            Self::Locate { locates, .. } => locates.risk(),
            Self::Repair { risk, .. } => Some(*risk),
        }
    }
}

impl<L, R> fmt::Debug for Role<L, R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Locate { locates, .. } => {
                formatter.debug_struct("Locate").field("locates", locates).finish_non_exhaustive()
            }
            Self::Repair { risk, answers, .. } => {
                formatter.debug_struct("Repair").field("risk", risk).field("answers", answers).finish_non_exhaustive()
            }
        }
    }
}

/// A function that builds a rule with its defaults, then sets the given options one by one.
pub type Build<R> = fn(&[(&str, &OptionValue)]) -> Result<Box<R>, OptionProblem>;

/// Everything there is to know about a rule before it runs. Made by [`rule!`](crate::rule!).
#[derive(Debug)]
#[non_exhaustive]
pub struct Registration {
    /// The rule's name: kebab-case, and with a prefix and a slash for rules outside jsonseam (`acme/fat-arrow`).
    pub name: &'static str,
    /// What the rule does, and the function that builds it.
    pub role: Role,
    /// The documentation in Markdown: a first line, then *What*, *Why*, *Example*, *Limits*. Empty without the feature `docs`.
    pub doc: &'static str,
    /// The rule's cases, in the TOML format of `jsonseam-testkit`; empty without the feature `cases`.
    pub cases: &'static str,
    /// The options the rule has, in the order of declaration.
    pub options: &'static [OptionInfo],
    /// The name of the Rust type, for the law that compares names.
    pub type_name: &'static str,
    /// The source file, for the same law.
    pub file: &'static str,
    /// The package that declares the rule: outside `jsonseam-rules`, the name must carry a prefix (SPEC B1).
    pub package: &'static str,
}

impl Registration {
    /// A rule without documentation, cases and options, with the type, the source file and the package that declare it.
    pub const fn new(
        name: &'static str,
        role: Role,
        type_name: &'static str,
        file: &'static str,
        package: &'static str,
    ) -> Self {
        Self { name, role, doc: "", cases: "", options: &[], type_name, file, package }
    }

    /// The same with this documentation.
    #[must_use]
    pub const fn with_doc(self, doc: &'static str) -> Self {
        Self { doc, ..self }
    }

    /// The same with these cases.
    #[must_use]
    pub const fn with_cases(self, cases: &'static str) -> Self {
        Self { cases, ..self }
    }

    /// The same with these options.
    #[must_use]
    pub const fn with_options(self, options: &'static [OptionInfo]) -> Self {
        Self { options, ..self }
    }

    /// The risk of the rule's edits; `None` for locators that make none.
    pub const fn risk(&self) -> Option<Risk> {
        self.role.risk()
    }

    /// The first line of the documentation: what the rule does, in one sentence.
    pub fn summary(&self) -> &'static str {
        self.doc.trim_start().lines().next().unwrap_or_default().trim()
    }

    /// Whether the rule comes from outside jsonseam: its name carries a prefix.
    pub fn is_foreign(&self) -> bool {
        self.name.contains('/')
    }
}

/// A rule that announced itself to the linker. Collected by [`Catalogue::discovered`](crate::Catalogue::discovered).
#[cfg(feature = "discovery")]
#[derive(Debug)]
pub struct Discovered(pub &'static Registration);

#[cfg(feature = "discovery")]
inventory::collect!(Discovered);

/// Announces a rule to the linker, for [`rule!`](crate::rule!).
#[cfg(feature = "discovery")]
#[doc(hidden)]
#[macro_export]
macro_rules! rule_announced {
    ($type:ident) => {
        $crate::inventory::submit!($crate::Discovered($type::REGISTRATION));
    };
}

/// Nothing: this build discovers no rules.
#[cfg(not(feature = "discovery"))]
#[doc(hidden)]
#[macro_export]
macro_rules! rule_announced {
    ($type:ident) => {};
}

/// The text of the file of cases of this rule, which may say where it is, for [`rule!`](crate::rule!).
#[cfg(feature = "cases")]
#[doc(hidden)]
#[macro_export]
macro_rules! rule_cases {
    ($name:literal) => {
        ::core::include_str!(::core::concat!($name, ".toml"))
    };
    ($name:literal $path:literal) => {
        ::core::include_str!($path)
    };
}

/// Nothing: this build leaves the cases out.
#[cfg(not(feature = "cases"))]
#[doc(hidden)]
#[macro_export]
macro_rules! rule_cases {
    ($name:literal $($path:literal)?) => {
        ""
    };
}

/// The documentation of a rule or an option, for [`rule!`](crate::rule!).
#[cfg(feature = "docs")]
#[doc(hidden)]
#[macro_export]
macro_rules! rule_docs {
    ($($line:literal)*) => {
        ::core::concat!($($line, "\n"),*)
    };
}

/// Nothing: this build leaves the documentation out.
#[cfg(not(feature = "docs"))]
#[doc(hidden)]
#[macro_export]
macro_rules! rule_docs {
    ($($line:literal)*) => {
        ""
    };
}

/// Declares a rule: its type, its options and its [`Registration`].
///
/// The documentation comment is the text of `jsonseam explain` and of the rule catalogue too.
/// `cases` is a path relative to the file that holds the declaration; without it, the cases of a rule
/// whose name has no prefix are in the file beside that which has its name, with the ending `toml`.
///
/// ```
/// use jsonseam_core::{Edits, Expected, Fault, RepairRule, rule};
///
/// rule! {
///     /// Reads `=>` as a colon.
///     ///
///     /// # What
///     /// The fault is `=>` after a key.
///     /// # Why
///     /// Models trained on Ruby and PHP write hashes.
///     /// # Example
///     /// `{"a" => 1}` becomes `{"a" : 1}`.
///     /// # Limits
///     /// None.
///     pub struct FatArrow {
///         name: "acme/fat-arrow",
///         risk: Likely,
///         answers: [Colon],
///         cases: "../tests/fat_arrow.toml",
///     }
/// }
///
/// impl RepairRule for FatArrow {
///     fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
///         fault.ahead().starts_with("=>").then(|| fault.replace_ahead(2, ":"))
///     }
/// }
///
/// assert_eq!(FatArrow::REGISTRATION.name, "acme/fat-arrow");
/// ```
///
/// A locator implements [`LocateRule`](crate::LocateRule).
/// It has `locates: Regions` or `locates: Payloads` in place of `risk` and `answers`;
/// one that edits what it finds has `locates: Payloads` in place of `answers` alone:
///
/// ```
/// use jsonseam_core::{Candidates, LocateRule, Region, rule};
///
/// rule! {
///     /// Reads what follows the last `ANSWER:`.
///     ///
///     /// # What
///     /// The completion holds `ANSWER:`.
///     /// # Why
///     /// The prompt asks for it.
///     /// # Example
///     /// `{x} ANSWER: {"a": 1}` gives `{"a": 1}`.
///     /// # Limits
///     /// None.
///     pub struct AnswerMark {
///         name: "acme/answer-mark",
///         locates: Regions,
///         cases: "../tests/fat_arrow.toml",
///     }
/// }
///
/// impl LocateRule for AnswerMark {
///     fn locate(&self, region: &Region<'_>, found: &mut Candidates) {
///         if let Some(mark) = region.find("ANSWER:", region.span().start) {
///             found.push(mark + "ANSWER:".len()..region.span().end);
///         }
///     }
/// }
/// ```
///
/// A rule that implements the other trait than the one it declares does not compile:
///
/// ```compile_fail
/// # use jsonseam_core::{Edits, Fault, RepairRule, rule};
/// rule! {
///     /// Never asked.
///     pub struct Mistaken {
///         name: "acme/mistaken",
///         locates: Regions,
///         cases: "../tests/fat_arrow.toml",
///     }
/// }
///
/// impl RepairRule for Mistaken {
///     fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
///         None
///     }
/// }
/// ```
///
/// After `answers` a rule may say more of the faults that it can answer; it is not asked about any other:
/// `next: ["+-", Digit, NonAscii, End]` names what comes next (characters, or `Digit`, `Letter`, `Control`, `NonAscii` and `End`, the region's end),
/// and `previous: [Comma, Nothing]` the token before (a [`TokenKind`](crate::TokenKind), or `Nothing` at the payload's start).
///
/// `reaches: [Tokens(1), StringTail]` says how far back the edits of the rule may start ([`Reach`](crate::Reach)): `Fault`, `LastComma`,
/// `LastQuote`, `Tokens(n)`, `TokensAfterMark(n)`, `StringTail`, `OpenString`, `Suspects`, `Cut`, `Escapes`. A stream holds back no more than that; a rule that
/// says nothing may reach four tokens and into the open string.
///
/// A locator may say after `locates`, in this order, what it looks for in a region ([`Landmarks`](crate::Landmarks)); it is not asked about any other:
/// `starts: "<"`, `ends: ">"`, `never_starts: "{["`, `holds: ["<answer>"]`, `first_keys: &["type"]`; and
/// `usual: Nothing`, what it does with a usual completion ([`Usual`](crate::Usual)): as long as one locator does not say it, all are asked about every one.
///
/// A rule without options may name a function, or be a closure, in place of the implementation of its trait: `repair: |fault| fault.remove_previous()`,
/// `propose` or `locate`, the last line of the declaration. So a family of rules is a table: several declarations in one `rule!`, and what they share below.
///
/// Options are fields with a default, of a type that implements [`RuleOption`](crate::RuleOption):
///
/// ```text
///     options: {
///         /// Longest arrow that is read, in characters.
///         longest: usize = 2,
///     },
/// ```
#[macro_export]
macro_rules! rule {
    ($($(#[doc = $doc:literal])* $visibility:vis struct $type:ident { $($facts:tt)+ })+) => {
        $($crate::rule! { @one $(#[doc = $doc])* $visibility struct $type { $($facts)+ } })+
    };
    (
        @one
        $(#[doc = $doc:literal])*
        $visibility:vis struct $type:ident {
            name: $name:literal,
            risk: $risk:ident,
            answers: [$($answer:ident),+ $(,)?],
            $(next: [$($next:tt),+ $(,)?],)?
            $(previous: [$($previous:ident),+ $(,)?],)?
            $(reaches: [$($reach:ident $(($($argument:literal),+))?),+ $(,)?],)?
            $(cases: $cases:literal $(,)?)?
            $(options: { $($(#[doc = $option_doc:literal])* $option:ident : $option_type:ty = $default:expr),+ $(,)? } $(,)?)?
            $(repair: $repair:expr,)?
            $(propose: $propose:expr,)?
        }
    ) => {
        $crate::rule! {
            @declare
            [$($doc)*] $visibility $type $name ($($cases)?)
            (RepairRule Repair {
                risk: $crate::Risk::$risk,
                answers: &[$($crate::Expected::$answer),+],
                dispatch: $crate::Dispatch::ANY
                    $(.after($crate::PreviousSet::NONE$(.or($crate::rule!(@previous $previous)))+))?
                    $(.before($crate::NextSet::NONE$(.or($crate::rule!(@next $next)))+))?,
                reach: $crate::rule!(@reach $($($reach $(($($argument),+))?),+)?)
            })
            $($([$($option_doc)*] $option ($option_type) ($default))+)?
        }
        $(impl $crate::RepairRule for $type {
            fn repair(&self, fault: &$crate::Fault<'_>) -> ::core::option::Option<$crate::Edits> {
                ($repair as fn(&$crate::Fault<'_>) -> ::core::option::Option<$crate::Edits>)(fault)
            }
        })?
        $(impl $crate::RepairRule for $type {
            fn propose(&self, fault: &$crate::Fault<'_>, to: &mut $crate::Proposals) {
                ($propose as fn(&$crate::Fault<'_>, &mut $crate::Proposals))(fault, to);
            }
        })?
    };
    (
        @one
        $(#[doc = $doc:literal])*
        $visibility:vis struct $type:ident {
            name: $name:literal,
            $(risk: $risk:ident,)?
            locates: $what:ident,
            $(starts: $starts:literal,)?
            $(ends: $ends:literal,)?
            $(never_starts: $never_starts:literal,)?
            $(holds: [$($holds:literal),+ $(,)?],)?
            $(first_keys: $first_keys:expr,)?
            $(usual: $usual:ident,)?
            $(cases: $cases:literal $(,)?)?
            $(options: { $($(#[doc = $option_doc:literal])* $option:ident : $option_type:ty = $default:expr),+ $(,)? } $(,)?)?
            $(locate: $locate:expr,)?
        }
    ) => {
        $crate::rule! {
            @declare
            [$($doc)*] $visibility $type $name ($($cases)?)
            (LocateRule Locate {
                locates: $crate::rule!(@locates $what $($risk)?),
                landmarks: $crate::Landmarks {
                    $(starts: $starts,)?
                    $(ends: $ends,)?
                    $(never_starts: $never_starts,)?
                    $(holds: &[$($holds),+],)?
                    $(first_keys: $first_keys,)?
                    $(usual: $crate::Usual::$usual,)?
                    ..$crate::Landmarks::ANY
                }
            })
            $($([$($option_doc)*] $option ($option_type) ($default))+)?
        }
        $(impl $crate::LocateRule for $type {
            fn locate(&self, region: &$crate::Region<'_>, found: &mut $crate::Candidates) {
                ($locate as fn(&$crate::Region<'_>, &mut $crate::Candidates))(region, found);
            }
        })?
    };
    (@locates Payloads $risk:ident) => { $crate::Locates::EditedPayloads { risk: $crate::Risk::$risk } };
    (@locates $what:ident) => { $crate::Locates::$what };
    (@reach) => { $crate::Reach::UNDECLARED };
    (@reach $($reach:ident $(($($argument:literal),+))?),+) => {
        $crate::Reach::FAULT$(.or($crate::rule!(@reaches $reach $(($($argument),+))?)))+
    };
    (@reaches Fault) => { $crate::Reach::FAULT };
    (@reaches StringTail) => { $crate::Reach::STRING_TAIL };
    (@reaches OpenString) => { $crate::Reach::OPEN_STRING };
    (@reaches Suspects) => { $crate::Reach::SUSPECTS };
    (@reaches Cut) => { $crate::Reach::CUT };
    (@reaches Escapes) => { $crate::Reach::ESCAPES };
    (@reaches LastComma) => { $crate::Reach::LAST_COMMA };
    (@reaches LastQuote) => { $crate::Reach::LAST_QUOTE };
    (@reaches Tokens($count:literal)) => { $crate::Reach::tokens($count) };
    (@reaches TokensAfterMark($count:literal)) => { $crate::Reach::tokens_after_mark($count) };
    (@next Digit) => { $crate::NextSet::DIGIT };
    (@next Letter) => { $crate::NextSet::LETTER };
    (@next Control) => { $crate::NextSet::CONTROL };
    (@next NonAscii) => { $crate::NextSet::NON_ASCII };
    (@next End) => { $crate::NextSet::END };
    (@next $chars:literal) => { $crate::NextSet::of($chars) };
    (@previous Nothing) => { $crate::PreviousSet::NOTHING };
    (@previous $kind:ident) => { $crate::PreviousSet::of($crate::TokenKind::$kind) };
    (
        @declare
        [$($doc:literal)*] $visibility:vis $type:ident $name:literal ($($cases:literal)?)
        ($trait:ident $role:ident { $($fact:ident : $value:expr),+ })
        $([$($option_doc:literal)*] $option:ident ($option_type:ty) ($default:expr))*
    ) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone)]
        #[non_exhaustive]
        $visibility struct $type {
            $($(#[doc = $option_doc])* pub $option: $option_type,)*
        }

        impl ::core::default::Default for $type {
            fn default() -> Self {
                Self { $($option: $default),* }
            }
        }

        impl $type {
            /// The declaration of this rule, as data.
            pub const REGISTRATION: &'static $crate::Registration = {
                static REGISTRATION: $crate::Registration = $crate::Registration::new(
                    $name,
                    $crate::Role::$role { $($fact: $value,)+ rule: $type::build_with },
                    ::core::stringify!($type),
                    ::core::file!(),
                    ::core::env!("CARGO_PKG_NAME"),
                )
                .with_doc($crate::rule_docs!($($doc)*))
                .with_cases($crate::rule_cases!($name $($cases)?))
                .with_options(&[$($crate::OptionInfo::new(
                    ::core::stringify!($option),
                    $crate::rule_docs!($($option_doc)*),
                    <$option_type as $crate::RuleOption>::KIND,
                    || $crate::RuleOption::show(&<$type as ::core::default::Default>::default().$option),
                )),*]);
                &REGISTRATION
            };

            #[allow(unused_mut, unused_variables, reason = "a rule without options changes nothing here")]
            fn build_with(
                options: &[(&str, &$crate::OptionValue)],
            ) -> ::core::result::Result<::std::boxed::Box<dyn $crate::$trait>, $crate::OptionProblem> {
                let mut rule = <Self as ::core::default::Default>::default();
                for &(name, value) in options {
                    $(if $crate::OptionInfo::is_named(::core::stringify!($option), name) {
                        rule.$option = $crate::RuleOption::read(value)
                            .map_err(|expected| $crate::OptionProblem::wrong(name, expected))?;
                        continue;
                    })*
                    return ::core::result::Result::Err($crate::OptionProblem::unknown(name));
                }
                ::core::result::Result::Ok(::std::boxed::Box::new(rule))
            }
        }

        impl ::core::convert::From<$type> for $crate::RuleEntry {
            fn from(rule: $type) -> Self {
                let rule = $crate::AnyRule::$role { $($fact: $value,)+ rule: ::std::sync::Arc::new(rule) };
                $crate::RuleEntry::new($name, rule)
            }
        }

        $crate::rule_announced!($type);
    };
}
