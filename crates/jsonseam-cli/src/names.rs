//! Which known name was probably meant.

use jsonseam::contract::KeySet;

/// The known name that `name` is a slip away from; a forgotten prefix (`acme/`) is one too.
pub(crate) fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<String> {
    let known: Vec<&str> = known.into_iter().collect();
    let bare = |known: &'n str| known.split_once('/').map_or(known, |(_, bare)| bare);
    if let Some(prefixed) = known.iter().find(|known| **known != name && bare(known) == name) {
        return Some((*prefixed).to_owned());
    }
    let keys = known.iter().fold(KeySet::new(), |keys, name| keys.optional(name));
    let mismatch = keys.check_keys([name]).err()?;
    Some(mismatch.extra().first()?.hint.as_ref()?.name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_and_forgotten_prefixes_are_recognised() {
        let known = ["trailing-comma", "acme/null-word"];
        assert_eq!(nearest("trailing-coma", known).as_deref(), Some("trailing-comma"));
        assert_eq!(nearest("null-word", known).as_deref(), Some("acme/null-word"));
        assert_eq!(nearest("zebra", known), None);
    }
}
