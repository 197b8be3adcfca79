//! What a library has shown complete, and whether it takes that back.
//!
//! After each piece there is a value to be seen. Its *open spine* is the root, the last element or member of the root, the last one of that, and so on:
//! what more text may still change. Every other value is shown complete, with all that is in it. It is taken back if a later view has nothing at its
//! place, or another value there.

use std::collections::BTreeMap;

use jsonseam_testkit::value::Value;

/// One step of the way to a value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Index(usize),
    Key(String),
}

/// What was shown complete so far: a value, or parts of it.
#[derive(Debug, Default)]
pub(super) struct Shown {
    whole: Option<Value>,
    parts: BTreeMap<Step, Self>,
}

impl Shown {
    /// Takes in what is to be seen now. Whether something that was shown complete is not there any more, or is another value.
    pub(super) fn take(&mut self, view: &Value) -> bool {
        self.take_part(view, true)
    }

    /// Whether anything was shown complete.
    pub(super) fn is_any(&self) -> bool {
        self.whole.is_some() || self.parts.values().any(Self::is_any)
    }

    fn take_part(&mut self, view: &Value, is_open: bool) -> bool {
        if let Some(whole) = &self.whole {
            return whole != view && !whole.resembles(view);
        }
        let parts = parts(view);
        let is_there = |step: &Step| parts.iter().any(|(there, _)| there == step);
        let mut is_taken_back = self.parts.iter().any(|(step, shown)| !is_there(step) && shown.is_any());
        let last = parts.len().saturating_sub(1);
        for (index, (step, part)) in parts.into_iter().enumerate() {
            is_taken_back |= self.parts.entry(step).or_default().take_part(part, is_open && index == last);
        }
        if !is_open {
            *self = Self { whole: Some(view.clone()), parts: BTreeMap::new() };
        }
        is_taken_back
    }
}

/// The elements or members of a value in order; the last of repeated keys is the member.
fn parts(value: &Value) -> Vec<(Step, &Value)> {
    match value {
        Value::Array(elements) => {
            elements.iter().enumerate().map(|(index, element)| (Step::Index(index), element)).collect()
        }
        Value::Object(members) => {
            let is_last = |index: usize, key: &String| members.iter().skip(index + 1).all(|(later, _)| later != key);
            let kept = members.iter().enumerate().filter(|(index, (key, _))| is_last(*index, key));
            kept.map(|(_, (key, value))| (Step::Key(key.clone()), value)).collect()
        }
        _ => Vec::new(),
    }
}

/// How many strings, numbers and literals a value has.
pub(super) fn scalars(value: &Value) -> u64 {
    match value {
        Value::Array(_) | Value::Object(_) => parts(value).into_iter().map(|(_, part)| scalars(part)).sum(),
        _ => 1,
    }
}

/// Of the strings, numbers and literals that a view shows complete those that the truth has at the same place, and the others.
pub(super) fn compared(view: &Value, truth: &Value) -> (u64, u64) {
    compare(view, Some(truth), true)
}

fn compare(view: &Value, truth: Option<&Value>, is_open: bool) -> (u64, u64) {
    if !matches!(view, Value::Array(_) | Value::Object(_)) {
        let is_right = truth.is_some_and(|truth| view.resembles(truth));
        return if is_open { (0, 0) } else { (u64::from(is_right), u64::from(!is_right)) };
    }
    let meant: BTreeMap<Step, &Value> = truth.map(parts).unwrap_or_default().into_iter().collect();
    let parts = parts(view);
    let last = parts.len().saturating_sub(1);
    let counts = parts.into_iter().enumerate().map(|(index, (step, part))| {
        let truth = meant.get(&step).copied();
        compare(part, truth, is_open && index == last)
    });
    counts.fold((0, 0), |(right, wrong), (more_right, more_wrong)| (right + more_right, wrong + more_wrong))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Value {
        Value::read(text).expect("it is JSON")
    }

    /// Which of the views takes something back.
    fn taken(views: &[&str]) -> Vec<bool> {
        let mut shown = Shown::default();
        views.iter().map(|view| shown.take(&value(view))).collect()
    }

    #[test]
    fn what_grows_at_its_end_takes_nothing_back() {
        let views = ["{}", "{\"a\": \"x\"}", "{\"a\": \"xy\", \"b\": []}", "{\"a\": \"xy\", \"b\": [1, {\"c\": nul]}"];
        assert!(Value::read(views[3]).is_none());
        assert_eq!(taken(&[views[0], views[1], views[2], "{\"a\": \"xy\", \"b\": [1, {\"c\": null}]}"]), [false; 4]);
    }

    #[test]
    fn what_is_on_the_open_spine_may_change_and_go() {
        assert_eq!(taken(&["[1]", "[12]", "[]", "{\"a\": 1}"]), [false; 4]);
        assert_eq!(taken(&["[1, [2, {\"a\": 3}]]", "[1, [2, {\"a\": []}]]", "[1, [2, 3]]", "[1, [2]]"]), [false; 4]);
    }

    #[test]
    fn a_complete_value_that_changes_goes_or_moves_is_taken_back() {
        assert_eq!(taken(&["[1, 2]", "[2]"]), [false, true], "another value");
        assert_eq!(taken(&["{\"a\": \"x\", \"b\": 1}", "{\"a\": \"xy\", \"b\": 1}"]), [false, true], "a longer string");
        assert_eq!(taken(&["[1, 2]", "[]"]), [false, true], "no value");
        assert_eq!(taken(&["[1, 2]", "{\"0\": 1}"]), [false, true], "another place");
        assert_eq!(taken(&["[[1], 2]", "[[1, 3], 2]"]), [false, true], "a container that was closed");
        assert_eq!(taken(&["[[1, 2]]", "[[], 3]"]), [false, true], "a part of a container");
    }

    #[test]
    fn what_was_once_complete_stays_so_when_its_successor_goes() {
        assert_eq!(taken(&["[1, 2, 3]", "[1, 2]", "[1, 7]"]), [false, false, true]);
    }

    #[test]
    fn complete_scalars_are_compared_with_the_truth() {
        let truth = value("{\"a\": [1, 2.0, true], \"b\": \"x\", \"c\": null}");
        assert_eq!(scalars(&truth), 5);
        assert_eq!(compared(&value("{\"a\": [1, 2, false], \"b\": \"x\"}"), &truth), (2, 1));
        assert_eq!(compared(&value("{\"a\": [1, 2]}"), &truth), (1, 0));
        assert_eq!(compared(&value("{\"q\": [1], \"c\": 1}"), &truth), (0, 1));
        assert_eq!(compared(&value("1"), &truth), (0, 0));
    }
}
