//! The groups of the built-in rules: folders of `rules/src/`, and the sections of `docs/rules.md`.

use std::path::Path;

use jsonseam::Registration;

/// Each folder, with its section of the page, in the order of the page.
pub(crate) const GROUPS: [(&str, &str); 9] = [
    ("payload", "Around the payload"),
    ("quotes", "Quotes"),
    ("strings", "Inside strings"),
    ("keys", "Keys"),
    ("values", "Numbers, words and other values"),
    ("separators", "Commas and colons"),
    ("brackets", "Brackets"),
    ("between", "Between tokens"),
    ("cut", "Text that was cut off"),
];

/// The folder that holds the file of a rule.
pub(crate) fn folder(rule: &Registration) -> &str {
    let parent = Path::new(rule.file).parent().and_then(Path::file_name);
    parent.and_then(|name| name.to_str()).unwrap_or_default()
}
