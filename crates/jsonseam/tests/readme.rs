//! What the README shows is what comes out. Its Rust examples are doctests of this crate.

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
    let mut config = Config::default();
    config.set_preset("standard");
    pipeline(&config).expect("the preset is built in")
}

#[test]
fn the_shipped_completion_is_repaired_as_the_readme_shows() {
    let (page, completion) = (read("README.md"), read("examples/completion.txt"));
    let repaired = standard().repair(&completion).expect("the shipped completion is repaired");
    let shown = *blocks(&page, "text").first().expect("the README shows an output");
    let count = format!("repaired, {} edits", repaired.edits().len());
    assert!(shown.contains(&count), "{count}");
    let payload = repaired.payload();
    let place = format!("payload: bytes {}..{} of {};", payload.start, payload.end, completion.len());
    assert!(shown.contains(&place), "{place}");
    let shown: Vec<_> = shown.lines().filter_map(|line| line.rsplit_once("^ ").or(line.rsplit_once("^… "))).collect();
    let shown: Vec<_> = shown.iter().filter_map(|(_, edit)| edit.split_once("):")).map(|(edit, _)| edit).collect();
    let made: Vec<_> = repaired.edits().map(|seam| format!("{} ({}", seam.rule, seam.risk)).collect();
    assert_eq!(shown, made);
    assert!(repaired.text().contains("97.40,") && repaired.text().contains("https://"));
}

#[test]
fn the_configuration_of_the_readme_holds_and_so_do_its_cases() {
    let page = read("README.md");
    // The contract files among them are tried by the tests of the command.
    let configurations: Vec<_> =
        blocks(&page, "toml").into_iter().filter(|block| !block.contains("[outputs.")).collect();
    assert!(!configurations.is_empty());
    for block in configurations {
        let config = Config::from_toml(block, "README.md").unwrap_or_else(|error| panic!("{error}"));
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
fn the_readme_names_every_law() {
    let page = read("README.md");
    for law in LAWS {
        assert!(page.contains(&format!("`{}`", law.name)), "law {}", law.name);
    }
}

/// The refusals and answers that the README claims for jsonseam, in the last column of its comparison.
#[test]
fn the_comparison_tells_the_truth_about_ourselves() {
    let mut config = Config::default();
    config.set_preset("standard");
    config.set_root(jsonseam::Root::Any);
    let pipeline = pipeline(&config).expect("the preset is built in");
    let page = read("README.md");
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
