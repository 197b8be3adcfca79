//! The columns of a result, and what a row puts into each.

use jsonseam::Risk;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::buffers::{Strings, append_ends, bits, numbers, offsets};
use crate::typed::{Column, Shape};

/// The status of a row, as a code: its place in this list.
const STATUSES: [&str; 3] = ["valid", "repaired", "refused"];
const VALID: i8 = 0;
const REPAIRED: i8 = 1;
pub(crate) const REFUSED: i8 = 2;

/// The code of no status, no reason and no risk.
const NONE: i8 = -1;

/// Which columns are wanted beside those that every result has.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    /// The repaired text.
    pub(crate) value: bool,
    /// The record of each row.
    pub(crate) report: bool,
    /// The outputs in columns of this shape.
    pub(crate) shape: Option<Shape>,
}

/// Names, each with its place as a code: there are few.
#[derive(Debug, Default)]
struct Names(Vec<String>);

impl Names {
    /// The code of a name, which gets one if it is new.
    fn code(&mut self, name: &str) -> i16 {
        let index = self.0.iter().position(|known| known == name).unwrap_or_else(|| {
            self.0.push(name.to_owned());
            self.0.len() - 1
        });
        i16::try_from(index).unwrap_or(NONE.into())
    }

    /// The codes of names that another list has.
    fn codes(&mut self, other: &Self) -> Vec<i16> {
        other.0.iter().map(|name| self.code(name)).collect()
    }
}

/// The results, column by column.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    is_valid: Vec<bool>,
    values: Option<Strings>,
    status: Vec<i8>,
    reason: Vec<i16>,
    reasons: Names,
    risk: Vec<i8>,
    truncated: Vec<bool>,
    edits: Vec<i32>,
    position: Vec<i64>,
    has_position: Vec<bool>,
    /// The rules of each row, and where each row ends.
    rule: Vec<i16>,
    rule_ends: Vec<usize>,
    rules: Names,
    reports: Option<Strings>,
    typed: Option<Column>,
    left_out: Vec<i32>,
}

/// One row before it goes into the columns. By itself a null.
pub(crate) struct Row<'r> {
    pub(crate) value: Option<&'r str>,
    pub(crate) status: i8,
    pub(crate) risk: Option<Risk>,
    pub(crate) is_truncated: bool,
    pub(crate) edits: usize,
    /// The rule of each edit.
    pub(crate) rules: Vec<&'r str>,
    pub(crate) reason: Option<&'r str>,
    pub(crate) position: Option<usize>,
}

impl Default for Row<'_> {
    fn default() -> Self {
        Self {
            value: None,
            status: NONE,
            risk: None,
            is_truncated: false,
            edits: 0,
            rules: Vec::new(),
            reason: None,
            position: None,
        }
    }
}

/// The status of a row with so many edits.
pub(crate) fn status_of(edits: usize) -> i8 {
    if edits > 0 { REPAIRED } else { VALID }
}

impl Columns {
    /// No row, and room for so many, whose texts have so many bytes in all: a repaired text is about as long as it was.
    pub(crate) fn with_capacity(rows: usize, bytes: usize, wanted: &Wanted) -> Self {
        let strings = |is_wanted: bool| is_wanted.then(Strings::default);
        Self {
            is_valid: Vec::with_capacity(rows),
            values: wanted.value.then(|| Strings::with_capacity(rows, bytes)),
            status: Vec::with_capacity(rows),
            reason: Vec::with_capacity(rows),
            risk: Vec::with_capacity(rows),
            truncated: Vec::with_capacity(rows),
            edits: Vec::with_capacity(rows),
            position: Vec::with_capacity(rows),
            has_position: Vec::with_capacity(rows),
            rule_ends: Vec::with_capacity(rows),
            reports: strings(wanted.report),
            typed: wanted.shape.as_ref().map(Column::new),
            ..Self::default()
        }
    }

    /// Puts the outputs of the row that comes next into their columns, if they are wanted there. `false`: these cannot hold them, and have nulls.
    pub(crate) fn push_typed(&mut self, push: impl FnOnce(&mut Column, &mut usize) -> Option<()>) -> bool {
        let Some(column) = &mut self.typed else { return true };
        let (row, mut left_out) = (column.len(), 0);
        let is_held = push(column, &mut left_out).is_some();
        if !is_held {
            column.truncate(row);
            column.push_null();
            left_out = 0;
        }
        self.left_out.push(i32::try_from(left_out).unwrap_or(i32::MAX));
        is_held
    }

