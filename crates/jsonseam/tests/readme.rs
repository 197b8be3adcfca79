//! What the README and the reference pages show is what comes out. Its Rust examples are doctests of this crate.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use jsonseam::{Config, Pipeline, catalogue, pipeline};
use jsonseam_testkit::laws::LAWS;

fn read(path: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The fenced blocks of a page that carry this tag.
fn blocks<'p>(page: &'p str, tag: &str) -> Vec<&'p str> {
    let fence = format!("```{tag}\n");
    page.split(&fence).skip(1).map(|rest| rest.split("```").next().expect("a block ends")).collect()
}

fn standard() -> Pipeline {
    let config = Config::default().with_preset("standard");
    pipeline(&config).expect("the preset is built in")
}

/// The tests of the command compare the whole transcript.
#[test]
fn the_shipped_completion_keeps_what_the_readme_says_is_kept() {
    let completion = read("examples/completion.txt");
    let repaired = standard().repair(&completion).expect("the shipped completion is repaired");
    assert!(repaired.text().contains("97.40,") && repaired.text().contains("https://"));
}

#[test]
fn the_first_commands_of_the_readme_are_the_job_and_the_tests() {
    let page = read("README.md");
    let fences = page.lines().filter(|line| line.starts_with("```") && line.len() > 3).take(2).collect::<Vec<_>>();
    assert_eq!(fences, ["```sh", "```sh"]);
    let commands = blocks(&page, "sh");
    assert_eq!(
        commands[0],
        "cargo run --quiet --package jsonseam-cli -- repair --preset standard --explain examples/completion.txt\n"
    );
    assert_eq!(commands[1], "cargo test --workspace\n");
    assert!(page.lines().count() <= 150);
}

#[test]
fn every_feature_is_in_the_tables_and_the_readme_names_the_default_ones() {
    let manifest: toml::Table = read("crates/jsonseam/Cargo.toml").parse().expect("the manifest is TOML");
    let features = manifest["features"].as_table().expect("there are features");
    let (faq, face) = (read("docs/faq.md"), read("crates/jsonseam/src/lib.rs"));
    for feature in features.keys().filter(|name| *name != "default") {
        assert!(faq.contains(&format!("| `{feature}` |")), "{feature} is not in docs/faq.md");
        assert!(face.contains(&format!("//! | `{feature}` |")), "{feature} is not on the page of the crate");
    }
    let page = read("README.md");
    let line = page.lines().find(|line| line.starts_with("The features ")).expect("the README lists them");
    let named: BTreeSet<_> = line.split(" are on").next().unwrap_or_default().split('`').skip(1).step_by(2).collect();
    let default = features["default"].as_array().expect("a list").iter().filter_map(toml::Value::as_str).collect();
    assert_eq!(named, default);
}

#[test]
fn the_dependency_of_the_faq_names_features_that_there_are() {
    let page = read("docs/faq.md");
    let [block] = blocks(&page, "toml")[..] else { panic!("one block") };
    let manifest: toml::Table = block.parse().expect("it is TOML");
    let dependency = &manifest["dependencies"]["jsonseam"];
    let table: toml::Table = read("crates/jsonseam/Cargo.toml").parse().expect("the manifest is TOML");
    for feature in dependency["features"].as_array().expect("a list") {
        assert!(table["features"].get(feature.as_str().expect("a name")).is_some(), "{feature}");
    }
    assert_eq!(dependency["path"].as_str(), Some("../jsonseam/crates/jsonseam"));
}

#[test]
fn the_configurations_of_the_pages_hold_and_so_do_their_cases() {
    let pages = ["README.md", "docs/configuration.md", "docs/patterns.md", "docs/risk-and-presets.md"];
    let pages = pages.map(|page| (page, read(page)));
    let configurations =
        pages.iter().flat_map(|(name, page)| blocks(page, "toml").into_iter().map(move |block| (*name, block)));
    let configurations: Vec<_> = configurations.collect();
    assert_eq!(configurations.len(), 4);
    for (name, block) in configurations {
        let config = Config::from_toml(block, name).unwrap_or_else(|error| panic!("{error}"));
        let pipeline = pipeline(&config).unwrap_or_else(|error| panic!("{error}"));
        for case in config.patterns().iter().flat_map(jsonseam::Pattern::cases) {
            let given = pipeline.repair(case.input()).ok().map(|repaired| repaired.into_text().into_owned());
            assert_eq!(given.as_deref(), case.output());
        }
    }
}

#[test]
fn the_readme_lists_the_rules_of_the_default_preset() {
    let page = read("README.md");
    let catalogue = catalogue().expect("the built-in catalogue is right");
    let strict = catalogue.presets().iter().find(|preset| preset.name == "strict").expect("there is a default preset");
    let row = page.lines().find(|line| line.starts_with("| `strict`")).expect("the table has its row");
    let named: BTreeSet<_> = row.split('`').skip(3).step_by(2).collect();
    assert_eq!(named, strict.rules.iter().map(String::as_str).collect());
}

#[test]
fn the_page_of_guarantees_names_every_law() {
    let page = read("docs/guarantees.md");
    for law in LAWS {
        assert!(page.contains(&format!("`{}`", law.name)), "law {}", law.name);
    }
}

/// The refusals and answers that the scoreboard claims for jsonseam, in the last column of its small inputs.
#[test]
fn the_comparison_tells_the_truth_about_ourselves() {
    let config = Config::default().with_preset("standard").with_root(jsonseam::Root::Any);
    let pipeline = pipeline(&config).expect("the preset is built in");
    let page = read("docs/scoreboard.md");
    let rows: Vec<_> = page
        .lines()
        .skip_while(|line| !line.starts_with("| input |"))
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .collect();
    assert_eq!(rows.len(), 6);
    for row in rows {
        let cells: Vec<_> = row.split(" | ").collect();
        let input = cells[0].split('`').nth(1).expect("an input in back-ticks");
        let claim = cells[3];
        match pipeline.repair(input) {
            Ok(repaired) => {
                assert_eq!(claim.split('`').nth(1), Some(repaired.text()), "{row}");
                assert_eq!(claim.contains("truncated"), repaired.is_truncated(), "{row}");
            }
            Err(refusal) => {
                assert!(claim.starts_with("refused"), "{row}: {refusal}");
                assert_eq!(claim.contains("`truncated`"), refusal.reason() == jsonseam::Reason::Truncated, "{row}");
            }
        }
    }
}
