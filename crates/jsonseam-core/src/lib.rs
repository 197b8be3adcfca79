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

mod ahead;
mod attempt;
mod catalogue;
mod config;
mod debug;
mod dispatch;
mod edit;
mod engine;
mod error;
mod evidence;
mod expected;
mod fault;
mod frames;
mod further;
mod journal;
mod layout;
mod lex;
mod limits;
mod locate;
mod memo;
mod openers;
mod option;
mod options;
mod order;
mod path;
#[cfg(feature = "pattern")]
mod pattern;
#[cfg(not(feature = "pattern"))]
#[path = "pattern/absent.rs"]
mod pattern;
mod peek;
mod pipeline;
mod position;
mod proposals;
mod reach;
mod reason;
mod recognise;
mod record;
mod repaired;
mod review;
mod risk;
mod root;
mod rule;
mod rules;
mod scan;
#[cfg(feature = "stream")]
mod stream;
mod token;
mod trace;
mod wanted;
mod work;

pub use ahead::{Ahead, CountedText};
pub use catalogue::{Catalogue, NamedPreset, Preset};
pub use config::Config;
pub use config::error::{ConfigError, Place};
#[cfg(feature = "config")]
pub use config::section::{Entry, read_section};
pub use dispatch::{Dispatch, NextSet, PreviousSet};
pub use edit::{Edit, Edits};
pub use engine::{Clue, Thresholds};
pub use error::{Error, RefusedEdit, RefusedReading, Unanswered};
pub use evidence::{Evidence, Kind, Shape, Step};
pub use expected::Expected;
pub use fault::{Fault, OpenString, StringProblem};
pub use further::Further;
pub use layout::{Layout, Suspect};
pub use lex::{ESCAPED_BLANKS, LITERALS, Literal, Notation, is_blank};
pub use limits::{Limit, Limits, MAX_DEPTH};
pub use locate::{Block, Candidates, Landmarks, Line, OpenStrings, Region, Usual};
pub use openers::{brackets, brackets_end, opens_index, unclosed};
pub use option::{OptionInfo, OptionProblem, OptionValue, RuleOption};
pub use options::{FinishReason, Rank, RepairOptions};
pub use path::{IncompleteElement, OpenArray, compact, pointers};
#[cfg(feature = "pattern")]
pub use pattern::{Pattern, PatternCase};
pub use pipeline::Pipeline;
pub use position::Position;
pub use proposals::{Offer, Proposals};
pub use reach::Reach;
pub use reason::Reason;
pub use recognise::TokenKind;
pub use record::{ContractRecord, RECORD_VERSION, Record, RecordOptions};
pub use repaired::{AppliedEdit, Repaired, Status};
pub use review::{Objection, ReadPayload, Review};
pub use risk::Risk;
#[cfg(feature = "discovery")]
pub use rule::Discovered;
pub use rule::{Build, LocateRule, Locates, Registration, RepairRule, Role};
pub use rules::{AnyRule, RuleEntry, RuleInfo};
#[cfg(feature = "stream")]
pub use stream::{Commit, Event, Events, Path, Sign, Snapshot, Stream, StreamOptions, StreamState, StreamWork, Units};
pub use token::{Container, Token};
pub use wanted::{Policy, Root};
pub use work::Work;

// What every error of these crates has.
pub use jsonseam_text::{ErrorCode, UnknownName};
// Quotes, for rules.
pub use jsonseam_text::{Strings, closers_of, is_quote, string_end, value_end};

/// Re-exported for [`rule!`], which announces each rule to it.
#[cfg(feature = "discovery")]
pub use inventory;
