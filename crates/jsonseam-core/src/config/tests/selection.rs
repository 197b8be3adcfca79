//! What is read from a file, what setters change, and which rules come out in which order.

use super::{BOLT, COMMENT, OTHER_TRAILING, TRAILING, catalogue, names, pattern_with, select};
use crate::config::Config;
use crate::config::catalogue::Catalogue;
use crate::config::select::{resolve, resolve_unselected};
use crate::edits::risk::Risk;
use crate::engine::Thresholds;
use crate::reading::expected::Expected;
use crate::reading::limits::Limits;
use crate::reading::wanted::{Policy, Root};

const FULL: &str = r#"
preset = "standard"
max-risk = "guess"
root = "any"
[rules]
enable = ["inner-quote", "acme/bear", { rule = "acme/fat-arrow", before = "missing-colon" }, "homeless"]
disable = ["single-quoted-string", "cut-member"]
[rules.missing-comma]
longest-arrow = 3
words = ["and", "or"]
[rules."acme/bear"]
longest_arrow = 0x10
[rules.cut-member]
[[pattern]]
name = "acme/colon"
at = ["colon", "end"]
find = '=(?<tail>.)'
replace = ':${tail}$$'
risk = "likely"
[[pattern.case]]
input = '{"a" => 1}'
output = '{"a" :>$ 1}'
[[pattern.case]]
input = 'x'
refused = true
[limits]
max-input-bytes = 4_294_967_295
max-depth = 100
max-edits = 0
[candidates]
policy = "best"
max = 3
"#;

#[test]
fn everything_is_read() {
    let config = Config::from_toml(FULL, "c.toml").expect("it is right");
    assert_eq!((config.preset(), config.max_risk()), ("standard", Some(Risk::Guess)));
    assert_eq!((config.root(), config.policy(), config.max_candidates()), (Root::Any, Policy::Best, 3));
    assert_eq!(config.limits(), Limits { max_input_bytes: 4_294_967_295, max_depth: 100, max_edits: Some(0) });
    let [pattern] = config.patterns() else { panic!("there is one pattern") };
    assert_eq!((pattern.name(), pattern.risk()), ("acme/colon", Risk::Likely));
    assert_eq!(pattern.answers(), [Expected::Colon, Expected::End]);
    assert_eq!(pattern.place().to_string(), "c.toml:14:1");
    let cases: Vec<_> = pattern.cases().iter().map(|case| (case.input(), case.output(), case.place().line)).collect();
    assert_eq!(cases, [("{\"a\" => 1}", Some("{\"a\" :>$ 1}"), 20), ("x", None, 23)]);
    assert_eq!(
        select(&config).expect("it is right").join(" "),
        "markdown-fence comment inner-quote trailing-comma acme/fat-arrow missing-colon missing-comma acme/bear homeless acme/colon"
    );
}

#[test]
fn no_damage_to_a_file_panics_or_loses_the_place() {
    let damaged = FULL.char_indices().flat_map(|(pos, character)| {
        let (before, after) = (&FULL[..pos], &FULL[pos + character.len_utf8()..]);
        [before.to_owned(), format!("{before}{after}"), format!("{before}\"{after}"), format!("{before}é{after}")]
    });
    for text in damaged {
        let error = Config::from_toml(&text, "c.toml").and_then(|config| select(&config)).err();
        assert!(error.is_none_or(|error| error.line().is_some() && error.column().is_some()), "{text}");
    }
}

#[test]
fn an_empty_file_is_the_default() {
    assert_eq!(names(""), "markdown-fence single-quoted-string trailing-comma missing-comma");
    let config = Config::from_toml("", "c.toml").expect("it is right");
    assert_eq!((config.preset(), config.root(), config.policy()), ("strict", Root::Object, Policy::First));
    assert_eq!((config.limits(), config.max_candidates(), config.max_risk()), (Limits::default(), 64, None));
}

