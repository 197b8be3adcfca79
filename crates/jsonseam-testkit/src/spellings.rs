//! How keys, literals, comments, blanks, quotes and separators are spelled, and the law that all who read them agree.
//!
//! Whoever answers "is this a key, a value, a blank?" implements [`Asker`] and is put to the whole table with [`disagreements`].

/// What a spelling is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A key of an object, without its colon.
    Key,
    /// A value that is not a container.
    Value,
    /// What may be between two tokens.
    Blank,
    /// What separates two members.
    Separator,
}

/// One spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spelling {
    /// What it is of.
    pub kind: Kind,
    /// How it is written.
    pub text: &'static str,
    /// Whether it is read as that.
    pub is_read: bool,
}

/// The table of keys: those that are read, and near misses.
const KEYS: (&[&str], &[&str]) = (
    &[
        "\"key\"",
        "'key'",
        "`key`",
        "“key”",
        "„key“",
        "«key»",
        "「key」",
        "key",
        "ключ",
        "$key",
        "_key",
        "a.b",
        "a-b",
        "12",
        "k1",
    ],
    &["a b", "-", "+", "<key>", "(key)"],
);

/// The table of values.
const VALUES: (&[&str], &[&str]) = (
    &[
        "true",
        "false",
        "null",
        "True",
        "False",
        "None",
        "TRUE",
        "FALSE",
        "NULL",
        "Null",
        "undefined",
        "nil",
        "NaN",
        "nan",
        "Infinity",
        "inf",
        "-inf",
        "1",
        "-1.5",
        "0x1F",
        "\"b\"",
        "'b'",
        "`b`",
        "“b”",
        "„b“",
        "«b»",
        "「b」",
    ],
    &["-None", "truely", "nulls", "?", ")"],
);

/// The table of blanks and comments.
const BLANKS: (&[&str], &[&str]) = (
    &[
        " ",
        "\n",
        "\t",
        "\u{A0}",
        "\u{2003}",
        "\u{205F}",
        "\u{3000}",
        "\u{200B}",
        "\u{2060}",
        "\u{FEFF}",
        "/* note */",
        " // note\n",
        " # note\n",
        "\n/* a */ // b\n",
    ],
    &["\u{AD}", "/* note", "; note\n"],
);

/// The table of separators.
const SEPARATORS: (&[&str], &[&str]) = (&[",", ", ", ";", "，", "；", "、"], &["|", "&"]);

/// Every spelling of the table.
pub fn spellings() -> impl Iterator<Item = Spelling> {
    let tables = [(Kind::Key, KEYS), (Kind::Value, VALUES), (Kind::Blank, BLANKS), (Kind::Separator, SEPARATORS)];
    tables.into_iter().flat_map(|(kind, (read, others))| {
        let read = read.iter().map(move |text| Spelling { kind, text, is_read: true });
        read.chain(others.iter().map(move |text| Spelling { kind, text, is_read: false }))
    })
}

/// Who reads spellings.
pub trait Asker {
    /// Its name, for messages.
    fn name(&self) -> &'static str;
    /// Whether it reads this as what it is of; `None` if it is not asked for such.
    fn reads(&self, spelling: &Spelling) -> Option<bool>;
}

/// Where an asker differs from the table; and which askers read nothing of it, so that their agreement says nothing.
pub fn disagreements(askers: &[&dyn Asker]) -> Vec<String> {
    let mut found = Vec::new();
    for asker in askers {
        let mut is_asked = false;
        for spelling in spellings() {
            let Some(is_read) = asker.reads(&spelling) else { continue };
            is_asked = true;
            if is_read != spelling.is_read {
                found.push(format!("{}: {:?} {:?} is read: {is_read}", asker.name(), spelling.kind, spelling.text));
            }
        }
        if !is_asked {
            found.push(format!("{}: is asked for nothing of the table", asker.name()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Asker, Kind, Spelling, disagreements, spellings};

    struct Knows(&'static [&'static str]);

    impl Asker for Knows {
        fn name(&self) -> &'static str {
            "knows a list"
        }

        fn reads(&self, spelling: &Spelling) -> Option<bool> {
            (spelling.kind == Kind::Value).then(|| self.0.contains(&spelling.text))
        }
    }

    #[test]
    fn the_table_has_sixty_spellings_and_an_asker_with_a_list_of_its_own_disagrees() {
        assert!(spellings().count() >= 60);
        assert!(!disagreements(&[&Knows(&["true", "false", "null"])]).is_empty());
    }
}
