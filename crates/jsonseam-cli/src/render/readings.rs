//! A text that can be read in two ways: both readings, and what would decide between them (SPEC R2).

use std::collections::BTreeMap;
use std::fmt::Write;

use jsonseam::{Config, Error, ParseOptions, Pipeline, Position, RefusedReading, Risk, Root};
use serde_json::value::RawValue;

use super::annotated::{Mark, draw};
use crate::console::{self, Paint};
use crate::contract;
use crate::engine::{self, Engine};
use crate::identity;

/// Places of one reading that are named; `--report` has the others.
const MOST_PLACES: usize = 6;
/// Keys that are named on one line, and the longest of them, in characters.
const MOST_KEYS: usize = 12;
const LONGEST_KEY: usize = 40;
/// The most that a step of a reading may cost, in hundredths: as much as `[search]` admits.
const ANY_COST: u32 = 100_000;

/// Both readings and the doubt, a line each, for a text whose first line comes after `before` lines. Holds names and places only.
pub(super) fn lines(error: &Error, bytes: &[u8], before: usize) -> Vec<String> {
    let text = str::from_utf8(bytes).unwrap_or_default();
    let mut lines: Vec<String> = error
        .readings()
        .iter()
        .enumerate()
        .map(|(nth, reading)| format!("{}{}", heading(nth, reading, error), places(reading, text, before)))
        .collect();
    lines.extend(doubt(error, before));
    lines
}

/// The doubt, if no reading is described by it, and the place that raises it, in a text whose first line comes after `before` lines.
fn doubt(error: &Error, before: usize) -> Option<String> {
    let doubt = error.doubt().filter(|_| !error.readings().iter().any(|reading| reading.edits.is_empty()))?;
    let place = error.doubted_by().map(|place| format!(" (line {} column {})", place.line + before, place.column));
    Some(format!("doubt: {doubt}{}", place.unwrap_or_default()))
}

/// A reading that no rule writes is described by the doubt that stands for it.
fn heading(nth: usize, reading: &RefusedReading, error: &Error) -> String {
    let heading = format!("reading {}, cost {}: {reading}", nth + 1, reading.cost);
    match error.doubt().filter(|_| reading.edits.is_empty()) {
        Some(doubt) => format!("{heading}: {doubt}"),
        None => heading,
    }
}

/// Where the edits of a reading are, as lines and columns.
fn places(reading: &RefusedReading, text: &str, before: usize) -> String {
    let place = |start: usize| {
        let Position { line, column, .. } = Position::of(start, text);
        format!("{}:{column}", before + line)
    };
    let shown: Vec<_> = reading.edits.iter().take(MOST_PLACES).map(|edit| place(edit.start)).collect();
    let more = if reading.edits.len() > MOST_PLACES { ", …" } else { "" };
    if shown.is_empty() { String::new() } else { format!(" at {}{more}", shown.join(", ")) }
}

/// The source with the edits of both readings under it, safe to show on a terminal; its first line has the number `first`.
pub(crate) fn both_readings(first: usize, source: &str, error: &Error, pipeline: &Pipeline) -> String {
    let risk = |rule: &str| pipeline.rules().find(|info| info.name == rule).and_then(|info| info.risk);
    let mut out = String::new();
    for (nth, reading) in error.readings().iter().enumerate() {
        let _ = writeln!(out, "\n{}", heading(nth, reading, error));
        let marks = reading.edits.iter().map(|edit| {
            let risk = risk(&edit.rule);
            let shown = risk.map_or_else(String::new, |risk| format!(" ({risk})"));
            let action = if edit.start == edit.end { "inserts" } else { "replaces" };
            let paint = if risk <= Some(Risk::Likely) { Paint::Sound } else { Paint::Doubtful };
            Mark { span: edit.start..edit.end, label: format!("{}{shown}: {action}", edit.rule), paint }
        });
        // A reading that no rule writes has a place all the same: where it and the other one part.
        let parting = error.position().filter(|_| reading.edits.is_empty()).map(|place| Mark {
            span: place.offset..place.offset,
            label: "the readings part here".to_owned(),
            paint: Paint::Doubtful,
        });
        draw(&mut out, first, source, marks.chain(parting));
    }
    if let Some(doubt) = doubt(error, 0) {
        let _ = writeln!(out, "\n{doubt}");
    }
    out
}

/// Which keys of the object, once declared, decide between the readings: found by declaring those that each reading gives.
///
/// The keys are text of the completion: only a person who watches sees them, no log.
pub(super) fn deciding_keys(error: &Error, bytes: &[u8], engine: &Engine, flag: &str) -> Option<String> {
    let mut decided: Vec<Vec<String>> = Vec::new();
    for reading in 0..error.readings().len() {
        let keys = keys_of(reading, error, bytes, engine).filter(|keys| !decided.contains(keys));
        decided.extend(keys.filter(|keys| decide(keys, bytes, engine)));
    }
    if decided.is_empty() {
        return None;
    }
    let is_plain = |key: &String| {
        key.chars().count() <= LONGEST_KEY
            && key.chars().all(|char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.'))
    };
    let is_shown = |keys: &Vec<String>| keys.len() <= MOST_KEYS && keys.iter().all(is_plain);
    let name = identity::name();
    if !console::is_talkative() || !decided.iter().all(is_shown) {
        return Some(format!("declaring the keys of its object decides: `{name} parse{flag} --keys …`"));
    }
    let calls: Vec<_> = decided.iter().map(|keys| format!("`{name} parse{flag} --keys {}`", keys.join(","))).collect();
    Some(format!("declaring its keys decides: {}", calls.join(", or ")))
}

/// The keys of the object that a reading gives; `None` if it cannot be had by itself, or gives no object.
fn keys_of(reading: usize, error: &Error, bytes: &[u8], engine: &Engine) -> Option<Vec<String>> {
    let mut thresholds = engine.config.thresholds(&jsonseam::catalogue().ok()?);
    (thresholds.margin, thresholds.veto) = (0, ANY_COST);
    let own = error.readings().get(reading)?.rules();
    let others = error.readings().iter().flat_map(RefusedReading::rules).filter(|rule| !own.contains(rule));
    let config = others.fold(engine.config.clone().with_thresholds(thresholds), Config::with_disabled);
    let pipeline = jsonseam::pipeline(&config).ok()?;
    let repaired = engine::repair(&pipeline, bytes, engine.finish_reason.as_ref()).ok()?;
    let object: BTreeMap<String, &RawValue> = serde_json::from_str(repaired.text()).ok()?;
    Some(object.into_keys().collect())
}

/// Whether a contract of these keys takes the text.
fn decide(keys: &[String], bytes: &[u8], engine: &Engine) -> bool {
    // Keys belong to an object, whatever root was asked for.
    let config = engine.config.clone().with_root(Root::Object);
    let adapter = jsonseam::adapter().config(&config).outputs(keys.iter().map(String::as_str)).build();
    let options = ParseOptions::new().with_finish_reason(engine.finish_reason.clone());
    adapter.is_ok_and(|adapter| contract::parse(&adapter, bytes, &options).is_ok())
}