#[test]
fn selection_has_one_order() {
    for (text, expected) in [
        (
            "preset = \"lenient\"",
            "markdown-fence comment single-quoted-string inner-quote trailing-comma missing-colon missing-comma cut-member",
        ),
        // A cap filters the preset silently; locators carry no risk.
        ("preset = \"lenient\"\nmax-risk = \"certain\"", "markdown-fence comment single-quoted-string trailing-comma"),
        // Extras stand where the largest preset has them, whatever the order of `enable`.
        (
            "[rules]\nenable = [\"cut-member\", \"missing-colon\", \"inner-quote\", \"comment\"]",
            "markdown-fence comment single-quoted-string inner-quote trailing-comma missing-colon missing-comma cut-member",
        ),
        (
            "[rules]\nenable = [\"missing-colon\"]",
            "markdown-fence single-quoted-string trailing-comma missing-colon missing-comma",
        ),
        // What a neighbour's place is does not depend on the neighbour being on.
        (
            "[rules]\nenable = [\"missing-colon\"]\ndisable = [\"trailing-comma\", \"single-quoted-string\"]",
            "markdown-fence missing-colon missing-comma",
        ),
        // What the preset holds already may be enabled, and what it lacks disabled.
        (
            "[rules]\nenable = [\"trailing-comma\"]\ndisable = [\"comment\"]",
            "markdown-fence single-quoted-string trailing-comma missing-comma",
        ),
        // Others come after, in the order of `enable`.
        (
            "[rules]\nenable = [\"bolt/nut\", \"acme/bear\", \"homeless\", \"cut-member\"]",
            "markdown-fence single-quoted-string trailing-comma missing-comma cut-member bolt/nut acme/bear homeless",
        ),
        // `before` moves, even a rule of the preset, even before one named later, even before one that is off.
        (
            "[rules]\nenable = [{ rule = \"missing-comma\", before = \"markdown-fence\" }]",
            "missing-comma markdown-fence single-quoted-string trailing-comma",
        ),
        (
            "[rules]\nenable = [{ rule = \"bolt/nut\", before = \"acme/bear\" }, \"homeless\", \"acme/bear\"]",
            "markdown-fence single-quoted-string trailing-comma missing-comma homeless bolt/nut acme/bear",
        ),
        (
            "[rules]\nenable = [{ rule = \"bolt/nut\", before = \"trailing-comma\" }]\ndisable = [\"trailing-comma\"]",
            "markdown-fence single-quoted-string bolt/nut missing-comma",
        ),
        // An order is exactly itself.
        (
            "preset = \"lenient\"\n[rules]\norder = [\"bolt/nut\", \"comment\", \"markdown-fence\"]",
            "bolt/nut comment markdown-fence",
        ),
        ("[rules]\norder = []", ""),
    ] {
        assert_eq!(names(text), expected, "{text}");
    }
}

#[test]
fn patterns_come_last_unless_placed() {
    let pattern = pattern_with("");
    assert_eq!(
        names(&format!("{pattern}[rules]\nenable = [\"bolt/nut\"]")),
        "markdown-fence single-quoted-string trailing-comma missing-comma bolt/nut fat-arrow"
    );
    assert_eq!(
        names(&format!("{pattern}[rules]\nenable = [{{ rule = \"fat-arrow\", before = \"trailing-comma\" }}]")),
        "markdown-fence single-quoted-string fat-arrow trailing-comma missing-comma"
    );
    assert_eq!(names(&format!("{pattern}[rules]\norder = [\"fat-arrow\", \"comment\"]")), "fat-arrow comment");
}

#[test]
fn a_size_may_have_a_unit_in_the_file_as_in_a_flag() {
    for (written, bytes) in
        [("64", 64), ("\"64\"", 64), ("\"64M\"", 64 << 20), ("\"2 KiB\"", 2048), ("\"1gb\"", 1 << 30)]
    {
        let config = Config::from_toml(&format!("[limits]\nmax-input-bytes = {written}"), "c.toml").expect(written);
        assert_eq!(config.limits().max_input_bytes, bytes, "{written}");
    }
    for wrong in ["", "0", "M", "-1", "1.5M", "4G", "5T", "ib", "64ib", "99999999999999999999", "6 4"] {
        assert_eq!(Limits::parse_size(wrong), None, "{wrong}");
    }
}

#[test]
fn setters_override_the_file() {
    let file = "preset = \"lenient\"\nmax-risk = \"lossy\"\nroot = \"any\"\n[rules]\nenable = [\"bolt/nut\"]\ndisable = [\"comment\"]\n[candidates]\npolicy = \"best\"\nmax = 5";
    let config = Config::from_toml(file, "c.toml")
        .expect("it is right")
        .with_preset("standard")
        .with_max_risk(Risk::Certain)
        .with_root(Root::Array)
        .with_policy(Policy::Last)
        .with_max_candidates(7)
        .with_limits(Limits { max_depth: 9, ..Limits::default() })
        .with_enabled("comment")
        .with_disabled("bolt/nut");
    assert_eq!((config.root(), config.policy(), config.max_candidates()), (Root::Array, Policy::Last, 7));
    assert_eq!(config.limits().max_depth, 9);
    assert_eq!(
        select(&config).expect("it is right").join(" "),
        "markdown-fence comment single-quoted-string trailing-comma"
    );
}

