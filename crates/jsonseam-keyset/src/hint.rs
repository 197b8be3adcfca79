//! What an undeclared key was probably meant to be. A hint helps a person or a model; it never changes a verdict.

/// Longest name, in characters, for which the nearest one is looked for.
const LONGEST: usize = 64;

/// The declared key that an undeclared one may have been meant to be.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hint {
    /// The declared key.
    pub name: String,
    /// How the key that is there differs from it.
    pub difference: Difference,
}

/// How a key differs from a declared one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Difference {
    /// By upper and lower case alone.
    Case,
    /// By white space alone, and perhaps by case.
    WhiteSpace,
    /// By invisible characters, and perhaps by white space and case.
    Invisible,
    /// By some letters.
    Spelling,
}

impl Difference {
    /// The difference in words, to follow "differs".
    pub const fn described(self) -> &'static str {
        match self {
            Self::Case => "by upper and lower case only",
            Self::WhiteSpace => "by white space only",
            Self::Invisible => "by invisible characters only",
            Self::Spelling => "by its spelling",
        }
    }
}

/// The hint for `name`: of the `declared` names the one that differs least, the first of several.
pub(crate) fn hint<'n>(name: &str, declared: impl Iterator<Item = &'n str>) -> Option<Hint> {
    let is_short = |name: &str| name.chars().nth(LONGEST).is_none();
    if !is_short(name) {
        return None;
    }
    let mut best: Option<(usize, Hint)> = None;
    for candidate in declared.filter(|candidate| is_short(candidate)) {
        let Some((cost, difference)) = difference(name, candidate) else { continue };
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, Hint { name: candidate.to_owned(), difference }));
        }
    }
    best.map(|(_, hint)| hint)
}

/// How two names differ, and how much; `None` if they have too little in common.
fn difference(name: &str, declared: &str) -> Option<(usize, Difference)> {
    // Letter by letter, as names are compared elsewhere: `str::to_lowercase` brings 8 KB of code and tables for one Greek letter.
    let folded = |text: &str| text.chars().flat_map(char::to_lowercase).collect::<String>();
    let spaceless = |text: &str| folded(text).chars().filter(|char| !char.is_whitespace()).collect::<String>();
    let visible = |text: &str| spaceless(text).chars().filter(|&char| !is_invisible(char)).collect::<String>();
    if folded(name) == folded(declared) {
        return Some((0, Difference::Case));
    }
    if spaceless(name) == spaceless(declared) {
        return Some((1, Difference::WhiteSpace));
    }
    if visible(name) == visible(declared) {
        return Some((2, Difference::Invisible));
    }
    let (name, declared) = (folded(name), folded(declared));
    let most = name.chars().count().max(declared.chars().count()) / 3;
    // Characters that have to be inserted, removed, replaced or swapped with their neighbour.
    let distance = strsim::osa_distance(&name, &declared);
    (distance <= most).then_some((2 + distance, Difference::Spelling))
}

/// Characters that show nothing: zero width, direction, joining, and the controls.
fn is_invisible(char: char) -> bool {
    char.is_control()
        || matches!(
            char,
            '\u{AD}'
                | '\u{61C}'
                | '\u{180E}'
                | '\u{200B}'..='\u{200F}'
                | '\u{202A}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}'
                | '\u{FE00}'..='\u{FE0F}'
                | '\u{FEFF}'
                | '\u{E0000}'..='\u{E01EF}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hinted(name: &str, declared: &[&str]) -> Option<(String, Difference)> {
        hint(name, declared.iter().copied()).map(|hint| (hint.name, hint.difference))
    }

    #[test]
    fn k1_hints_say_how_a_key_differs() {
        let declared = ["answer", "order_id", "note"];
        let cases = [
            ("Answer", "answer", Difference::Case),
            (" answer", "answer", Difference::WhiteSpace),
            ("ORDER_ID ", "order_id", Difference::WhiteSpace),
            ("an\u{200B}swer", "answer", Difference::Invisible),
            ("awnser", "answer", Difference::Spelling),
            ("orderId", "order_id", Difference::Spelling),
        ];
        for (name, meant, difference) in cases {
            assert_eq!(hinted(name, &declared), Some((meant.to_owned(), difference)), "{name:?}");
        }
        for far in ["", "x", "customer", "n", &"a".repeat(100)] {
            assert_eq!(hinted(far, &declared), None, "{far:?}");
        }
    }

    #[test]
    fn the_nearest_name_wins_and_the_first_of_equals() {
        assert_eq!(hinted("total", &["Total", "totals"]).map(|(name, _)| name).as_deref(), Some("Total"));
        assert_eq!(hinted("item", &["items", "iten"]).map(|(name, _)| name).as_deref(), Some("items"));
    }
}
