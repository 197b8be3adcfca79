//! The settings of the loop from a file, and the mistakes in it.

use std::time::Duration;

use jsonseam_core::Config;
use jsonseam_reask::{Echo, Mode, OnExhausted, OnTruncation, Retries, Scope, Settings, Temperature, Template};

const FULL: &str = r#"
preset = "standard"

[reask]
enabled = false
max-attempts = 4
strict = true
deadline = 60
token-budget = 9_000
on-exhausted = "fail"
gives-up = false
on-truncation = "ask-shorter"
scope = "failing-fields"
echo = "none"
temperature = "omit"
mode = "json-object"
fallback = ["text"]
tells-format = false
retries = 5
retry-base = 2
retry-cap = 20
template = "Mend: {{ errors | join(', ') }}"
"#;

#[test]
fn l9_every_setting_can_stand_in_the_file_of_the_engine() {
    let settings = Settings::from_toml(FULL, "jsonseam.toml").expect("the file is right");
    let mut expected = Settings::default();
    expected.enabled = false;
    expected.max_attempts = 4;
    expected.strict = true;
    expected.deadline = Duration::from_secs(60);
    expected.token_budget = Some(9_000);
    expected.on_exhausted = OnExhausted::Fail;
    expected.gives_up = Some(false);
    expected.on_truncation = OnTruncation::AskShorter;
    expected.scope = Scope::FailingFields;
    expected.echo = Echo::None;
    expected.temperature = Temperature::Omit;
    expected.mode = Mode::JsonObject;
    expected.fallback = vec![Mode::Text];
    expected.tells_format = false;
    expected.retries =
        Retries::default().with_count(5).with_base(Duration::from_secs(2)).with_cap(Duration::from_secs(20));
    expected.template = Template::new("Mend: {{ errors | join(', ') }}").ok();
    assert_eq!(settings, expected);
    assert!(Config::from_toml(FULL, "jsonseam.toml").is_ok(), "the engine passes over what is the loop's");
}

#[test]
fn every_key_is_tried_above() {
    for key in Settings::KEYS {
        assert!(FULL.lines().any(|line| line.starts_with(&format!("{key} = "))), "{key}");
    }
}

#[test]
fn l9_without_a_table_the_defaults_hold() {
    let settings = Settings::from_toml("preset = \"strict\"\n", "jsonseam.toml").expect("the file is right");
    assert_eq!(settings, Settings::default());
    assert_eq!((settings.enabled, settings.max_attempts, settings.deadline), (true, 2, Duration::from_secs(300)));
    assert_eq!((settings.on_exhausted, settings.on_truncation), (OnExhausted::Partial, OnTruncation::Stop));
    assert_eq!((settings.retries.count, settings.retries.max_rate_limited), (3, 10));
    assert_eq!(settings.max_requests(), 3);
}

#[test]
fn l9_every_mistake_is_told_with_its_place() {
    for (line, expected) in [
        ("max-atempts = 1", "f.toml:2:1: unknown key `max-atempts` in [reask]; did you mean `max-attempts`?"),
        ("max_attempts = 1", "f.toml:2:1: unknown key `max_attempts` in [reask]; did you mean `max-attempts`?"),
        (
            "preset = \"strict\"",
            "f.toml:2:1: unknown key `preset` in [reask]; it belongs at the top of the file, before the first table",
        ),
        ("max-attempts = -1", "f.toml:2:16: `max-attempts` must be a whole number from 0 to 100"),
        ("max-attempts = \"2\"", "f.toml:2:16: `max-attempts` must be a whole number from 0 to 100, not a string"),
        ("enabled = 1", "f.toml:2:11: `enabled` must be true or false, not a whole number"),
        ("deadline = 0", "f.toml:2:12: `deadline` must be a whole number from 1 to 86400"),
        ("temperature = \"3\"", "f.toml:2:15: `temperature` takes a number from 0 to 2, or `omit`, in quotes"),
        ("echo = \"anser\"", "f.toml:2:8: unknown value `anser` of `echo`; did you mean `answer`?"),
        ("scope = \"all\"", "f.toml:2:9: unknown value `all` of `scope`; expected `whole` or `failing-fields`"),
        ("fallback = \"text\"", "f.toml:2:12: `fallback` must be a list, not a string"),
        ("fallback = [\"txt\"]", "f.toml:2:13: unknown value `txt` of an entry of `fallback`; did you mean `text`?"),
        ("fallback = [1]", "f.toml:2:13: an entry of `fallback` must be a string, not a whole number"),
        ("fallback = [\"text\", \"text\"]", "f.toml:2:12: `fallback` names a mode twice"),
        (
            "template = \"{{ SECRET }}\"",
            "f.toml:2:12: `template`: the template uses a name that does not exist (line 1 of the template)",
        ),
    ] {
        let error = Settings::from_toml(&format!("[reask]\n{line}\n"), "f.toml").expect_err(line);
        assert_eq!(error.to_string(), expected);
    }
    assert_eq!(
        Settings::from_toml("reask = 1", "f.toml").expect_err("no table").to_string(),
        "f.toml:1:9: `reask` must be a table, not a whole number"
    );
    assert!(Config::from_toml("reask = 1", "f.toml").is_err());
}
