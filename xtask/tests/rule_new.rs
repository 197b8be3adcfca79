//! `cargo xtask rule new`, on a copy of the workspace: what it writes compiles and keeps every law.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Copies what a build needs, and nothing that a build makes.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        let is_left_out = ["target", ".git", "corpus"].iter().any(|left_out| name == *left_out);
        if is_left_out {
            continue;
        }
        let target = to.join(&name);
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// A fresh copy of the workspace, in a folder of its own.
fn fresh_copy(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("the folder of the last run can be removed");
    }
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    copy(package.parent().expect("xtask has a parent"), &folder).expect("the workspace is copied");
    folder
}

/// Makes the packages of the copy others than those of the workspace: cargo names what it compiles by the package and its place in the workspace,
/// so one that has no dependencies would take the place of the workspace's own, in the midst of the tests that need it.
fn give_another_version(copy: &Path) {
    let manifest = copy.join("Cargo.toml");
    let text = fs::read_to_string(&manifest).expect("the manifest is there");
    let version = concat!("\nversion = \"", env!("CARGO_PKG_VERSION"));
    assert_eq!(text.matches(version).count(), 1);
    fs::write(manifest, text.replace(version, &format!("{version}+copy"))).expect("the manifest can be written");
}

fn rule_new(workspace: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xtask"))
        .arg("--workspace")
        .arg(workspace)
        .args(["rule", "new"])
        .args(arguments)
        .output()
        .expect("the task starts")
}

fn last_line(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().last().unwrap_or_default().to_owned()
}

/// What the copy compiles anew, for six tests: to optimise it takes longer than it saves.
const UNOPTIMISED: [&str; 5] =
    ["jsonseam-core", "jsonseam-rules", "jsonseam-simd", "jsonseam-testkit", "jsonseam-text"];

#[test]
fn a_new_rule_compiles_and_keeps_every_law() {
    let workspace = fresh_copy("rule-new");
    let made = rule_new(&workspace, &["section-mark", "--group", "between"]);
    assert!(made.status.success(), "{made:?}");
    assert!(last_line(&made).starts_with("PASS "), "{made:?}");

    let presets = fs::read_to_string(workspace.join("rules/src/presets.rs")).expect("the presets are there");
    assert_eq!(presets.matches("(between::section_mark::SectionMark::REGISTRATION, Lenient),").count(), 1);

    give_another_version(&workspace);
    // What the dependencies compile to is shared with the build of this test.
    let target = Path::new(env!("CARGO_BIN_EXE_xtask")).ancestors().nth(2).expect("binaries lie two folders down");
    let tested = Command::new(env!("CARGO"))
        .current_dir(&workspace)
        .env("CARGO_TARGET_DIR", target)
        .args(
            UNOPTIMISED
                .iter()
                .flat_map(|package| ["--config".to_owned(), format!("profile.dev.package.{package}.opt-level=0")]),
        )
        .args(["test", "--offline", "--quiet", "--package", "jsonseam-rules", "--lib", "section_mark"])
        .output()
        .expect("cargo starts");
    let shown = String::from_utf8_lossy(&tested.stdout);
    assert!(
        tested.status.success() && shown.contains("6 passed"),
        "{shown}{}",
        String::from_utf8_lossy(&tested.stderr)
    );

    let again = rule_new(&workspace, &["section-mark", "--group", "between"]);
    assert_eq!(again.status.code(), Some(1));
    assert!(last_line(&again).starts_with("FAIL "), "{again:?}");
}

#[test]
fn bad_names_leave_nothing_behind() {
    let workspace = fresh_copy("rule-new-refused");
    let before = fs::read_to_string(workspace.join("rules/src/between.rs")).expect("it is there");
    for name in ["Trailing-Comma", "a_b", "match", "trailing-comma", "acme/arrow"] {
        let refused = rule_new(&workspace, &[name, "--group", "between"]);
        assert_eq!(refused.status.code(), Some(1), "{name}");
        assert!(last_line(&refused).starts_with("FAIL "), "{name}");
    }
    let after = fs::read_to_string(workspace.join("rules/src/between.rs")).expect("it is there");
    assert_eq!(before, after);
}

#[test]
fn a_rule_goes_to_its_smallest_preset() {
    let workspace = fresh_copy("rule-new-standard");
    let made = rule_new(&workspace, &["section-mark", "--group", "between", "--preset", "standard"]);
    assert!(made.status.success(), "{made:?}");
    let presets = fs::read_to_string(workspace.join("rules/src/presets.rs")).expect("the presets are there");
    assert_eq!(presets.matches("(between::section_mark::SectionMark::REGISTRATION, Standard),").count(), 1);
}
