//! Names in messages: which may be shown, and which valid one was probably meant.

use jsonseam_text::listed;
use strsim::osa_distance;

/// Longest name that is compared or shown, in bytes. Longer ones are not slips of the finger.
const LONGEST: usize = 64;

/// The name in backquotes after a space; or that it cannot be a name, so that neither control bytes nor stray values reach a terminal.
pub(crate) fn shown(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'/' | b'.');
    if !name.is_empty() && name.len() <= LONGEST && name.bytes().all(is_plain) {
        format!(" `{name}`")
    } else {
        " (not shown: it is not a name in kebab-case)".to_owned()
    }
}

/// Whether `name` is in kebab-case: words of lower-case letters and digits joined by hyphens, the first beginning with a letter.
pub(crate) fn is_kebab(name: &str) -> bool {
    name.len() <= LONGEST
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name
            .split('-')
            .all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()))
}

/// The end of a message: the nearest of `names`, or nothing if none is near.
pub(crate) fn suggestion<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    nearest(name, names).map(|nearest| format!("; did you mean `{nearest}`?")).unwrap_or_default()
}

/// The end of a message about a name that several of `names` begin with: it says what is meant, but not which.
pub(crate) fn begun<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<String> {
    let goes_on = |known: &&str| known.strip_prefix(name).is_some_and(|rest| rest.starts_with('-'));
    let begun: Vec<&str> = names.into_iter().filter(goes_on).collect();
    (!name.is_empty() && begun.len() > 1).then(|| format!("; did you mean {}?", listed(&begun)))
}

/// The end of a message about one of few names: the nearest, and otherwise all of them.
pub(crate) fn choice(name: &str, names: &[&str]) -> String {
    let near = suggestion(name, names.iter().copied());
    if near.is_empty() { format!("; expected {}", listed(names)) } else { near }
}

/// The name that `name` is a slip of the finger away from: at most one edit in three characters. The first of equals.
pub(crate) fn nearest<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    if name.len() > LONGEST {
        return None;
    }
    let written = comparable(name);
    let allowed = (written.chars().count() / 3).max(1);
    names
        .into_iter()
        .filter(|candidate| candidate.len() <= LONGEST)
        .map(|candidate| (osa_distance(&written, &comparable(candidate)), candidate))
        .filter(|&(distance, candidate)| distance <= allowed && distance < candidate.len())
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
}

/// Case and the choice of hyphen or underscore are no difference.
fn comparable(name: &str) -> String {
    name.chars().map(|character| if character == '_' { '-' } else { character.to_ascii_lowercase() }).collect()
}

#[cfg(test)]
mod tests {
    use super::{begun, is_kebab, nearest, shown};

    #[test]
    fn nearest_forgives_case_and_underscores_and_passes_over_strangers() {
        let names = ["max-depth", "max-edits", "max-input-bytes"];
        assert_eq!(nearest("Max_Depth", names), Some("max-depth"));
        assert_eq!(nearest("max-edit", names), Some("max-edits"));
        assert_eq!(nearest("colour", names), None);
        assert_eq!(nearest(&"x".repeat(100_000), names), None);
    }

    #[test]
    fn a_name_that_several_begin_with_is_answered_with_all_of_them() {
        let names = ["missing-comma-on-line", "missing-colon", "missing-comma-in-array", "missing-commas"];
        let both = "; did you mean `missing-comma-on-line` or `missing-comma-in-array`?";
        assert_eq!(begun("missing-comma", names).as_deref(), Some(both));
        assert_eq!(
            (begun("missing-colo", names), begun("missing-comma-on", names), begun("", names)),
            (None, None, None)
        );
    }

    #[test]
    fn only_what_looks_like_a_name_is_shown() {
        assert_eq!(shown("acme/fat-arrow"), " `acme/fat-arrow`");
        for hostile in ["\u{1b}[31m", "a b", "", "é", &"a".repeat(65)] {
            assert_eq!(shown(hostile), " (not shown: it is not a name in kebab-case)");
        }
    }

    #[test]
    fn kebab_is_kebab() {
        assert!(["a", "fat-arrow", "utf8-bom", "a-1"].into_iter().all(is_kebab));
        assert!(!["", "-a", "a-", "a--b", "A", "1a", "a_b", "a/b", "é"].into_iter().any(is_kebab));
    }
}
