//! The interface of a repair rule, and how one is declared.
//!
//! A rule is a type that implements [`RepairRule`] and is declared with [`rule!`](crate::rule!).
//! The declaration is plain data ([`Registration`]): name, risk, the faults it answers, its documentation, its cases, its options.
//! Declaring a rule makes it known; only configuration turns it on.

use crate::edit::Edits;
use crate::fault::{Expected, Fault};
use crate::locate::{Candidates, Region};
use crate::option::{OptionInfo, OptionProblem, OptionValue};
use crate::risk::Risk;

/// A repair rule: one defect, one answer.
///
/// A rule holds only its options; it has no memory between calls, so the same fault always gets the same answer.
/// It is asked only where the recogniser has stopped: text that is valid JSON never reaches a rule.
pub trait RepairRule: Send + Sync + 'static {
    /// Where in a completion the payload could lie (fences, prose, wrappers).
    ///
    /// Only locators implement this; the default finds nothing.
    fn locate(&self, region: &Region<'_>, found: &mut Candidates) {
        let _ = (region, found);
    }

    /// The edit that mends this fault, or `None` to leave it to the next rule.
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let _ = fault;
        None
    }
}

/// What a rule does, and when it is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Narrows the completion to regions that may hold a payload (a fenced block). Makes no edit.
    RegionLocator,
    /// Finds payloads in a region (from the first `{` on). Makes no edit.
    PayloadLocator,
    /// Finds payloads that can be read only after edits of its own (escaped text), and is asked before other payload locators.
    EditingLocator {
        /// The risk of these edits.
        risk: Risk,
    },
    /// Mends faults.
    Repair {
        /// The risk of every edit of the rule (SPEC B1: one rule, one risk).
        risk: Risk,
        /// The faults the rule is asked about.
        answers: &'static [Expected],
    },
}

/// A function that builds a rule from options; those not given keep their defaults.
pub type Build = fn(&[(&str, &OptionValue)]) -> Result<Box<dyn RepairRule>, OptionProblem>;

/// Everything there is to know about a rule before it runs. Made by [`rule!`](crate::rule!).
#[derive(Debug)]
pub struct Registration {
    /// The rule's name: kebab-case, and with a prefix and a slash for rules outside jsonseam (`acme/fat-arrow`).
    pub name: &'static str,
    /// What the rule does.
    pub role: Role,
    /// The documentation in Markdown: a first line, then *What*, *Why*, *Example*, *Limits*.
    pub doc: &'static str,
    /// The rule's cases, in the TOML format of `jsonseam-testkit`.
    pub cases: &'static str,
    /// The options the rule has, in the order of declaration.
    pub options: &'static [OptionInfo],
    /// The name of the Rust type, for the law that compares names.
    pub type_name: &'static str,
    /// The source file, for the same law.
    pub file: &'static str,
    /// The package that declares the rule: outside `jsonseam-rules`, the name must carry a prefix (SPEC B1).
    pub package: &'static str,
    /// Builds the rule with its defaults, then sets the given options one by one.
    pub build: Build,
}

impl Registration {
    /// The risk of the rule's edits; `None` for locators that make none.
    pub const fn risk(&self) -> Option<Risk> {
        match self.role {
            Role::Repair { risk, .. } | Role::EditingLocator { risk } => Some(risk),
            Role::RegionLocator | Role::PayloadLocator => None,
        }
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
#[derive(Debug)]
pub struct Discovered(pub &'static Registration);

inventory::collect!(Discovered);

/// Declares a rule: its type, its options and its [`Registration`].
///
/// The documentation comment is the text of `jsonseam explain` and of the rule catalogue too.
/// `cases` is a path relative to the file that holds the declaration.
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
///         fault.ahead_is("=>").then(|| fault.replace_ahead(2, ":"))
///     }
/// }
///
/// assert_eq!(FatArrow::REGISTRATION.name, "acme/fat-arrow");
/// ```
///
/// A locator has `locates: Regions` or `locates: Payloads` in place of `risk` and `answers`;
/// one that edits what it finds has `locates: Payloads` in place of `answers` alone.
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
    (
        $(#[doc = $doc:literal])*
        $visibility:vis struct $type:ident {
            name: $name:literal,
            risk: $risk:ident,
            answers: [$($answer:ident),+ $(,)?],
            cases: $cases:literal
            $(, options: { $($(#[doc = $option_doc:literal])* $option:ident : $option_type:ty = $default:expr),+ $(,)? })?
            $(,)?
        }
    ) => {
        $crate::rule! {
            @declare
            [$($doc)*] $visibility $type $name $cases
            ($crate::Role::Repair {
                risk: $crate::Risk::$risk,
                answers: &[$($crate::Expected::$answer),+],
            })
            $($([$($option_doc)*] $option ($option_type) ($default))+)?
        }
    };
    (
        $(#[doc = $doc:literal])*
        $visibility:vis struct $type:ident {
            name: $name:literal,
            locates: $what:ident,
            cases: $cases:literal
            $(, options: { $($(#[doc = $option_doc:literal])* $option:ident : $option_type:ty = $default:expr),+ $(,)? })?
            $(,)?
        }
    ) => {
        $crate::rule! {
            @declare
            [$($doc)*] $visibility $type $name $cases
            ($crate::rule!(@locator $what))
            $($([$($option_doc)*] $option ($option_type) ($default))+)?
        }
    };
    (
        $(#[doc = $doc:literal])*
        $visibility:vis struct $type:ident {
            name: $name:literal,
            risk: $risk:ident,
            locates: Payloads,
            cases: $cases:literal
            $(, options: { $($(#[doc = $option_doc:literal])* $option:ident : $option_type:ty = $default:expr),+ $(,)? })?
            $(,)?
        }
    ) => {
        $crate::rule! {
            @declare
            [$($doc)*] $visibility $type $name $cases
            ($crate::Role::EditingLocator { risk: $crate::Risk::$risk })
            $($([$($option_doc)*] $option ($option_type) ($default))+)?
        }
    };
    (@locator Regions) => { $crate::Role::RegionLocator };
    (@locator Payloads) => { $crate::Role::PayloadLocator };
    (
        @declare
        [$($doc:literal)*] $visibility:vis $type:ident $name:literal $cases:literal ($role:expr)
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
                static REGISTRATION: $crate::Registration = $crate::Registration {
                    name: $name,
                    role: $role,
                    doc: ::core::concat!($($doc, "\n"),*),
                    cases: ::core::include_str!($cases),
                    options: &[$($crate::OptionInfo {
                        field: ::core::stringify!($option),
                        doc: ::core::concat!($($option_doc, "\n"),*),
                        kind: <$option_type as $crate::RuleOption>::KIND,
                        default: || $crate::RuleOption::show(&<$type as ::core::default::Default>::default().$option),
                    }),*],
                    type_name: ::core::stringify!($type),
                    file: ::core::file!(),
                    package: ::core::env!("CARGO_PKG_NAME"),
                    build: $type::build_with,
                };
                &REGISTRATION
            };

            #[allow(unused_mut, unused_variables, reason = "a rule without options changes nothing here")]
            fn build_with(
                options: &[(&str, &$crate::OptionValue)],
            ) -> ::core::result::Result<::std::boxed::Box<dyn $crate::RepairRule>, $crate::OptionProblem> {
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
                $crate::RuleEntry {
                    name: ::std::string::String::from($name),
                    role: $type::REGISTRATION.role,
                    rule: ::std::sync::Arc::new(rule),
                }
            }
        }

        $crate::inventory::submit!($crate::Discovered($type::REGISTRATION));
    };
}
