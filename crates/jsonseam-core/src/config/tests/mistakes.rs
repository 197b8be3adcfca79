//! Every mistake has its place, its message, and no more of the file than names.

use super::{build, names, pattern_with, refusal};
use crate::config::Config;

/// The text, line and column of the mistake, and a part of the message.
type Row = (&'static str, usize, usize, &'static str);

#[rustfmt::skip]
const BROKEN: &[Row] = &[
    // Not TOML.
    ("preset = strict", 1, 10, "not valid TOML: a value is missing or has no quotes"),
    ("preset = \"strict", 1, 17, "not valid TOML: a string is not closed"),
    ("root = \"any\"\nroot = \"any\"", 2, 1, "not valid TOML: a key or table is written twice"),
    ("[rules", 1, 7, "not valid TOML: a bracket is not closed"),
    ("preset \"strict\"", 1, 8, "not valid TOML"),
    ("preset =", 1, 9, "not valid TOML: a value is missing or has no quotes"),
    ("[limits]\nmax-depth = 012", 2, 13, "not valid TOML: a number has a leading zero"),
    ("[rules.acme/fat-arrow]", 1, 12, "not valid TOML"),
    // Keys and tables.
    ("presett = \"strict\"", 1, 1, "unknown key `presett`; did you mean `preset`?"),
    ("# é\n  max_risk = \"likely\"", 2, 3, "unknown key `max_risk`; did you mean `max-risk`?"),
    ("[rule]\nenable = []", 1, 2, "unknown key `rule`; did you mean `rules`?"),
    ("colour = 1", 1, 1, "unknown key `colour`; expected `preset`, `max-risk`"),
    ("enable = []", 1, 1, "unknown key `enable`; it belongs in [rules]"),
    ("max-depth = 3", 1, 1, "unknown key `max-depth`; it belongs in [limits]"),
    ("[rules]\nroot = \"any\"", 2, 1, "unknown key `root` in [rules]; it belongs at the top of the file"),
    ("[rules]\nenabel = []", 2, 1, "unknown key `enabel` in [rules]; did you mean `enable`?"),
    ("[limits]\nmax-dept = 3", 2, 1, "unknown key `max-dept` in [limits]; did you mean `max-depth`?"),
    ("[candidates]\npolice = \"first\"", 2, 1, "unknown key `police` in [candidates]; did you mean `policy`?"),
    ("\"\\u001b[31m\" = 1", 1, 1, "unknown key (not shown: it is not a name in kebab-case); expected"),
    // Types.
    ("preset = 1", 1, 10, "`preset` must be a string, not a whole number"),
    ("max-risk = true", 1, 12, "`max-risk` must be a string, not true or false"),
    ("root = []", 1, 8, "`root` must be a string, not a list"),
    ("rules = 1979-05-27", 1, 9, "`rules` must be a table, not a date or time"),
    ("pattern = \"x\"", 1, 11, "`pattern` must be a list of tables, each begun by [[pattern]], not a string"),
    ("[pattern]\nname = \"x\"", 1, 1, "`pattern` must be a list of tables, each begun by [[pattern]], not a table"),
    ("limits = 1.5", 1, 10, "`limits` must be a table, not a number with a fraction"),
    ("[rules]\nenable = \"comment\"", 2, 10, "`enable` must be a list, not a string"),
    ("[rules]\nenable = [\"comment\", 3]", 2, 22, "an entry of `enable` must be a rule's name or `{ rule = …, before = … }`"),
    ("[rules]\ndisable = [[]]", 2, 12, "an entry of `disable` must be a rule's name, not a list"),
    ("[rules]\norder = {}", 2, 9, "`order` must be a list, not a table"),
    ("[rules]\nenable = [{ before = \"comment\" }]", 2, 11, "an entry of `enable` lacks `rule`"),
    ("[rules]\nenable = [{ rul = \"comment\" }]", 2, 13, "unknown key `rul` in an entry of `enable`; did you mean `rule`?"),
    // Values.
    ("preset = \"stirct\"", 1, 10, "unknown preset `stirct`; did you mean `strict`?"),
    ("preset = \"ultra\"", 1, 10, "unknown preset `ultra`; expected `strict`, `standard` or `lenient`"),
    ("max-risk = \"certian\"", 1, 12, "unknown risk `certian` of `max-risk`; did you mean `certain`?"),
    ("root = \"objekt\"", 1, 8, "unknown value `objekt` of `root`; did you mean `object`?"),
    ("root = \"scalar\"", 1, 8, "unknown value `scalar` of `root`; expected `object`, `array` or `any`"),
    ("[candidates]\npolicy = \"frist\"", 2, 10, "unknown value `frist` of `policy`; did you mean `first`?"),
    ("[candidates]\nmax = 0", 2, 7, "`max` must be a whole number of at least 1"),
    ("[limits]\nmax-depth = 128", 2, 13, "`max-depth` must be a whole number from 1 to 127"),
    ("[limits]\nmax-depth = 0", 2, 13, "`max-depth` must be a whole number from 1 to 127"),
    ("[limits]\nmax-depth = \"5\"", 2, 13, "`max-depth` must be a whole number from 1 to 127, not a string"),
    ("[limits]\nmax-input-bytes = \"5T\"", 2, 19, "`max-input-bytes` must be a whole number of bytes, or one with K, M or G"),
    ("exclude = \"x\"", 1, 11, "`exclude` must be a list, not a string"),
    ("preset = \"strict\"\nexclude = [\"a\", 1]", 2, 17, "an entry of `exclude` must be a glob in quotes, not a whole number"),
    ("[limits]\nmax-input-bytes = 4294967296", 2, 19, "`max-input-bytes` must be a whole number from 1 to 4294967295"),
    ("[limits]\nmax-edits = -1", 2, 13, "`max-edits` must be a whole number of at least 0"),
    ("[limits]\nmax-edits = 99999999999999999999", 2, 13, "`max-edits` must be a whole number of at least 0"),
    // Rules.
    ("[rules]\nenable = [\"coment\"]", 2, 11, "unknown rule `coment`; did you mean `comment`?"),
    ("[rules]\nenable = [\n  \"comment\", # é\n  \"trailing-coma\",\n]", 4, 3, "unknown rule `trailing-coma`; did you mean `trailing-comma`?"),
    ("[rules]\ndisable = [\"nothing-like-it\"]", 2, 12, "unknown rule `nothing-like-it`"),
    ("[rules]\norder = [\"trailing-comma\", \"coment\"]", 2, 28, "unknown rule `coment`; did you mean `comment`?"),
    ("[rules.coment]", 1, 8, "unknown rule `coment`; did you mean `comment`?"),
    ("[rules]\nenable = [\"comment\", \"comment\"]", 2, 22, "rule `comment` is listed twice in `enable`"),
    ("[rules]\ndisable = [\"comment\", \"comment\"]", 2, 23, "rule `comment` is listed twice in `disable`"),
    ("[rules]\norder = [\"comment\", \"comment\"]", 2, 21, "rule `comment` is listed twice in `order`"),
    ("[rules]\nenable = [\"comment\"]\ndisable = [\"comment\"]", 2, 11, "rule `comment` is both enabled and disabled"),
    ("[rules]\nenable = [\"comment\"]\norder = []", 2, 11, "`order` together with `enable`"),
    ("[rules]\norder = []\ndisable = [\"comment\"]", 3, 12, "`order` together with `disable`"),
    ("max-risk = \"certain\"\n[rules]\nenable = [\"missing-colon\"]", 3, 11, "rule `missing-colon` has the risk `likely`, above `max-risk` = `certain`"),
    ("max-risk = \"certain\"\n[rules]\nenable = [\"missing-comma\"]", 3, 11, "rule `missing-comma` has the risk `likely`"),
    ("max-risk = \"guess\"\n[rules]\norder = [\"cut-member\"]", 3, 10, "rule `cut-member` has the risk `lossy`, above `max-risk` = `guess`"),
    ("[rules]\nenable = [{ rule = \"comment\", before = \"trailing-coma\" }]", 2, 40, "unknown rule `trailing-coma`; did you mean"),
    ("[rules]\nenable = [{ rule = \"comment\", before = \"cut-member\" }]", 2, 40, "rule `comment` cannot come before `cut-member`, which neither"),
    ("[rules]\nenable = [{ rule = \"comment\", before = \"comment\" }]", 2, 40, "rule `comment` cannot come before itself"),
    ("[rules]\nenable = [{ rule = \"bolt/nut\", before = \"homeless\" }, { rule = \"homeless\", before = \"bolt/nut\" }]", 2, 41, "`before` goes round in a circle"),
    ("[rules]\nenable = [\"acme/fat-arow\"]", 2, 11, "unknown rule `acme/fat-arow`; did you mean `acme/fat-arrow`?"),
    // The prefix is what is forgotten first.
    ("[rules]\nenable = [\"fat-arow\"]", 2, 11, "unknown rule `fat-arow`; did you mean `acme/fat-arrow`?"),
    ("[rules]\nenable = [\"zeta/x\"]", 2, 11, "known are 9 rules without a prefix, 2 from `acme`, 1 from `bolt`"),
    ("[rules]\nenable = [\"zeta/x\"]", 2, 11, "write `use that_crate as _;`"),
    // Options.
    ("[rules.missing-comma]\nlongest-arow = 1", 2, 1, "unknown option `longest-arow` of `missing-comma`; did you mean `longest-arrow`?"),
    ("[rules.missing-comma]\ncolour = 1", 2, 1, "unknown option `colour` of `missing-comma`; expected `longest-arrow` or `words`"),
    ("[rules.comment]\ncolour = 1", 2, 1, "unknown option `colour` of `comment`; it has none"),
    ("[rules.missing-comma]\nlongest-arrow = -1", 2, 17, "option `longest-arrow` of `missing-comma` must be a whole number of at least 0"),
    ("[rules.missing-comma]\nwords = [1]", 2, 9, "option `words` of `missing-comma` must be a list of strings"),
    ("[rules.missing-comma]\nwords = {}", 2, 9, "option `words` must be a string, a number, true or false, or a list of those, not a table"),
    ("[rules.missing-comma]\nlongest-arrow = 1\nlongest_arrow = 2", 3, 1, "option `longest_arrow` is set twice"),
    ("[rules.missing-comma]\nlongest-arrow = 9223372036854775808", 2, 17, "option `longest-arrow` is too large a number"),
    ("[rules.\"acme/bear\"]\nx = 1", 2, 1, "unknown option `x` of `acme/bear`"),
    ("[rules]\ndisable = [\"missing-comma\"]\n[rules.missing-comma]\nx = 1", 4, 1, "unknown option `x` of `missing-comma`"),
];

