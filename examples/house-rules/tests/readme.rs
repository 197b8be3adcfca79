//! What the README quotes is what the files and the messages are.

use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../README.md");

/// A fence whose info string names a file, and the text of its block.
fn quoted_files() -> Vec<(&'static str, String)> {
    let mut quoted: Vec<(&str, String)> = Vec::new();
    let mut lines = README.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else {
            continue;
        };
        let block: String = lines
            .by_ref()
            .take_while(|line| *line != "```")
            .flat_map(|line| [line, "\n"])
            .collect();
        if let Some((_, file)) = info.split_once(' ') {
            quoted.push((file, block));
        }
    }
    quoted
}

#[test]
fn every_quoted_file_begins_as_the_file_does() {
    let quoted = quoted_files();
    assert_eq!(
        quoted.iter().map(|(file, _)| *file).collect::<Vec<_>>(),
        [
            "src/lib.rs",
            "src/fat_arrow.rs",
            "src/fat_arrow.toml",
            "house-rules.toml",
            "src/guillemets.rs"
        ]
    );
    for (file, block) in quoted {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let text = std::fs::read_to_string(path).expect("the file is readable");
        assert!(text.starts_with(&block), "{file} has changed");
        assert!(
            ["src/fat_arrow.toml", "src/lib.rs"].contains(&file) || text == block,
            "{file} is longer"
        );
    }
}

#[test]
fn the_quoted_run_is_what_the_binary_prints() {
    let output = Command::new(env!("CARGO_BIN_EXE_house-rules"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .arg("completion.txt")
        .output()
        .expect("the binary runs");
    let (text, seams) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(README.contains(&format!("```text\n{text}\n{seams}```\n")));
}

#[test]
fn the_quoted_mistake_is_what_the_configuration_reports() {
    use house_rules as _;
    let text = include_str!("../house-rules.toml").to_owned() + "alsoo = []\n";
    let config = jsonseam::Config::from_toml(&text, "house-rules.toml").expect("it is TOML");
    let error = jsonseam::pipeline(&config).expect_err("there is no such option");
    assert!(
        README.contains(&format!("```text\n{error}\n```\n")),
        "{error}"
    );
}
