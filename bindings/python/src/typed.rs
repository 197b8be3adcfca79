//! Typed columns: the outputs of a contract as Arrow has them, built value by value from their JSON text.
//!
//! Which type each value has is decided in Python, from the schemas of the contract; it arrives here as a [`Shape`].
//!
//! **Invariant:** a value that its column cannot hold, digit for digit, is not pushed: the row is taken back as a whole.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::Deserialize;

use crate::buffers::{Tree, append_ends, bits, numbers, offsets};
use crate::read::Reader;

/// The type of a column.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Shape {
    Boolean,
    /// Of 64 bits.
    Integer,
    Double,
    String,
    /// Any value, as its JSON text.
    Json,
    Decimal {
        precision: usize,
        scale: i64,
    },
    List(Box<Shape>),
    /// An object of any keys, as pairs.
    Map(Box<Shape>),
    /// An object of these keys.
    Struct(Vec<(String, Shape)>),
}

impl Shape {
    /// The shape that Python describes.
    pub(crate) fn from_json(json: &str) -> PyResult<Self> {
        serde_json::from_str(json).map_err(|error| PyValueError::new_err(format!("no shape of columns: {error}")))
    }
}

/// A column and those within it.
#[derive(Debug)]
pub(crate) struct Column {
    is_valid: Vec<bool>,
    values: Values,
}

#[derive(Debug)]
enum Values {
    Boolean(Vec<bool>),
    Integer(Vec<i64>),
    Double(Vec<f64>),
    Decimal { numbers: Vec<i128>, precision: usize, scale: i64 },
    String { data: Vec<u8>, ends: Vec<usize>, is_json: bool },
    List { ends: Vec<usize>, items: Box<Column> },
    Map { ends: Vec<usize>, keys: Box<Column>, values: Box<Column> },
    Struct(Vec<(Box<str>, Column)>),
}

impl Column {
    pub(crate) fn new(shape: &Shape) -> Self {
        let text = |is_json| Values::String { data: Vec::new(), ends: Vec::new(), is_json };
        let values = match shape {
            Shape::Boolean => Values::Boolean(Vec::new()),
            Shape::Integer => Values::Integer(Vec::new()),
            Shape::Double => Values::Double(Vec::new()),
            Shape::String => text(false),
            Shape::Json => text(true),
            Shape::Decimal { precision, scale } => {
                Values::Decimal { numbers: Vec::new(), precision: *precision, scale: *scale }
            }
            Shape::List(items) => Values::List { ends: Vec::new(), items: Box::new(Self::new(items)) },
            Shape::Map(values) => Values::Map {
                ends: Vec::new(),
                keys: Box::new(Self::new(&Shape::String)),
                values: Box::new(Self::new(values)),
            },
            Shape::Struct(fields) => {
                Values::Struct(fields.iter().map(|(name, shape)| (name.as_str().into(), Self::new(shape))).collect())
            }
        };
        Self { is_valid: Vec::new(), values }
    }

    pub(crate) fn len(&self) -> usize {
        self.is_valid.len()
    }

    /// A null, which is null in every column within.
    pub(crate) fn push_null(&mut self) {
        self.is_valid.push(false);
        match &mut self.values {
            Values::Boolean(values) => values.push(false),
            Values::Integer(values) => values.push(0),
            Values::Double(values) => values.push(0.0),
            Values::Decimal { numbers, .. } => numbers.push(0),
            Values::String { data, ends, .. } => ends.push(data.len()),
            Values::List { ends, items } => ends.push(items.len()),
            Values::Map { ends, keys, .. } => ends.push(keys.len()),
            Values::Struct(fields) => fields.iter_mut().for_each(|(_, column)| column.push_null()),
        }
    }

