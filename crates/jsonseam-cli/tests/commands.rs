//! The small commands: check, rules, explain, init, config check, completions, man.

mod common;

use common::place;

#[test]
fn check_accepts_every_valid_text_and_no_other() {
    for valid in ["{}", "[1]", "42", "\"x\"", "null\n", " {\"a\":1}\r\n", "\"\\ud800\"", "1e400", "{\"a\":1,\"a\":2}"] {
        place().run_on(&["check"], valid).exits(0).stays_silent();
    }
    for invalid in
        ["", " ", "{", "{\"a\":1,}", "\u{feff}{}", "x {\"a\":1} y", "```json\n{}\n```", "[1]]", "{} {}", "NaN", "'a'"]
    {
        let ran = place().run_on(&["check"], invalid).exits(1).prints("");
        assert!(ran.stderr.starts_with("jsonseam: <stdin>"), "{invalid}: {}", ran.stderr);
    }
}

#[test]
fn check_tells_the_place_and_goes_on() {
    let here = place().with("a.json", "{\n\"a\" 1}").with("b.json", "{}").with("c.json", "[1,]");
    here.run(&["check", "a.json", "b.json", "c.json"]).exits(1).says("a.json:2:5: ").says("c.json:1:4: ");
    here.run(&["check", "a.json", "gone.json", "c.json"]).exits(2).says("c.json:1:4: ");
}

#[test]
fn check_keeps_to_the_limits_and_to_an_explicit_root() {
    let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    place().run_on(&["check"], deep(127)).exits(0);
    place().run_on(&["check"], deep(128)).exits(1).says("max-depth");
    place().run_on(&["check"], deep(1_000_000)).exits(1);
    place().run_on(&["check", "--root", "object"], "[1]").exits(1);
    place().run_on(&["check", "--preset", "lenient"], "{\"a\":1,}").exits(1);
}

/// D47: the engine flags of `check` name another default root, because it takes any.
#[test]
fn the_help_of_check_tells_its_own_root_and_what_the_engine_flags_do() {
    let help = place().run(&["check", "--help"]).exits(0).text().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("What the outermost value must be [default: object; of `check`: any]"), "{help}");
    assert!(help.contains("rules affect only the hint printed after a refusal"), "{help}");
    place().run_on(&["check"], "[1]").exits(0);
    place().run_on(&["check", "--root", "object"], "[1]").exits(1);
    place().run_on(&["check", "--max-input-bytes", "2"], "[1]").exits(1);
    place()
        .run_on(&["check", "--preset", "standard"], "[1,]")
        .exits(1)
        .says("`jsonseam repair --preset standard --root any` repairs it");
    place().run_on(&["check"], "[None]").exits(1).says("`jsonseam repair --preset standard --root any` repairs it");
    place().run_on(&["check"], "{\"a\":1,}").exits(1).says("`jsonseam repair` repairs it");
}

/// D46: advice takes a repair for each preset, which a long text need not wait for.
#[test]
fn a_long_text_that_is_refused_gets_no_advice_that_takes_longer_than_the_repair() {
    let here = place().with("a.json", format!("[{}1 2 x]", "1,".repeat(3 << 20)));
    here.run(&["check", "a.json"]).exits(1).says("what repairs a text of 6 MiB is not looked for");
    here.run(&["repair", "--root", "any", "a.json"]).exits(1).says("what repairs a text of 6 MiB is not looked for");
}

#[test]
fn rules_lists_every_rule_with_its_risk_and_presets() {
    let ran = place().run(&["rules"]).exits(0);
    let line = ran.text().lines().find(|line| line.starts_with("trailing-comma ")).expect("the rule is listed");
    assert!(line.contains("certain") && line.contains("strict,standard,lenient"), "{line}");
    let names: Vec<&str> = ran.text().lines().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.is_sorted() && names.len() >= 15, "{names:?}");
}

