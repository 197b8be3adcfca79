//! How a rule is declared: the macro `rule!`, and what it is made of.

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

/// Declares a rule: its type, its options and its [`Registration`](crate::Registration).
///
/// The documentation comment is the text of `jsonseam explain` and of the rule catalogue too.
/// `cases` is a path relative to the file that holds the declaration; without it, the cases of a rule
/// whose name has no prefix are in the file beside that which has its name, with the ending `toml`.
///
/// ```standalone_crate
/// use jsonseam_core::{Edits, Expected, Fault, Proposals, RepairRule, rule};
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
///         cases: "../../tests/fat_arrow.toml",
///     }
/// }
///
/// impl RepairRule for FatArrow {
///     fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
///         to.only(fault.ahead().starts_with("=>").then(|| fault.replace_ahead(2, ":")));
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
/// ```standalone_crate
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
///         cases: "../../tests/fat_arrow.toml",
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
/// # use jsonseam_core::{Edits, Fault, Proposals, RepairRule, rule};
/// rule! {
///     /// Never asked.
///     pub struct Mistaken {
///         name: "acme/mistaken",
///         locates: Regions,
///         cases: "../../tests/fat_arrow.toml",
///     }
/// }
///
/// impl RepairRule for Mistaken {
///     fn answer(&self, _: &Fault<'_>, _: &mut Proposals) {}
/// }
/// ```
///
/// Nor does one that answers nothing:
///
/// ```compile_fail
/// # use jsonseam_core::{RepairRule, rule};
/// # rule! {
/// #     /// Never answers.
/// #     pub struct Mute {
/// #         name: "acme/mute",
/// #         risk: Likely,
/// #         answers: [Colon],
/// #         cases: "../../tests/fat_arrow.toml",
/// #     }
/// # }
/// impl RepairRule for Mute {}
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
/// `starts: "<"`, `ends: ">"`, `never_starts: "{["`, `holds: ["<answer>"]`; and
/// `usual: Nothing`, what it does with a usual completion ([`Usual`](crate::Usual)): as long as one locator does not say it, all are asked about every one.
///
/// A rule without options may name a function, or be a closure, in place of the implementation of its trait: `only: |fault| fault.remove_previous()`,
/// or `answer` or `locate`, the last line of the declaration. `only_ahead` in place of `only` says that none of its edits starts before the nearest token
/// ends, as `reaches: [Fault]` does. So a family of rules is a table: several declarations in one `rule!`, and what they share below.
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
            $(only: $only:expr,)?
            $(only_ahead: $only_ahead:expr,)?
            $(answer: $answers:expr,)?
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
                reach: $crate::rule!(@reach $($($reach $(($($argument),+))?),+)? $(@ahead $only_ahead)?)
            })
            $($([$($option_doc)*] $option ($option_type) ($default))+)?
        }
        $($crate::rule! { @only $type $only })?
        $($crate::rule! { @only $type $only_ahead })?
        $(impl $crate::RepairRule for $type {
            fn answer(&self, fault: &$crate::Fault<'_>, to: &mut $crate::Proposals) {
                ($answers as fn(&$crate::Fault<'_>, &mut $crate::Proposals))(fault, to);
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
    (@only $type:ident $only:expr) => {
        impl $crate::RepairRule for $type {
            fn answer(&self, fault: &$crate::Fault<'_>, to: &mut $crate::Proposals) {
                to.only(($only as fn(&$crate::Fault<'_>) -> ::core::option::Option<$crate::Edits>)(fault));
            }
        }
    };
    (@reach) => { $crate::Reach::UNDECLARED };
    (@reach @ahead $only:expr) => { $crate::Reach::FAULT };
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
                .with_doc(::core::concat!($($doc, "\n"),*))
                .with_cases($crate::rule_cases!($name $($cases)?))
                .with_options(&[$($crate::OptionInfo::new(
                    ::core::stringify!($option),
                    ::core::concat!($($option_doc, "\n"),*),
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