    /// The value that comes next in the text, or `None` if this column cannot hold it: then what was pushed of it has to be taken back.
    /// Counts members that no column holds.
    pub(crate) fn push(&mut self, reader: &mut Reader<'_>, left_out: &mut usize) -> Option<()> {
        if reader.next()? == b'n' {
            reader.literal("null")?;
            self.push_null();
            return Some(());
        }
        let row = self.len();
        match &mut self.values {
            Values::Boolean(values) => {
                let is_true = reader.next()? == b't';
                reader.literal(if is_true { "true" } else { "false" })?;
                values.push(is_true);
            }
            Values::Integer(values) => {
                let number = reader.number()?;
                let value = number.small.or_else(|| i64::try_from(decimal(number.text, i64::MAX, 0)?).ok());
                values.push(value?);
            }
            Values::Double(values) => {
                let number = reader.number()?;
                let value: f64 = number.text.parse().ok()?;
                // A fraction is the nearest double, as everywhere; an integer of which digits would be lost is none.
                let is_held = value.is_finite() && (!number.is_whole || is_exact(number.text, value));
                values.push(is_held.then_some(value)?);
            }
            Values::Decimal { numbers, precision, scale } => {
                numbers.push(decimal(reader.number()?.text, i64::try_from(*precision).ok()?, *scale)?);
            }
            Values::String { data, ends, is_json } => {
                if *is_json {
                    data.extend_from_slice(reader.skip()?.as_bytes());
                } else {
                    data.extend_from_slice(reader.string()?.chars()?.as_bytes());
                }
                ends.push(data.len());
            }
            Values::List { ends, items } => {
                each(reader, b'[', b']', |reader| items.push(reader, left_out))?;
                ends.push(items.len());
            }
            Values::Map { ends, keys, values } => {
                each(reader, b'{', b'}', |reader| {
                    keys.push(reader, left_out)?;
                    (reader.take()? == b':').then_some(())?;
                    values.push(reader, left_out)
                })?;
                ends.push(keys.len());
            }
            Values::Struct(fields) => push_members(fields, row, reader, left_out)?,
        }
        self.is_valid.push(true);
        Some(())
    }

    /// An object of these members, each with its JSON text. Like [`push`](Self::push) for a text that holds them.
    pub(crate) fn push_fields<'m>(
        &mut self,
        members: impl Iterator<Item = (&'m str, &'m str)>,
        left_out: &mut usize,
    ) -> Option<()> {
        let row = self.len();
        let Values::Struct(fields) = &mut self.values else { return None };
        let mut last = 0;
        for (name, text) in members {
            match place(fields, &mut last, name) {
                Some(column) => column.push(&mut Reader::new(text), left_out)?,
                None => *left_out += 1,
            }
        }
        fill(fields, row);
        self.is_valid.push(true);
        Some(())
    }

    pub(crate) fn is_struct(&self) -> bool {
        matches!(self.values, Values::Struct(_))
    }

    /// Takes rows back, down to so many.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.is_valid.truncate(len);
        let end_of = |ends: &mut Vec<usize>| {
            ends.truncate(len);
            ends.last().copied().unwrap_or(0)
        };
        match &mut self.values {
            Values::Boolean(values) => values.truncate(len),
            Values::Integer(values) => values.truncate(len),
            Values::Double(values) => values.truncate(len),
            Values::Decimal { numbers, .. } => numbers.truncate(len),
            Values::String { data, ends, .. } => data.truncate(end_of(ends)),
            Values::List { ends, items } => items.truncate(end_of(ends)),
            Values::Map { ends, keys, values } => {
                let end = end_of(ends);
                keys.truncate(end);
                values.truncate(end);
            }
            Values::Struct(fields) => fields.iter_mut().for_each(|(_, column)| column.truncate(len)),
        }
    }

    /// Appends the rows of a column of the same shape.
    pub(crate) fn append(&mut self, other: Self) {
        self.is_valid.extend(other.is_valid);
        match (&mut self.values, other.values) {
            (Values::Boolean(own), Values::Boolean(other)) => own.extend(other),
            (Values::Integer(own), Values::Integer(other)) => own.extend(other),
            (Values::Double(own), Values::Double(other)) => own.extend(other),
            (Values::Decimal { numbers: own, .. }, Values::Decimal { numbers: other, .. }) => own.extend(other),
            (Values::String { data, ends, .. }, Values::String { data: other, ends: more, .. }) => {
                append_ends(ends, &more, data.len());
                data.extend(other);
            }
            (Values::List { ends, items }, Values::List { ends: more, items: other }) => {
                append_ends(ends, &more, items.len());
                items.append(*other);
            }
            (Values::Map { ends, keys, values }, Values::Map { ends: more, keys: other, values: others }) => {
                append_ends(ends, &more, keys.len());
                keys.append(*other);
                values.append(*others);
            }
            (Values::Struct(own), Values::Struct(other)) => {
                own.iter_mut().zip(other).for_each(|((_, own), (_, other))| own.append(other));
            }
            // Both were made from one shape.
            _ => {}
        }
    }

    /// The buffers of this column and of those within.
    pub(crate) fn tree<'py>(&self, py: Python<'py>) -> PyResult<Tree<'py>> {
        // Without a null there are no bits; the keys of a map may have none.
        let has_nulls = self.is_valid.contains(&false);
        let mut buffers = vec![has_nulls.then(|| bits(py, &self.is_valid))];
        let mut children = Vec::new();
        let mut add = |column: &Self| {
            children.push(column.tree(py)?.into_pyobject(py)?.into_any().unbind());
            PyResult::Ok(())
        };
        match &self.values {
            Values::Boolean(values) => buffers.push(Some(bits(py, values))),
            Values::Integer(values) => buffers.push(Some(numbers(py, values, i64::to_le_bytes))),
            Values::Double(values) => buffers.push(Some(numbers(py, values, f64::to_le_bytes))),
            Values::Decimal { numbers: values, .. } => buffers.push(Some(numbers(py, values, i128::to_le_bytes))),
            Values::String { data, ends, .. } => {
                buffers.extend([Some(offsets(py, ends)?), Some(PyBytes::new(py, data))]);
            }
            Values::List { ends, items } => {
                buffers.push(Some(offsets(py, ends)?));
                add(items)?;
            }
            Values::Map { ends, keys, values } => {
                buffers.push(Some(offsets(py, ends)?));
                let pairs = [keys.tree(py)?, values.tree(py)?];
                let pairs = pairs.into_iter().map(|tree| Ok(tree.into_pyobject(py)?.into_any().unbind()));
                let entries: Tree<'py> = (keys.len(), vec![None], pairs.collect::<PyResult<_>>()?);
                children.push(entries.into_pyobject(py)?.into_any().unbind());
            }
            Values::Struct(fields) => fields.iter().try_for_each(|(_, column)| add(column))?,
        }
        Ok((self.len(), buffers, children))
    }
}