/// A pattern of which one line is broken: the line that replaces the good one, and what is said about it.
#[rustfmt::skip]
const BROKEN_PATTERNS: &[Row] = &[
    ("name = \"Fat Arrow\"", 2, 8, "a pattern's name (not shown: it is not a name in kebab-case) must be in kebab-case"),
    ("name = \"a/b/c\"", 2, 8, "must be in kebab-case"),
    ("name = \"trailing-comma\"", 2, 8, "a rule is already named `trailing-comma`"),
    ("name = 1", 2, 8, "`name` must be a string"),
    ("at = \"colons\"", 3, 6, "unknown fault `colons` of `at`; did you mean `colon`?"),
    ("at = \"nowhere\"", 3, 6, "unknown fault `nowhere` of `at`; expected `value`, `key`"),
    ("at = [\"key\", \"colon\", \"key\"]", 3, 23, "fault `key` is listed twice in `at`"),
    ("at = []", 3, 6, "`at` names no fault"),
    ("at = [\"key\", 1]", 3, 14, "`at` must be `value`, `key`"),
    ("find = '('", 4, 8, "`find` is not a regular expression: a group is not closed"),
    ("find = '(?=a)'", 4, 8, "`find` is not a regular expression: look-around is not supported"),
    ("find = '(a)\\1'", 4, 8, "`find` is not a regular expression: back-references are not supported"),
    ("find = '*'", 4, 8, "`find` is not a regular expression: a repetition has nothing to repeat"),
    ("find = '\\p{Nope}'", 4, 8, "`find` is not a regular expression: a Unicode property is unknown"),
    ("find = ''", 4, 8, "`find` is empty"),
    ("find = '((((\\w{200}){200}){200}){200})'", 4, 8, "`find` is too large: compiled it takes more than 1 MiB"),
    ("find = 1", 4, 8, "`find` must be a string"),
    ("replace = '$1'", 5, 11, "`replace` names the group `1`, which `find` does not have"),
    ("replace = '${who}'", 5, 11, "`replace` names the group `who`, which `find` does not have"),
    ("replace = false", 5, 11, "`replace` must be a string"),
    ("risk = \"likly\"", 6, 8, "unknown risk `likly` of `risk`; did you mean `likely`?"),
    ("cases = []", 7, 1, "unknown key `cases` in [[pattern]]; did you mean `case`?"),
    ("risk = \"certain\"", 6, 8, "a [[pattern]] may not be `certain`, which says that published grammars read the text; the lowest risk of a pattern is `likely`"),
    ("case = 1", 7, 8, "`case` must be a list of tables, each begun by [[pattern.case]]"),
    ("case = [{}]", 7, 9, "[[pattern.case]] lacks `input`"),
    ("case = [{ input = 'x' }]", 7, 9, "[[pattern.case]] lacks `output` or `refused = true`"),
    ("case = [{ input = 'x', refused = false }]", 7, 34, "`refused` can only be true"),
    ("case = [{ input = 'x', output = 'y', refused = true }]", 7, 38, "a case has either `output` or `refused`, not both"),
    ("case = [{ input = 'x', outptu = 'y' }]", 7, 24, "unknown key `outptu` in [[pattern.case]]; did you mean `output`?"),
];