    /// A row, with its record. Outputs that were not put into their columns before are nulls there.
    pub(crate) fn push(&mut self, row: &Row<'_>, report: Option<&impl serde::Serialize>) {
        self.is_valid.push(true);
        self.status.push(row.status);
        self.reason.push(row.reason.map_or(NONE.into(), |reason| self.reasons.code(reason)));
        self.risk.push(row.risk.map_or(NONE, code_of_risk));
        self.truncated.push(row.is_truncated);
        self.edits.push(i32::try_from(row.edits).unwrap_or(i32::MAX));
        self.position.push(row.position.and_then(|position| i64::try_from(position).ok()).unwrap_or(0));
        self.has_position.push(row.position.is_some());
        self.push_rules(&row.rules);
        if let Some(values) = &mut self.values {
            values.push(row.value);
        }
        if let Some(reports) = &mut self.reports {
            let start = reports.data.len();
            let is_written = report.is_some_and(|report| serde_json::to_writer(&mut reports.data, report).is_ok());
            if !is_written {
                reports.data.truncate(start);
            }
            reports.close(is_written);
        }
        if let Some(column) = &mut self.typed
            && column.len() < self.is_valid.len()
        {
            column.push_null();
            self.left_out.push(0);
        }
    }

    /// Each rule of a row once, in the order in which they first edit.
    fn push_rules(&mut self, rules: &[&str]) {
        let start = self.rule.len();
        for rule in rules {
            let code = self.rules.code(rule);
            if !self.rule.get(start..).unwrap_or_default().contains(&code) {
                self.rule.push(code);
            }
        }
        self.rule_ends.push(self.rule.len());
    }

    /// A null row: null in every column.
    pub(crate) fn push_null(&mut self) {
        self.push(&Row::default(), None::<&()>);
        if let Some(is_valid) = self.is_valid.last_mut() {
            *is_valid = false;
        }
    }

    pub(crate) fn append(&mut self, other: Self) {
        let renamed = |codes: &[i16], own: &[i16]| -> Vec<i16> {
            let own = |code: &i16| usize::try_from(*code).ok().and_then(|at| own.get(at)).copied();
            codes.iter().map(|code| own(code).unwrap_or(NONE.into())).collect()
        };
        let reasons = self.reasons.codes(&other.reasons);
        self.reason.extend(renamed(&other.reason, &reasons));
        append_ends(&mut self.rule_ends, &other.rule_ends, self.rule.len());
        let rules = self.rules.codes(&other.rules);
        self.rule.extend(renamed(&other.rule, &rules));
        self.is_valid.extend(other.is_valid);
        self.status.extend(other.status);
        self.risk.extend(other.risk);
        self.truncated.extend(other.truncated);
        self.edits.extend(other.edits);
        self.position.extend(other.position);
        self.has_position.extend(other.has_position);
        self.left_out.extend(other.left_out);
        for (own, other) in [(&mut self.values, other.values), (&mut self.reports, other.reports)] {
            if let (Some(own), Some(other)) = (own, other) {
                own.append(other);
            }
        }
        if let (Some(own), Some(other)) = (&mut self.typed, other.typed) {
            own.append(other);
        }
    }
}

fn code_of_risk(risk: Risk) -> i8 {
    Risk::ALL.iter().position(|known| *known == risk).and_then(|index| i8::try_from(index).ok()).unwrap_or(NONE)
}

impl<'py> IntoPyObject<'py> for Columns {
    type Target = PyDict;
    type Output = Bound<'py, PyDict>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        let codes = |codes: &[i16]| numbers(py, codes, i16::to_le_bytes);
        let bytes = |codes: &[i8]| numbers(py, codes, i8::to_le_bytes);
        columns.set_item("validity", bits(py, &self.is_valid))?;
        columns.set_item("status", bytes(&self.status))?;
        columns.set_item("statuses", STATUSES)?;
        columns.set_item("reason", codes(&self.reason))?;
        columns.set_item("reasons", &self.reasons.0)?;
        columns.set_item("risk", bytes(&self.risk))?;
        columns.set_item("risks", Risk::NAMES)?;
        columns.set_item("truncated", bits(py, &self.truncated))?;
        columns.set_item("edits", numbers(py, &self.edits, i32::to_le_bytes))?;
        columns.set_item("position", [numbers(py, &self.position, i64::to_le_bytes), bits(py, &self.has_position)])?;
        columns.set_item("rule", (offsets(py, &self.rule_ends)?, codes(&self.rule), &self.rules.0))?;
        for (name, column) in [("value", &self.values), ("report", &self.reports)] {
            if let Some(column) = column {
                columns.set_item(name, column.buffers(py)?)?;
            }
        }
        if let Some(column) = &self.typed {
            columns.set_item("typed", column.tree(py)?)?;
            let left_out: Bound<'py, PyBytes> = numbers(py, &self.left_out, i32::to_le_bytes);
            columns.set_item("left_out", left_out)?;
        }
        Ok(columns)
    }
}