#[test]
fn a_flag_that_repeats_the_file_is_no_duplicate() {
    let mut config = Config::from_toml("[rules]\nenable = [\"comment\"]\ndisable = [\"trailing-comma\"]", "c.toml")
        .expect("it is right");
    config = config.with_enabled("comment");
    config = config.with_disabled("trailing-comma");
    assert_eq!(
        select(&config).expect("it is right").join(" "),
        "markdown-fence comment single-quoted-string missing-comma"
    );
}

#[test]
fn mistakes_made_in_code_have_no_place() {
    type Step = fn(Config) -> Config;
    let rows: [(Step, &str); 11] = [
        (|config| config.with_enabled("coment"), "unknown rule `coment`; did you mean `comment`?"),
        (|config| config.with_disabled("coment"), "unknown rule `coment`; did you mean `comment`?"),
        (|config| config.with_preset("standart"), "unknown preset `standart`; did you mean `standard`?"),
        (|config| config.with_order(&["coment"]), "unknown rule `coment`; did you mean `comment`?"),
        (|config| config.with_enabled("comment").with_enabled("comment"), "rule `comment` is listed twice in `enable`"),
        (
            |config| config.with_enabled("comment").with_disabled("comment"),
            "rule `comment` is both enabled and disabled",
        ),
        (
            |config| config.with_max_risk(Risk::Certain).with_enabled("cut-member"),
            "rule `cut-member` has the risk `lossy`, above `max-risk` = `certain`",
        ),
        (
            |config| config.with_order(&["comment"]).with_enabled("comment"),
            "`order` together with `enable`: `order` already names every rule that is asked",
        ),
        (
            |config| config.with_limits(Limits { max_depth: 128, ..Limits::default() }),
            "`max-depth` must be from 1 to 127",
        ),
        (
            |config| config.with_limits(Limits { max_input_bytes: usize::MAX, ..Limits::default() }),
            "`max-input-bytes` must be from 1 to 4294967295",
        ),
        (|config| config.with_max_candidates(0), "`candidates.max` must be at least 1"),
    ];
    for (step, message) in rows {
        let config = step(Config::default());
        let error = select(&config).expect_err(message);
        assert_eq!((error.file(), error.line(), error.column()), (None, None, None));
        assert_eq!(error.to_string(), message);
    }
}

#[test]
fn a_flag_beside_the_order_of_the_file_is_refused_at_that_order() {
    let config = Config::from_toml("[rules]\norder = [\"comment\"]", "c.toml")
        .expect("it is right")
        .with_enabled("trailing-comma");
    let error = select(&config).expect_err("it is refused");
    assert_eq!(
        error.to_string(),
        "c.toml:2:9: `order` together with `enable`: `order` already names every rule that is asked (`enable` was set in code or by a flag)"
    );
}

#[test]
fn the_cap_of_a_flag_turns_off_what_the_file_names_above_it() {
    let read = |text: &str| Config::from_toml(text, "c.toml").expect("it is right");
    let enabling = read("[rules]\nenable = [\"cut-member\", \"comment\"]").with_max_risk(Risk::Likely);
    assert!(!select(&enabling).expect("it is right").iter().any(|name| name == "cut-member"));
    assert!(select(&enabling).expect("it is right").iter().any(|name| name == "comment"));
    let ordered = read("[rules]\norder = [\"cut-member\", \"comment\"]").with_max_risk(Risk::Likely);
    assert_eq!(select(&ordered).expect("it is right"), ["comment"]);
    let pattern = read(&pattern_with("")).with_max_risk(Risk::Certain);
    assert!(!select(&pattern).expect("it is right").iter().any(|name| name == "fat-arrow"));
    // Whoever sets both in code made the mistake in code, though the file names the rule too.
    let error = select(&enabling.with_enabled("cut-member")).expect_err("it is refused");
    assert_eq!(error.to_string(), "rule `cut-member` has the risk `lossy`, above `max-risk` = `likely`");
}

#[test]
fn what_is_not_selected_comes_in_the_largest_order() {
    let catalogue = catalogue();
    let selected = resolve(&Config::default(), &catalogue).expect("it is right");
    let others = resolve_unselected(&catalogue, &selected);
    let names: Vec<&str> = others.iter().map(|other| other.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "comment",
            "inner-quote",
            "missing-colon",
            "cut-member",
            "bolt/nut",
            "homeless",
            "acme/fat-arrow",
            "acme/bear"
        ]
    );
}

