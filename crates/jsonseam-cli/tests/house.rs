//! D14: the command as a library, with the rules of a house. The template that `init --rules` writes is compiled here as it is.

mod common;

#[path = "../src/init/house/wavy_arrow.rs"]
mod wavy_arrow;

use std::process::ExitCode;

use common::place;

fn run(arguments: &[&str]) -> ExitCode {
    jsonseam_cli::run([["house"].as_slice(), arguments].concat())
}

#[test]
fn a_command_of_a_house_knows_its_rules_in_every_subcommand() {
    let here = place().with("a.json", "{\"a\" ~> 1}").with("in.jsonl", "{\"completion\":\"{\\\"a\\\" ~> 1}\"}\n");
    let with = here.with("jsonseam.toml", "[rules]\nenable = [\"acme/wavy-arrow\"]\n");
    let path = |name: &str| with.path(name).to_string_lossy().into_owned();
    let config = path("jsonseam.toml");
    assert_eq!(run(&["explain", "acme/wavy-arrow"]), ExitCode::SUCCESS);
    assert_eq!(run(&["config", "check", &config]), ExitCode::SUCCESS);
    let (input, output) = (path("in.jsonl"), path("out.jsonl"));
    assert_eq!(run(&["batch", "--config", &config, "--fail-on-refused", "-o", &output, &input]), ExitCode::SUCCESS);
    assert!(with.read("out.jsonl").contains("acme/wavy-arrow"));
    assert_eq!(run(&["repair", "--write", "--config", &config, &path("a.json")]), ExitCode::SUCCESS);
    assert_eq!(with.read("a.json"), "{\"a\" : 1}");
    assert_eq!(run(&["repair", "--enable", "acme/unknown", &path("a.json")]), ExitCode::from(2));
}

#[test]
fn init_writes_a_crate_of_its_own_name_and_replaces_none() {
    let here = place();
    let ran = here.run(&["init", "--rules", "north-wind-rules"]).exits(0);
    assert!(ran.text().contains("jsonseam init --rules north-wind-rules --path CLONE"), "{}", ran.text());
    let read = |name: &str| here.read(&format!("north-wind-rules/{name}"));
    assert!(read("src/main.rs").contains("use north_wind_rules as _;"));
    assert!(read("src/wavy_arrow.rs").contains("name: \"north-wind/wavy-arrow\""));
    assert!(read("src/wavy_arrow.toml").contains("north-wind/wavy-arrow"));
    let manifest = read("Cargo.toml");
    assert!(
        manifest.contains("name = \"north-wind-rules\"") && manifest.contains("jsonseam-cli = { version = \""),
        "{manifest}"
    );
    for file in ["Cargo.toml", "src/main.rs", "src/lib.rs", "src/wavy_arrow.rs", "src/wavy_arrow.toml", "jsonseam.toml"]
    {
        assert!(!read(file).contains("acme"), "{file}");
    }
    here.run(&["init", "--rules", "north-wind-rules"]).exits(2).says("exists already");
    for wrong in ["", "Acme", "a b", "../up", "-x"] {
        here.run(&["init", &format!("--rules={wrong}")]).exits(2);
    }
}

#[test]
fn a_crate_made_in_the_clone_or_beside_it_builds_and_names_no_directory_of_this_machine() {
    let here = place();
    for package in ["jsonseam", "jsonseam-cli", "jsonseam-testkit"] {
        std::fs::create_dir_all(here.path(&format!("crates/{package}"))).expect("it can be made");
        std::fs::create_dir_all(here.path(&format!("clone/crates/{package}"))).expect("it can be made");
    }
    for (name, checkout, written) in
        [("in-rules", ".", "../crates/jsonseam\""), ("beside-rules", "./clone", "../clone/crates/jsonseam\"")]
    {
        here.run(&["init", "--rules", name, "--path", checkout]).exits(0);
        let manifest = here.read(&format!("{name}/Cargo.toml"));
        assert!(manifest.contains(&format!("path = \"{written}")), "{manifest}");
        assert!(!manifest.contains(&*here.path("").to_string_lossy()), "{manifest}");
        // Of its own workspace, and the command is built only where it is wanted.
        assert!(manifest.contains("\n[workspace]\n"), "{manifest}");
        assert!(
            manifest.contains("required-features = [\"command\"]") && manifest.contains("optional = true"),
            "{manifest}"
        );
    }
    here.run(&["init", "--rules", "lost-rules", "--path", "nowhere"]).exits(2).says("no jsonseam");
    assert!(!here.path("lost-rules").exists());
}

/// The lines of the page of rules are those that `init` prints, so that who follows either does the same.
#[test]
fn the_page_of_rules_shows_the_lines_that_init_prints() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/writing-rules.md"));
    let page = page.expect("the page is there");
    let shown: String = page.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    let here = place();
    for package in ["jsonseam", "jsonseam-cli", "jsonseam-testkit"] {
        std::fs::create_dir_all(here.path(&format!("jsonseam/crates/{package}"))).expect("it can be made");
    }
    std::fs::create_dir(here.path("work")).expect("it can be made");
    let mut lines = shown.lines().map(|line| line.split("    #").next().unwrap_or_default().trim());
    let init = lines.next().and_then(|line| line.strip_prefix("jsonseam ")).expect("it begins with `init`");
    let mut command = here.command(&init.split(' ').collect::<Vec<_>>());
    let output = command.current_dir(here.path("work")).output().expect("it starts");
    let ran = common::Ran::from(output).exits(0);
    let told = format!("{}{}", ran.text(), ran.stderr);
    for line in lines {
        assert!(told.contains(line), "{line} is not in {told}");
    }
}

#[test]
fn a_name_with_a_prefix_says_how_such_rules_come_in() {
    place().run_on(&["repair", "--enable", "acme/null-word"], "{}").exits(2).says("jsonseam init --rules NAME");
    let here = place().with("jsonseam.toml", "[rules]\nenable = [\"acme/null-word\"]\n");
    here.run_on(&["repair"], "{}").exits(2).says("jsonseam.toml:2:").says("jsonseam init --rules NAME");
    place()
        .run_on(&["repair", "--enable", "comment,elipsis"], "{}")
        .exits(2)
        .says("`elipsis`; did you mean `ellipsis`?");
}