/// What is wrong with the answer to a broken text, if anything.
fn difference(text: &str, (_, line, column, fragment): Row) -> Option<String> {
    let error = match build(text) {
        Ok(names) => return Some(format!("{text}\n  is accepted: {names:?}\n")),
        Err(error) => error,
    };
    let is_placed = error.file() == Some("c.toml") && (error.line(), error.column()) == (Some(line), Some(column));
    let is_shown = error.to_string().starts_with(&format!("c.toml:{line}:{column}: "));
    let is_right = is_placed && is_shown && error.message().contains(fragment) && error.code() == "config";
    (!is_right).then(|| format!("{text}\n  gives {error}\n  not {line}:{column}: {fragment}\n"))
}

#[test]
fn every_mistake_has_its_place_and_its_message() {
    let plain = BROKEN.iter().filter_map(|row| difference(row.0, *row));
    let patterns = BROKEN_PATTERNS.iter().filter_map(|row| difference(&pattern_with(row.0), *row));
    let differences: Vec<String> = plain.chain(patterns).collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn a_pattern_must_have_all_its_keys() {
    for key in ["name", "at", "find", "replace", "risk"] {
        let text: String = pattern_with("")
            .lines()
            .filter(|line| !line.starts_with(&format!("{key} =")))
            .collect::<Vec<_>>()
            .join("\n");
        let error = refusal(&format!("# first\n\n{text}"));
        assert_eq!((error.line(), error.column()), (Some(3), Some(1)), "{error}");
        assert_eq!(error.message(), format!("[[pattern]] lacks `{key}`"));
    }
}

#[test]
fn patterns_have_names_of_their_own_and_a_bounded_number() {
    let twice = pattern_with("") + &pattern_with("");
    assert_eq!(refusal(&twice).to_string(), "c.toml:9:8: two patterns are named `fat-arrow`");
    let many: String = (0..257).map(|index| pattern_with(&format!("name = \"p{index}\""))).collect();
    let error = refusal(&many);
    assert_eq!((error.line(), error.message()), (Some(256 * 7 + 1), "more than 256 patterns"));
    let long = format!("find = '{}'", "a|".repeat(600));
    assert_eq!(refusal(&pattern_with(&long)).message(), "`find` is longer than 1024 bytes");
}

#[test]
fn a_pattern_above_the_cap_is_refused_unless_it_is_off() {
    let text = format!("max-risk = \"certain\"\n{}", pattern_with(""));
    assert_eq!(
        refusal(&text).to_string(),
        "c.toml:3:8: pattern `fat-arrow` has the risk `likely`, above `max-risk` = `certain`"
    );
    assert_eq!(
        names(&format!("{text}[rules]\ndisable = [\"fat-arrow\"]")),
        "markdown-fence single-quoted-string trailing-comma"
    );
    assert_eq!(names(&format!("{text}[rules]\norder = [\"comment\"]")), "comment");
}

#[test]
fn a_pattern_has_no_options_table() {
    let error = refusal(&format!("{}[rules.fat-arrow]\nx = 1", pattern_with("")));
    assert_eq!(error.to_string(), "c.toml:8:8: `fat-arrow` is a [[pattern]] and has no options here");
}

#[test]
fn neither_messages_nor_debug_quote_the_file() {
    const SECRET: &str = "s3cret canary";
    for text in [
        SECRET.to_owned(),
        format!("preset = \"{SECRET}\""),
        format!("root = \"{SECRET}\""),
        format!("max-risk = \"{SECRET}\""),
        format!("\"{SECRET}\" = 1"),
        format!("[rules]\nenable = [\"{SECRET}\"]"),
        format!("[rules.\"{SECRET}\"]"),
        format!("[rules.missing-comma]\nwords = \"{SECRET}\""),
        format!("[rules.missing-comma]\n\"{SECRET}\" = 1"),
        pattern_with(&format!("name = \"{SECRET}\"")),
        pattern_with(&format!("at = \"{SECRET}\"")),
        pattern_with(&format!("find = '({SECRET}'")),
        pattern_with(&format!("find = '{SECRET}{{3,1}}'")),
        pattern_with(&format!("find = '\"\"\"{SECRET}\nerror: unclosed group\n*)'")),
        pattern_with(&format!("replace = '${{{SECRET}}}'")),
    ] {
        let error = refusal(&text);
        let shown = format!("{error} {error:?} {:?}", std::error::Error::source(&error).is_some());
        assert!(!shown.contains("s3cret") && !shown.contains("canary"), "{shown}");
    }
    let config =
        Config::from_toml(&pattern_with(&format!("case = [{{ input = '{SECRET}', output = '{SECRET}' }}]")), "c");
    assert!(!format!("{config:?}").contains("canary"), "{config:?}");
}

#[test]
fn bombs_are_refused_cleanly() {
    let deep = [
        format!("a = {}", "[".repeat(100_000)),
        format!("a = {}", "{ b = ".repeat(100_000)),
        format!("a{} = 1", ".a".repeat(100_000)),
        format!("[a{}]", ".a".repeat(100_000)),
    ];
    for text in deep {
        let error = refusal(&text);
        assert_eq!(error.line(), Some(1));
        assert!(error.message().starts_with("not valid TOML"), "{error}");
    }
    let long = format!("# {}", "x".repeat(1 << 20));
    assert_eq!(refusal(&long).to_string(), "c.toml:1:1: the file is longer than 1 MiB");
    let wide = format!("[rules]\nenable = [{}]", "\"comment\",".repeat(80_000));
    assert_eq!(refusal(&wide).to_string(), "c.toml:2:21: rule `comment` is listed twice in `enable`");
}

#[test]
fn columns_count_characters_and_no_byte_order_mark() {
    assert_eq!(refusal("\u{feff}presett = 1").column(), Some(1));
    assert_eq!(refusal("[rules]\r\nenable = [ \"é\", \"coment\"]\r\n").column(), Some(12));
    assert_eq!(
        refusal("[rules]\nenable = [\"comment\", { rule = 'comment', before = '日本' }]").message().find('日'),
        None
    );
    assert_eq!(refusal("\"é\" = 1").column(), Some(1));
    assert_eq!(refusal("root = { \"日本\" = 1 }").column(), Some(8));
}