#[test]
fn a_catalogue_without_presets_needs_none() {
    let catalogue = Catalogue::new(vec![&BOLT], &[]).expect("it is right");
    let mut config = Config::default().with_enabled("bolt/nut");
    assert_eq!(resolve(&config, &catalogue).expect("it is right").len(), 1);
    config = config.with_preset("strict");
    assert!(resolve(&config, &catalogue).is_err());
    let other = Catalogue::new(vec![&BOLT], &[("mine", Thresholds::default(), &["bolt/nut"])]).expect("it is right");
    let error = resolve(&Config::default(), &other).expect_err("there is no strict preset");
    assert_eq!(error.to_string(), "unknown preset `strict`; expected `mine` (`strict` is the default)");
}

#[test]
fn a_catalogue_refuses_two_rules_of_one_name_but_not_one_rule_twice() {
    let catalogue = Catalogue::new(vec![&TRAILING, &TRAILING], &[]).expect("one rule twice is one rule");
    let catalogue = catalogue.with(&TRAILING).expect("and a third time");
    assert_eq!(catalogue.rules().len(), 1);
    let error = catalogue.with(&OTHER_TRAILING).expect_err("another rule of that name");
    assert_eq!(error.to_string(), "two rules are named `trailing-comma`: `Idle` in tests.rs and `Idle` in tests.rs");
    assert_eq!(error.line(), None);
}

#[test]
fn linked_rules_are_discovered_in_the_order_of_names() {
    let catalogue = Catalogue::discovered(&[]).expect("no two rules of one name");
    assert!(catalogue.rule("bolt/nut").is_some_and(|rule| std::ptr::eq(rule, &raw const BOLT)));
    assert!(catalogue.rules().is_sorted_by_key(|rule| rule.name));
}

#[test]
fn presets_are_checked() {
    let mistakes: [(&[&str], &str); 2] = [
        (&["trailing-coma"], "preset `strict`: unknown rule `trailing-coma`; did you mean `trailing-comma`?"),
        (&["trailing-comma"; 2], "preset `strict`: two entries for rule `trailing-comma`"),
    ];
    for (rules, expected) in mistakes {
        let error = Catalogue::new(vec![&TRAILING], &[("strict", Thresholds::default(), rules)]).expect_err(expected);
        assert_eq!(error.to_string(), expected);
    }
    let presets = catalogue();
    let names: Vec<&str> = presets.presets().iter().map(|preset| preset.name.as_str()).collect();
    assert_eq!(names, ["strict", "standard", "lenient"]);
    assert_eq!(presets.preset("strict").map(|preset| preset.rules.len()), Some(4));
}

#[test]
fn a_former_name_selects_the_rule_under_the_name_it_has_now() {
    let catalogue = Catalogue::new(vec![&TRAILING, &COMMENT], &[("strict", Thresholds::default(), &["comment"])])
        .expect("it is right");
    let catalogue = catalogue.renaming(&[("last-comma", "trailing-comma")]).expect("the rule is known");
    assert_eq!(catalogue.rule("last-comma").map(|rule| rule.name), Some("trailing-comma"));
    let names = |text: &str| {
        let config = Config::from_toml(text, "c.toml").expect("the text is right");
        let selected = resolve(&config, &catalogue).expect("the names are known");
        (selected.into_iter().map(|rule| rule.name).collect::<Vec<_>>(), config.former_names(&catalogue))
    };
    let renamed = vec![("last-comma".to_owned(), "trailing-comma")];
    for text in [
        "[rules]\nenable = [{ rule = \"last-comma\", before = \"comment\" }]",
        "[rules]\norder = [\"last-comma\", \"comment\"]",
        "[rules]\nenable = [\"last-comma\"]\n[rules.last-comma]",
    ] {
        let (mut selected, former) = names(text);
        selected.sort_unstable();
        assert_eq!((selected, &former), (vec!["comment".to_owned(), "trailing-comma".to_owned()], &renamed), "{text}");
    }
    assert_eq!(names("[rules]\ndisable = [\"last-comma\"]").1, renamed);
    assert_eq!(names("[rules]\nenable = [\"trailing-comma\"]").1, []);
    let mistake = catalogue.renaming(&[("a", "b")]).expect_err("`b` is unknown");
    assert_eq!(mistake.to_string(), "former name `a`: unknown rule `b`");
}