#[test]
fn rules_shows_which_rules_the_configuration_in_force_turns_on() {
    let pattern = "[[pattern]]\nname = \"star\"\nat = \"value\"\nfind = '\\*'\nreplace = ' '\nrisk = \"lossy\"\n";
    let here = place()
        .with("jsonseam.toml", format!("[rules]\nenable = [\"comment\"]\ndisable = [\"trailing-comma\"]\n{pattern}"));
    let state = |arguments: &[&str], preset: Option<&str>, rule: &str| {
        let mut command = here.command(arguments);
        if let Some(preset) = preset {
            command.env("JSONSEAM_PRESET", preset);
        }
        let ran = common::Ran::from(command.output().expect("it starts")).exits(0);
        let is_rule = |line: &&str| line.split_whitespace().next() == Some(rule);
        let line = ran.text().lines().find(is_rule).unwrap_or_else(|| panic!("{rule}: {}", ran.text())).to_owned();
        line.split_whitespace().nth(1).expect("a second column").to_owned()
    };
    for (rule, expected) in [
        ("comment", "on"),
        ("trailing-comma", "off"),
        ("single-quoted-string", "on"),
        ("unquoted-key", "off"),
        ("star", "on"),
        ("RULE", "ON"),
    ] {
        assert_eq!(state(&["rules"], None, rule), expected, "{rule}");
    }
    assert_eq!(state(&["rules"], Some("standard"), "unquoted-key"), "on");
    assert_eq!(state(&["rules", "--preset", "standard"], None, "unquoted-key"), "off");
    here.run(&["rules", "--config", "missing.toml"]).exits(2).prints("");
}

#[test]
fn rules_of_a_preset_stand_in_their_order() {
    let ran = place().run(&["rules", "--preset", "strict"]).exits(0);
    let names: Vec<&str> = ran.text().lines().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
    let expected = [
        "reasoning-block",
        "markdown-fence",
        "surrounding-prose",
        "invisible-character",
        "smart-quoted-string",
        "single-quoted-string",
        "trailing-comma",
        "missing-comma-after-scalar",
        "missing-comma-after-container",
    ];
    assert_eq!(names, expected);
    place().run(&["rules", "--preset", "strikt"]).exits(2).prints("").says("strict");
}

#[test]
fn explain_shows_the_documentation_of_every_rule() {
    let here = place();
    let rules = here.run(&["rules"]);
    for name in rules.text().lines().skip(1).filter_map(|line| line.split_whitespace().next()) {
        let ran = here.run(&["explain", name]).exits(0);
        for part in [name, "# What", "# Why", "# Example", "# Limits"] {
            assert!(ran.text().contains(part), "{part} is missing in {}", ran.text());
        }
    }
    here.run(&["explain", "trailing-coma"]).exits(2).prints("").says("`trailing-coma`").says("`trailing-comma`");
}

#[test]
fn a_former_name_of_a_rule_works_with_a_warning() {
    let here = place();
    let warning = "warning: the rule `fence-behind-text` is now called `fence-after-text`";
    let ran = here.run(&["explain", "fence-behind-text"]).exits(0).says(warning);
    assert!(ran.text().starts_with("fence-after-text\n"), "{}", ran.text());
    here.run(&["check", "--enable", "fence-behind-text", "nothing.json"]).says(warning);
    for (former, name) in [("bare-point", "bare-decimal-point"), ("wrong-colon", "other-language-colon")] {
        let warning = format!("warning: the rule `{former}` is now called `{name}`");
        here.run(&["check", "--disable", former, "nothing.json"]).says(&warning);
    }
}

#[test]
fn init_writes_a_configuration_that_holds_and_replaces_none() {
    let here = place();
    here.run(&["config", "check"]).exits(2).says("jsonseam init");
    here.run(&["init"]).exits(0);
    here.run(&["config", "check"]).exits(0).prints("jsonseam.toml: ok, preset strict, 9 rules\n");
    here.run_on(&["repair"], "{\"a\":1,}").exits(0).prints("{\"a\":1}");
    let here = here.with("jsonseam.toml", "preset = \"standard\"");
    here.run(&["init"]).exits(2).says("exists already");
    assert_eq!(here.read("jsonseam.toml"), "preset = \"standard\"");
}

