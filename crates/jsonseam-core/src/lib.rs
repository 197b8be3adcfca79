//! The engine of jsonseam: a strict parser that, at each fault, asks one small rule for one small edit.
//!
//! Most users want the crate `jsonseam`, which re-exports this one together with the built-in rules.
//! The way of the data is: locate, recognise and repair in turns, judge, report.
//!
//! - [`Pipeline`] repairs completions; [`Config`] and [`Catalogue`] make one.
//! - [`RepairRule`], [`Fault`] and [`rule!`] are what a rule is made of; [`LocateRule`] and [`Region`] what a locator is.
//! - [`Repaired`] is the result with every edit; [`Error`] says why there is none.
//!
//! Boundary: this crate holds no rule, does no input or output, and knows no schema.

// Some of what only configuration files, patterns and streams ask for is unused without them.
#![cfg_attr(not(all(feature = "pattern", feature = "stream")), allow(dead_code, unused_imports))]

mod attempt;
mod config;
mod derived;
mod edits;
mod engine;
mod locate;
mod looking;
mod pipeline;
mod reading;
mod results;
mod rule;
#[cfg(feature = "stream")]
mod stream;

pub use attempt::options::{FinishReason, Rank, RepairOptions};
pub use config::Config;
pub use config::catalogue::{Catalogue, NamedPreset, Preset};
pub use config::error::{ConfigError, Place};
pub use config::pattern::{Pattern, PatternCase};
#[cfg(feature = "config")]
pub use config::{read::read_section, reader::Entry};
pub use edits::costs::Clue;
pub use edits::edit::{Edit, Edits};
pub use edits::reach::Reach;
pub use edits::risk::Risk;
pub use engine::Thresholds;
pub use engine::rules::{AnyRule, RuleEntry, RuleInfo};
pub use locate::{Block, Candidates, Landmarks, Line, OpenStrings, Region, Usual, begins_line};
pub use looking::ahead::{Ahead, CountedText};
pub use looking::evidence::{Evidence, Kind, Shape, Step};
pub use looking::layout::{Layout, Suspect};
pub use looking::lex::{ESCAPED_BLANKS, LITERALS, Literal, Notation, is_blank};
pub use pipeline::Pipeline;
pub use reading::expected::Expected;
pub use reading::limits::{Limit, Limits, MAX_DEPTH};
pub use reading::openers::{brackets, brackets_end, opens_index, unclosed};
pub use reading::position::Position;
pub use reading::recognise::TokenKind;
pub use reading::scan::is_sign;
pub use reading::token::{Container, Token};
pub use reading::wanted::{Policy, Root};
pub use reading::work::Work;
pub use results::error::{Error, RefusedEdit, RefusedReading, Unanswered};
pub use results::path::{IncompleteElement, OpenArray, compact, pointers};
pub use results::reason::Reason;
pub use results::record::{ContractRecord, RECORD_VERSION, Record, RecordOptions};
pub use results::repaired::{AppliedEdit, Further, Repaired, Status};
#[cfg(feature = "discovery")]
pub use rule::Discovered;
pub use rule::dispatch::{Dispatch, NextSet, PreviousSet};
pub use rule::fault::{Fault, OpenString, StringProblem};
pub use rule::option::{OptionInfo, OptionProblem, OptionValue, RuleOption};
pub use rule::proposals::{Offer, Only, Proposals};
pub use rule::review::{Objection, ReadPayload, Review};
pub use rule::{Build, LocateRule, Locates, Registration, RepairRule, Role};
#[cfg(feature = "stream")]
pub use stream::{Commit, Event, Events, Path, Sign, Snapshot, Stream, StreamOptions, StreamState, StreamWork, Units};

// What every error of these crates has.
pub use jsonseam_text::{ErrorCode, UnknownName};
// Quotes, for rules.
pub use jsonseam_text::{Strings, closers_of, is_quote, string_end, value_end};

/// Re-exported for [`rule!`], which announces each rule to it.
#[cfg(feature = "discovery")]
pub use inventory;