/// Does `work` at every item between these brackets.
fn each<'t>(
    reader: &mut Reader<'t>,
    open: u8,
    close: u8,
    mut work: impl FnMut(&mut Reader<'t>) -> Option<()>,
) -> Option<()> {
    (reader.take()? == open).then_some(())?;
    if reader.next()? == close {
        reader.take()?;
        return Some(());
    }
    loop {
        // The place of the item: what is read there does not pass over white space itself.
        reader.next()?;
        work(reader)?;
        match reader.take()? {
            b',' => {}
            byte if byte == close => return Some(()),
            _ => return None,
        }
    }
}

fn push_members(
    fields: &mut [(Box<str>, Column)],
    row: usize,
    reader: &mut Reader<'_>,
    left_out: &mut usize,
) -> Option<()> {
    let mut last = 0;
    each(reader, b'{', b'}', |reader| {
        let name = reader.string()?;
        (reader.take()? == b':').then_some(())?;
        let found = name.chars().and_then(|name| place(fields, &mut last, &name));
        let Some(column) = found else {
            *left_out += 1;
            return reader.skip().map(drop);
        };
        // Of a key that is repeated the last one counts.
        if column.len() > row {
            column.truncate(row);
        }
        column.push(reader, left_out)
    })?;
    fill(fields, row);
    Some(())
}

/// The column of this name. Members mostly come in the order of the columns: `next` is where to look first.
fn place<'f>(fields: &'f mut [(Box<str>, Column)], next: &mut usize, name: &str) -> Option<&'f mut Column> {
    let is_named = |(known, _): &(Box<str>, Column)| **known == *name;
    let index = if fields.get(*next).is_some_and(is_named) { *next } else { fields.iter().position(is_named)? };
    *next = index + 1;
    fields.get_mut(index).map(|(_, column)| column)
}

/// A null in every column that got no value in this row.
fn fill(fields: &mut [(Box<str>, Column)], row: usize) {
    fields.iter_mut().filter(|(_, column)| column.len() == row).for_each(|(_, column)| column.push_null());
}

/// Whether a double is the integer that is spelled so.
fn is_exact(spelled: &str, value: f64) -> bool {
    // Every integer below 2 to the power of 53 is a double.
    value.abs() < 9_007_199_254_740_992.0 || format!("{value:.0}") == spelled
}

/// The number that is spelled so, times ten to the power of `scale`, if that is an integer of at most so many digits.
fn decimal(spelled: &str, precision: i64, scale: i64) -> Option<i128> {
    let (is_negative, number) = spelled.strip_prefix('-').map_or((false, spelled), |number| (true, number));
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [whole, fraction].concat();
    let kept = digits.trim_end_matches('0');
    let significant = kept.trim_start_matches('0');
    if significant.is_empty() {
        return Some(0);
    }
    let dropped = i64::try_from(digits.len() - kept.len()).ok()?;
    let exponent = exponent.strip_prefix('+').unwrap_or(exponent).parse::<i64>().ok()?;
    let shift = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?.checked_add(dropped)?.checked_add(scale)?;
    let len = i64::try_from(significant.len()).ok()?.checked_add(shift)?;
    if shift < 0 || len > precision.min(38) {
        return None;
    }
    let value = significant.parse::<i128>().ok()?.checked_mul(10_i128.checked_pow(u32::try_from(shift).ok()?)?)?;
    Some(if is_negative { -value } else { value })
}