/// Every line of the template that is commented out must hold too when the comment mark goes.
#[test]
fn the_comments_of_the_template_hold_as_well() {
    let here = place();
    here.run(&["init"]).exits(0);
    let template = here.read("jsonseam.toml");
    let is_setting =
        |line: &str| line.contains(" = ") && line.split(" = ").next().is_some_and(|name| !name.contains(' '));
    let mut open = String::new();
    for line in template.lines() {
        let inner = line.strip_prefix("# ").unwrap_or(line);
        let is_shown = inner.starts_with('[') || is_setting(inner);
        // `order` excludes `enable` and `disable`.
        open.push_str(if is_shown && !inner.starts_with("order") { inner } else { "" });
        open.push('\n');
    }
    assert!(open.contains("[[pattern]]\nname = \"fat-arrow\""), "{open}");
    here.with("open.toml", &open).run(&["config", "check", "open.toml"]).exits(0);
}

#[test]
fn config_check_takes_the_file_as_an_argument_or_by_flag() {
    let here = place().with("c.toml", "preset = \"lenient\"");
    let by_argument = here.run(&["config", "check", "c.toml"]).exits(0);
    assert!(by_argument.text().starts_with("c.toml: ok, preset lenient"));
    here.run(&["config", "check", "--config", "c.toml"]).exits(0).prints(by_argument.text());
    here.run(&["config", "check", "--config", "c.toml", "c.toml"]).exits(2);
}

#[test]
fn config_check_runs_the_cases_of_patterns() {
    let arrow = "[[pattern]]\nname = \"fat-arrow\"\nat = \"colon\"\nfind = '=>'\nreplace = \":\"\nrisk = \"likely\"\n";
    let config = |verdict: &str| format!("{arrow}[[pattern.case]]\ninput = '{{\"a\" => 1}}'\n{verdict}\n");
    place().with("c.toml", config("output = '{\"a\" : 1}'")).run(&["config", "check", "c.toml"]).exits(0);
    for wrong in ["output = '{\"a\" : 2}'", "refused = true"] {
        place().with("c.toml", config(wrong)).run(&["config", "check", "c.toml"]).exits(2).says("c.toml:7:");
    }
}

#[test]
fn config_check_warns_of_a_pattern_that_other_rules_precede() {
    let here = |replace: &str, disable: &str| {
        let pattern = format!(
            "preset = \"standard\"\n[rules]\ndisable = [{disable}]\n[[pattern]]\nname = \"yes\"\nat = \"value\"\n\
            find = 'True'\nreplace = \"{replace}\"\nrisk = \"lossy\"\n[[pattern.case]]\ninput = '[True]'\noutput = '[{replace}]'\n"
        );
        place().with("c.toml", pattern)
    };
    here("1", "")
        .run(&["config", "check", "c.toml"])
        .exits(0)
        .says("the pattern `yes` repairs none")
        .says("`python-literal`");
    let free = here("1", "\"python-literal\"").run(&["config", "check", "c.toml"]).exits(0);
    assert_eq!(free.stderr, "");
}

#[test]
fn config_show_tells_the_search() {
    let here = place().with("jsonseam.toml", "preset = \"lenient\"\n[search]\nveto = 200\n");
    let ran = here.run(&["config", "show"]).exits(0);
    let shown = ran.text();
    for line in
        ["search.margin = 40  # default\n", "search.veto = 200  # jsonseam.toml\n", "search.beam = 4  # default\n"]
    {
        assert!(shown.contains(line), "{shown}");
    }
}

#[test]
fn check_tells_the_recognisers_own_fault_for_every_root() {
    place().run_on(&["check"], "42 x").exits(1).says(":1:4: ").says("expected the end of the text");
    place().run_on(&["check"], "\"abc").exits(1).says("truncated");
}

#[test]
fn a_preset_flag_overrides_the_order_of_the_file() {
    let here = place().with("jsonseam.toml", "[rules]\norder = [\"trailing-comma\"]\n");
    here.run_on(&["repair"], "{\"a\":1,/*x*/}").exits(1);
    here.run_on(&["repair", "--preset", "standard"], "{\"a\":1,/*x*/}").exits(0).prints("{\"a\":1}");
}

#[test]
fn an_ambiguity_names_only_the_policies_that_are_not_in_force() {
    place().run_on(&["repair"], "a {\"x\":1} b {\"y\":2}").exits(1).says("--candidates last or best");
}
