//! One more line in a sorted list of a source file.

use anyhow::{Result, bail};

/// The text of the file of a group with one more module.
pub(super) fn with_module(group: &str, stem: &str) -> Result<String> {
    let module = format!("pub mod {stem};");
    if group.lines().any(|line| line == module) {
        bail!("the group has the module {stem}");
    }
    inserted(group, &module, |line| line.starts_with("pub mod "))
}

/// The text of `rules/src/presets.rs` with one more rule at the end of the list: its smallest preset, and the path of its type.
pub(super) fn with_rule(presets: &str, preset: &str, path: &str) -> Result<String> {
    const OPENING: &str = "const RULES: &[(&Registration, Smallest)] = &[";
    let mut lines: Vec<_> = presets.lines().collect();
    let Some(start) = lines.iter().position(|line| *line == OPENING) else {
        bail!("rules/src/presets.rs has no line `{OPENING}`");
    };
    let Some(len) = lines.iter().skip(start).position(|line| *line == "];") else {
        bail!("the list of rules does not end with a line `];`");
    };
    let registration = format!("    ({path}::REGISTRATION, ");
    if lines.iter().any(|line| line.starts_with(&registration)) {
        bail!("the list of rules has {path}");
    }
    let added = format!("{registration}{preset}),");
    lines.insert(start + len, &added);
    Ok(lines.join("\n") + "\n")
}

/// `text` with `line` at its place among the lines that `belongs` says are sorted.
fn inserted(text: &str, line: &str, belongs: impl Fn(&str) -> bool) -> Result<String> {
    let mut lines: Vec<_> = text.lines().collect();
    let sorted: Vec<usize> =
        (0..lines.len()).filter(|&index| lines.get(index).is_some_and(|found| belongs(found))).collect();
    let Some(last) = sorted.last() else {
        bail!("found no list for `{}`", line.trim());
    };
    let place = sorted
        .iter()
        .copied()
        .find(|&index| lines.get(index).is_some_and(|found| sorts(line) < sorts(found)))
        .unwrap_or(last + 1);
    lines.insert(place, line);
    Ok(lines.join("\n") + "\n")
}

/// What a line is sorted by: the name, without the punctuation that follows it.
fn sorts(line: &str) -> &str {
    line.trim_end_matches(';')
}

#[cfg(test)]
mod tests {
    use super::{with_module, with_rule};

    #[test]
    fn modules_stay_sorted() {
        let with_a = with_module("pub mod b;\npub mod b_c;\n", "a").expect("there is a list");
        assert_eq!(with_a, "pub mod a;\npub mod b;\npub mod b_c;\n");
        let with_both = with_module(&with_a, "b_d").expect("there is a list");
        assert_eq!(with_both, "pub mod a;\npub mod b;\npub mod b_c;\npub mod b_d;\n");
        assert!(with_module(&with_both, "a").is_err());
        assert!(with_module("", "a").is_err());
    }

    #[test]
    fn the_list_gets_its_rule_at_its_end() {
        let presets = "const RULES: &[(&Registration, Smallest)] = &[\n    (a::b::B::REGISTRATION, Strict),\n];\n";
        assert_eq!(
            with_rule(presets, "Lenient", "a::c::C").expect("the list is there"),
            "const RULES: &[(&Registration, Smallest)] = &[\n    (a::b::B::REGISTRATION, Strict),\n    (a::c::C::REGISTRATION, Lenient),\n];\n"
        );
        assert!(with_rule(presets, "Lenient", "a::b::B").is_err());
        assert!(with_rule("", "Lenient", "a::c::C").is_err());
    }
}
