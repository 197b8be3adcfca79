//! The engine of jsonseam: a strict parser that, at each fault, asks one small rule for one small edit.
//!
//! Most users want the crate `jsonseam`, which re-exports this one together with the built-in rules.
//! The way of the data is: locate, recognise and repair in turns, judge, report.
//!
//! - [`Pipeline`] repairs completions; [`Config`] and [`Catalogue`] make one.
//! - [`RepairRule`], [`Fault`] and [`rule!`] are what a rule is made of.
//! - [`Repaired`] is the result with every edit; [`Error`] says why there is none.
//!
//! Boundary: this crate holds no rule, does no input or output, and knows no schema.

mod attempt;
mod catalogue;
mod config;
mod edit;
mod engine;
mod error;
mod evidence;
mod fault;
mod journal;
mod limits;
mod locate;
mod option;
mod path;
mod pattern;
mod peek;
mod pipeline;
mod recognise;
mod record;
mod repaired;
mod risk;
mod root;
mod rule;
mod rules;
mod scan;
mod trace;
mod work;

pub use catalogue::{Catalogue, Preset};
pub use config::{Config, ConfigError, Entry, Place, Policy, Root, read_section};
pub use edit::{Edit, Edits};
pub use error::{Error, Position, Reason};
pub use evidence::{Evidence, Step};
pub use fault::{BareText, BracketDefect, Container, Decimal, Expected, Fault, OpenString, StringProblem, Token};
pub use limits::{Limit, Limits, MAX_DEPTH};
pub use locate::{Block, Candidates, Line, Region};
pub use option::{OptionInfo, OptionProblem, OptionValue, RuleOption};
pub use path::compact;
pub use pattern::{Pattern, PatternCase};
pub use pipeline::{FinishReason, Pipeline, Rank, RepairOptions};
pub use recognise::TokenKind;
pub use record::{ContractRecord, RECORD_VERSION, Record};
pub use repaired::{Repaired, Seam, Status};
pub use risk::Risk;
pub use rule::{Build, Discovered, Registration, RepairRule, Role};
pub use rules::{RuleEntry, RuleInfo};
pub use work::Work;

/// Re-exported for [`rule!`], which announces each rule to it.
pub use inventory;
