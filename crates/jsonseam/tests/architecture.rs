//! The map does not lie: the pages name what exists, and the crates depend on each other as drawn.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use jsonseam::{Config, pipeline};

const ARCHITECTURE: &str = "docs/architecture.md";
const PAGES: [&str; 9] = [
    ARCHITECTURE,
    "README.md",
    "CONTRIBUTING.md",
    "docs/contracts.md",
    "docs/design.md",
    "docs/guarantees.md",
    "docs/reask.md",
    "docs/security.md",
    "docs/writing-rules.md",
];

/// What each crate of this project may depend on, of this project: always, and in its tests.
/// Core is never tested with the testkit, which depends on it: it would be linked twice.
const ARROWS: [(&str, &[&str], &[&str]); 13] = [
    ("jsonseam-simd", &[], &[]),
    ("jsonseam-text", &["jsonseam-simd"], &[]),
    ("jsonseam-core", &["jsonseam-simd", "jsonseam-text"], &[]),
    ("jsonseam-keyset", &["jsonseam-text"], &[]),
    ("jsonseam-schema", &["jsonseam-text"], &[]),
    (
        "jsonseam-adapter",
        &["jsonseam-core", "jsonseam-keyset", "jsonseam-schema", "jsonseam-text"],
        &["jsonseam-rules", "jsonseam-testkit"],
    ),
    (
        "jsonseam-toolcall",
        &["jsonseam-core", "jsonseam-keyset", "jsonseam-schema", "jsonseam-text"],
        &["jsonseam-rules", "jsonseam-testkit"],
    ),
    (
        "jsonseam-reask",
        &["jsonseam-adapter", "jsonseam-core", "jsonseam-text"],
        &["jsonseam-rules", "jsonseam-testkit"],
    ),
    ("jsonseam-rules", &["jsonseam-core"], &["jsonseam-testkit"]),
    ("jsonseam-testkit", &["jsonseam-core", "jsonseam-text"], &[]),
    (
        "jsonseam",
        &["jsonseam-adapter", "jsonseam-core", "jsonseam-reask", "jsonseam-rules", "jsonseam-toolcall"],
        &["jsonseam-testkit"],
    ),
    ("jsonseam-cli", &["jsonseam", "jsonseam-text"], &["jsonseam-testkit"]),
    ("xtask", &["jsonseam", "jsonseam-testkit", "jsonseam-text"], &[]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every file below a folder with this ending, relative to the folder, with slashes.
fn files(folder: &Path, ending: &str) -> Vec<String> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else { return found };
    for entry in entries {
        let path = entry.expect("the folder is readable").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("names are UTF-8").to_owned();
        if path.is_dir() {
            if name != "target" && !name.starts_with('.') {
                found.extend(files(&path, ending).into_iter().map(|inner| format!("{name}/{inner}")));
            }
        } else if name.ends_with(ending) {
            found.push(name);
        }
    }
    found.sort();
    found
}

/// What is in back-ticks on a page, fenced blocks aside.
fn quoted(page: &str) -> Vec<String> {
    let mut is_fenced = false;
    let mut quoted = Vec::new();
    for line in page.lines() {
        if line.starts_with("```") {
            is_fenced = !is_fenced;
        } else if !is_fenced {
            quoted.extend(line.split('`').skip(1).step_by(2).map(str::to_owned));
        }
    }
    quoted
}

/// Whether a quoted text is meant as a path of this project: it starts in a folder of the root, or is a file by its ending.
fn is_path(text: &str) -> bool {
    const FOLDERS: [&str; 8] = ["crates/", "rules/", "corpus/", "docs/", "examples/", "fuzz/", "xtask/", ".ci/"];
    let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-./".contains(&byte));
    let is_file = [".rs", ".md", "/"].iter().any(|ending| text.ends_with(ending));
    is_plain && !text.starts_with('/') && (is_file || FOLDERS.iter().any(|folder| text.starts_with(folder)))
}

/// The sections of the map, each with the crate's folder of sources that its short names belong to.
fn sections(page: &str) -> Vec<(PathBuf, &str)> {
    page.split("\n## ")
        .map(|section| {
            let title = section.lines().next().unwrap_or_default();
            let folder = root().join(title).join("src");
            (if folder.is_dir() { folder } else { root() }, section)
        })
        .collect()
}

#[test]
fn every_path_that_is_named_exists() {
    let mut missing = Vec::new();
    for page in PAGES {
        let text = read(page);
        for (folder, section) in sections(&text) {
            for path in quoted(section).into_iter().filter(|text| is_path(text)) {
                let is_known = root().join(&path).exists() || folder.join(&path).exists() || is_module(&path);
                if !is_known {
                    missing.push(format!("{page}: `{path}`"));
                }
            }
        }
        let folder = root().join(page).parent().expect("a page is in a folder").to_owned();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = link.split('#').next().unwrap_or_default();
            if !link.contains("://") && !path.is_empty() && !folder.join(path).exists() {
                missing.push(format!("{page}: link to {link}"));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// Outside its own section, a module of the engine goes by its short name.
fn is_module(path: &str) -> bool {
    root().join("crates/jsonseam-core/src").join(path).exists()
}

#[test]
fn every_name_of_a_test_or_question_is_found_in_the_sources() {
    let mut sources = String::new();
    for (folder, ending) in [("crates", ".rs"), ("rules", ".rs"), ("xtask", ".rs"), ("bindings/python/tests", ".py")] {
        for file in files(&root().join(folder), ending) {
            sources.push_str(&read(format!("{folder}/{file}")));
        }
    }
    let is_name = |text: &str| {
        text.matches('_').count() >= 2
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || b"_0123456789".contains(&byte))
    };
    for page in PAGES {
        for name in quoted(&read(page)).into_iter().filter(|text| is_name(text)) {
            assert!(sources.contains(&name), "{page}: `{name}` is in no source");
        }
    }
}

/// The manifests of the workspace, by name of the package.
fn manifests() -> BTreeMap<String, toml::Table> {
    let workspace: toml::Table = read("Cargo.toml").parse().expect("the manifest is TOML");
    let members = workspace["workspace"]["members"].as_array().expect("members are a list");
    let members = members.iter().map(|member| member.as_str().expect("a member is a path"));
    let folders = members.flat_map(|member| match member.strip_suffix("/*") {
        Some(parent) => crates_in(parent),
        None => vec![member.to_owned()],
    });
    let manifest = |folder: String| {
        let manifest: toml::Table = read(format!("{folder}/Cargo.toml")).parse().expect("the manifest is TOML");
        (manifest["package"]["name"].as_str().expect("a package has a name").to_owned(), manifest)
    };
    folders.map(manifest).collect()
}

/// The folders in `parent` that hold a crate.
fn crates_in(parent: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join(parent)).expect("the folder is readable");
    let names = entries.map(|entry| entry.expect("the folder is readable").file_name().to_string_lossy().into_owned());
    let folders = names.map(|name| format!("{parent}/{name}"));
    folders.filter(|folder| root().join(folder).join("Cargo.toml").exists()).collect()
}

/// The names in a table of dependencies, for any target.
fn dependencies(manifest: &toml::Table, kind: &str) -> BTreeSet<String> {
    let of = |table: &toml::Table| -> Vec<String> {
        table.get(kind).and_then(toml::Value::as_table).map(|table| table.keys().cloned().collect()).unwrap_or_default()
    };
    let targets = manifest.get("target").and_then(toml::Value::as_table);
    let of_targets = targets.into_iter().flat_map(toml::Table::values).filter_map(toml::Value::as_table).flat_map(of);
    of(manifest).into_iter().chain(of_targets).collect()
}

#[test]
fn the_crates_depend_on_each_other_as_drawn() {
    let manifests = manifests();
    for (name, manifest) in &manifests {
        let arrow = ARROWS.iter().find(|(known, ..)| known == name);
        let (_, always, in_tests) = arrow.unwrap_or_else(|| panic!("say in ARROWS what {name} may depend on"));
        let ours = |kind: &str| -> BTreeSet<String> {
            dependencies(manifest, kind).into_iter().filter(|name| manifests.contains_key(name)).collect()
        };
        for dependency in ours("dependencies").union(&ours("build-dependencies")) {
            assert!(always.contains(&dependency.as_str()), "{name} must not depend on {dependency}");
        }
        for dependency in ours("dev-dependencies") {
            let may = always.contains(&dependency.as_str()) || in_tests.contains(&dependency.as_str());
            assert!(may, "{name} must not depend on {dependency} in its tests");
        }
    }
}

#[test]
fn rules_depend_on_core_alone_and_use_what_strangers_use() {
    let rules = &manifests()["jsonseam-rules"];
    assert_eq!(dependencies(rules, "dependencies"), BTreeSet::from(["jsonseam-core".to_owned()]));
    let face = read("crates/jsonseam/src/lib.rs");
    let offered = face.split("pub mod rule {").nth(1).and_then(|rest| rest.split("};").next()).expect("the module");
    let offered: BTreeSet<_> = words(offered).collect();
    let hidden = hidden_items();
    for file in files(&root().join("rules/src"), ".rs") {
        let source = read(format!("rules/src/{file}"));
        for item in &hidden {
            assert!(!words(&source).any(|word| word == item), "{file} uses {item}, which is hidden");
        }
        if file == "lib.rs" {
            continue;
        }
        let code: String =
            source.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
        let mut uses = code.split("jsonseam_core::").skip(1);
        let imported = uses.next().and_then(|rest| rest.split(';').next()).unwrap_or_default();
        for word in words(imported) {
            assert!(offered.contains(word), "{file} imports {word}, which `jsonseam::rule` does not offer");
        }
        assert!(uses.next().is_none(), "{file} names the engine outside its one import");
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|char: char| !char.is_alphanumeric() && char != '_').filter(|word| !word.is_empty())
}

/// The names of the items of core that are `#[doc(hidden)]`.
fn hidden_items() -> BTreeSet<String> {
    const BEFORE_A_NAME: [&str; 10] =
        ["fn", "struct", "enum", "trait", "mod", "const", "static", "type", "macro_rules", "use"];
    let mut hidden = BTreeSet::new();
    for file in files(&root().join("crates/jsonseam-core/src"), ".rs") {
        for rest in read(format!("crates/jsonseam-core/src/{file}")).split("#[doc(hidden)]").skip(1) {
            let mut words = words(rest).skip_while(|word| !BEFORE_A_NAME.contains(word)).skip(1);
            hidden.extend(words.next().map(str::to_owned));
        }
    }
    hidden
}

#[test]
fn every_clause_that_a_source_cites_is_explained() {
    let page = read("docs/specification.md");
    let ids: BTreeSet<&str> = page.lines().filter_map(|line| line.strip_prefix("| ")?.split(' ').next()).collect();
    for folder in ["crates", "rules", "xtask", "fuzz", "examples"] {
        for file in files(&root().join(folder), ".rs") {
            let source = read(format!("{folder}/{file}"));
            for cited in source.split("SPEC ").skip(1) {
                let clause: String = cited.chars().take_while(char::is_ascii_alphanumeric).collect();
                let is_clause = clause.len() == 2 && clause.ends_with(|last: char| last.is_ascii_digit());
                assert!(!is_clause || ids.contains(clause.as_str()), "{folder}/{file} cites {clause}");
            }
        }
    }
}

#[test]
fn the_worked_example_goes_as_the_map_tells() {
    let config = Config::default().with_preset("standard");
    let pipeline = pipeline(&config).expect("the preset is built in");
    let completion = "{\"a\": 1, // last\n}";
    assert_eq!(completion.len(), 18);
    assert!(read(ARCHITECTURE).contains("`{\"a\": 1, // last⏎}`"));
    let repaired = pipeline.repair(completion).expect("both faults are answered");
    let edits: Vec<_> = repaired.edits().map(|seam| (seam.rule, seam.span, seam.replacement)).collect();
    assert_eq!(edits, [("trailing-comma", 7..8, ""), ("comment", 9..16, "")]);
    let without = {
        let config = Config::default().with_preset("standard").with_disabled("trailing-comma");
        jsonseam::pipeline(&config).expect("the configuration is right")
    };
    let refusal = without.repair(completion).map(|_| ()).expect_err("no rule removes the comma");
    assert_eq!(refusal.position().map(|position| position.offset), Some(17));
    assert_eq!(without.explain(&refusal, completion).mended_by(), ["trailing-comma"]);
}
