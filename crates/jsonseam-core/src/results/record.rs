//! The one record of a repair that every front gives: the command, batches, and the library's `Serialize`.

mod members;

use serde::Serialize;
use serde::ser::{self, Serializer};
use serde_json::value::RawValue;

use self::members::Members;
pub use self::members::RecordOptions;
use super::error::Error;
use super::reason::Reason;
use super::repaired::Repaired;

/// The version of the record's shape.
pub const RECORD_VERSION: u32 = 1;

/// The result of a repair, ready to be serialised by `serde_json`.
///
/// The members are `version`, `status`, `payload`, `text`, `value`, `edits`, `risk`, `truncated`, `incomplete`, `further`, `gap` and `error`.
/// `value` is the text without insignificant white space: digits, escapes and repeated keys stay as they are.
/// The record is written [as it is](Self::write_json), which only `serde_json` can pass on: its pretty printer too leaves it in one line.
///
/// The record holds payload text on purpose: serialising it is the explicit call that shows it (SPEC M5).
///
/// ```
/// use jsonseam_core::{Config, Pipeline, Record};
///
/// let pipeline = Pipeline::from_rules(&Config::default(), Vec::new());
/// let record = serde_json::to_value(Record::new(&pipeline.repair("{\"a\": 1.0}")))?;
/// assert_eq!((&record["status"], &record["text"]), (&"valid".into(), &"{\"a\": 1.0}".into()));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Record<'r>(Result<&'r Repaired<'r>, &'r Error>);

impl<'r> Record<'r> {
    /// The record of a result.
    pub fn new(result: &'r Result<Repaired<'r>, Error>) -> Self {
        Self(result.as_ref())
    }
}

impl<'r> From<&'r Repaired<'r>> for Record<'r> {
    fn from(repaired: &'r Repaired<'r>) -> Self {
        Self(Ok(repaired))
    }
}

impl<'r> From<&'r Error> for Record<'r> {
    fn from(error: &'r Error) -> Self {
        Self(Err(error))
    }
}

/// The record of a completion that was also put to a contract, which this crate knows nothing of.
///
/// It has one more member, `outputs`: what the contract gave, or null where it failed. `error` then says why, and `status` stays.
///
/// ```
/// # use jsonseam_core::{Config, Pipeline};
/// # let pipeline = Pipeline::from_rules(&Config::default(), Vec::new());
/// use jsonseam_core::{ContractRecord, Record};
///
/// let repaired = pipeline.repair("{\"a\": 1}")?;
/// let record = ContractRecord::<_, ()>::accepted(Record::from(&repaired), &["a"]);
/// assert_eq!(serde_json::to_value(record)?["outputs"][0], "a");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct ContractRecord<'r, O, E, D = ()> {
    /// The record of the repair.
    pub repair: Record<'r>,
    /// What the contract gave.
    pub outputs: Option<&'r O>,
    /// Why it failed.
    pub error: Option<&'r E>,
    /// What of the completion the contract left out of the outputs: the member `dropped`, which is there if something was.
    pub dropped: &'r [D],
}

impl<'r, O, E> ContractRecord<'r, O, E> {
    /// The record of a completion whose outputs were accepted.
    pub fn accepted(repair: Record<'r>, outputs: &'r O) -> Self {
        Self { repair, outputs: Some(outputs), error: None, dropped: &[] }
    }

    /// The record of a completion that the contract refused.
    pub fn refused(repair: Record<'r>, error: &'r E) -> Self {
        Self { repair, outputs: None, error: Some(error), dropped: &[] }
    }

    /// The same record of outputs from which this was left out.
    #[must_use]
    pub fn with_dropped<D>(self, dropped: &'r [D]) -> ContractRecord<'r, O, E, D> {
        ContractRecord { repair: self.repair, outputs: self.outputs, error: self.error, dropped }
    }
}

impl<O: Serialize, E: Serialize, D: Serialize> Serialize for ContractRecord<'_, O, E, D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        verbatim(serializer, |members| {
            self.repair.write_repair(members)?;
            members.member("outputs", || self.outputs)?;
            if !self.dropped.is_empty() {
                members.member("dropped", || self.dropped)?;
            }
            members.member("error", || self.error)
        })
    }
}

impl Record<'_> {
    /// Appends the record to `out`. With the default options it is, byte for byte, what `serde_json` serialises, in less time.
    ///
    /// Fails if `serde_json` cannot write a member; `out` may then hold a part of the record.
    ///
    /// ```
    /// use jsonseam_core::{Config, Pipeline, Record, RecordOptions};
    ///
    /// let result = Pipeline::from_rules(&Config::default(), Vec::new()).repair("{\"a\": 1.0}");
    /// let mut out = Vec::new();
    /// Record::new(&result).write_json(&RecordOptions::new(), &mut out)?;
    /// assert_eq!(out, serde_json::to_vec(&Record::new(&result))?);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn write_json(&self, options: &RecordOptions<'_>, out: &mut Vec<u8>) -> serde_json::Result<()> {
        Members::write(options, out, |members| self.write(members))
    }

    fn write(&self, members: &mut Members<'_>) -> serde_json::Result<()> {
        self.write_repair(members)?;
        members.member("error", || self.0.err())
    }

    /// Writes all members but `error`.
    fn write_repair(&self, members: &mut Members<'_>) -> serde_json::Result<()> {
        let repaired = self.0.ok();
        members.member("version", || RECORD_VERSION)?;
        members.member("status", || repaired.map_or("refused", |repaired| repaired.status().as_str()))?;
        members.member("payload", || repaired.map(Repaired::payload))?;
        if let Some(repaired) = repaired {
            members.text(repaired);
            members.value(repaired);
            members.edits(repaired)?;
        } else {
            members.member("text", || ())?;
            members.member("value", || ())?;
            members.member("edits", || [(); 0])?;
        }
        members.member("risk", || repaired.and_then(Repaired::risk))?;
        let is_cut = |error: &Error| error.reason() == Reason::Truncated;
        members.member("truncated", || self.0.map_or_else(is_cut, Repaired::is_truncated))?;
        members.member("incomplete", || repaired.map(Repaired::incomplete).unwrap_or_default())?;
        members.member("further", || repaired.map(Repaired::further).unwrap_or_default())?;
        members.member("gap", || repaired.and_then(Repaired::gap))
    }
}

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        verbatim(serializer, |members| self.write(members))
    }
}

impl Serialize for Repaired<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Record::from(self).serialize(serializer)
    }
}

/// Serialises an object as its members are written.
fn verbatim<S: Serializer>(
    serializer: S,
    write: impl FnOnce(&mut Members<'_>) -> serde_json::Result<()>,
) -> Result<S::Ok, S::Error> {
    let mut json = Vec::new();
    Members::write(&RecordOptions::new(), &mut json, write).map_err(ser::Error::custom)?;
    serde_json::from_slice::<&RawValue>(&json).map_err(ser::Error::custom)?.serialize(serializer)
}
