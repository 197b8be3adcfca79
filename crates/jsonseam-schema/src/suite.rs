//! The official JSON-Schema-Test-Suite, every required test of the drafts in it that we read, and its formats: our evaluation and our walk.
//!
//! The files are read from the folder that `JSONSEAM_DATA` names; nothing of them is kept here.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "the counts are what a reader of the log wants")]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::evaluate::Evaluation;
use crate::limits::budget;
use crate::walk;
use crate::{Casts, Draft, Schema, SchemaOptions};

const DRAFTS: [(&str, Draft); 3] =
    [("draft7", Draft::Draft7), ("draft2019-09", Draft::Draft201909), ("draft2020-12", Draft::Draft202012)];

/// Every JSON file below a folder, with its path from there.
fn files(folder: &Path, prefix: &str, found: &mut Vec<(String, PathBuf)>) {
    for entry in fs::read_dir(folder).expect("the folder is readable") {
        let path = entry.expect("the folder is readable").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("names are UTF-8").to_owned();
        if path.is_dir() {
            files(&path, &format!("{prefix}{name}/"), found);
        } else if path.extension().is_some_and(|ending| ending == "json") {
            found.push((format!("{prefix}{name}"), path));
        }
    }
}

fn read(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What the verdicts on one test say against it.
fn mistakes(schema: &Schema, data: &Value, is_valid: bool) -> Vec<&'static str> {
    let graph = &schema.graph();
    let text = data.to_string();
    let own = Evaluation::new(graph, budget(text.len())).is_valid(graph.root, data, 0);
    let walked = walk::violations(graph, graph.root, (data, &crate::exact::NONE), budget(text.len()));
    [
        ("is_valid", schema.is_valid(data) == is_valid),
        ("check", schema.check(&text, &Casts::NONE).is_ok() == is_valid),
        ("evaluation", own == Ok(is_valid)),
        ("walk", walked.is_ok_and(|violations| violations.is_empty() == is_valid)),
    ]
    .into_iter()
    .filter_map(|(name, is_right)| (!is_right).then_some(name))
    .collect()
}

#[test]
fn v3_the_official_suite_passes_in_every_draft() {
    let Some(data) = std::env::var_os("JSONSEAM_DATA") else {
        eprintln!("NOT RUN: JSON-Schema-Test-Suite (set JSONSEAM_DATA to the folder that holds it)");
        return;
    };
    let folder = Path::new(&data).join("JSON-Schema-Test-Suite");
    assert!(folder.is_dir(), "JSONSEAM_DATA is set, but {} is no folder", folder.display());
    let mut remotes = Vec::new();
    files(&folder.join("remotes"), "", &mut remotes);
    let mut failures = Vec::new();
    let mut all = 0;
    for (name, draft) in DRAFTS {
        let mut options = Schema::options().draft(draft);
        // A remote schema without `$schema` is of the draft that refers to it; those of other drafts' folders are not meant.
        let is_of_another = |path: &str| {
            ["draft3/", "draft4/", "draft6/", "v1/"].iter().any(|other| path.starts_with(other))
                || DRAFTS.iter().any(|(other, _)| *other != name && path.starts_with(other))
        };
        for (path, file) in remotes.iter().filter(|(path, _)| !is_of_another(path)) {
            options = options.resource(format!("http://localhost:1234/{path}"), read(file).to_string());
        }
        let count = draft_passes(&folder.join("tests").join(name), &options, draft, &mut failures);
        println!("JSON-Schema-Test-Suite {name}: {count} tests");
        assert!(count > 900, "the suite of {name} is incomplete");
        all += count;
    }
    println!("JSON-Schema-Test-Suite: {} of {all} pass", all - failures.len());
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

fn draft_passes(folder: &Path, options: &SchemaOptions, draft: Draft, failures: &mut Vec<String>) -> usize {
    let mut groups = Vec::new();
    files(folder, "", &mut groups);
    groups.retain(|(name, _)| !name.starts_with("optional/"));
    groups.sort();
    let mut count = 0;
    for (name, file) in groups {
        for group in read(&file).as_array().expect("a list of groups") {
            let tests = group["tests"].as_array().expect("a list of tests");
            count += tests.len();
            let place = format!("{draft:?} {name}: {}", group["description"]);
            // A draft that is chosen would also count for meta-schemas that are not registered here.
            let is_named = group["schema"].get("$schema").is_some();
            let alone = if is_named { Schema::options() } else { Schema::options().draft(draft) };
            let alone = alone.compile_value(group["schema"].clone());
            let schema = match alone {
                Ok(schema) => Ok(schema),
                Err(_) => options.compile_value(group["schema"].clone()),
            };
            let schema = match schema {
                Ok(schema) => schema,
                Err(error) => {
                    failures.extend(tests.iter().map(|_| format!("{place}: {error} at {:?}", error.place())));
                    continue;
                }
            };
            for test in tests {
                let is_valid = test["valid"] == Value::Bool(true);
                let mistakes = mistakes(&schema, &test["data"], is_valid);
                if !mistakes.is_empty() {
                    failures.push(format!("{place}, {}: {}", test["description"], mistakes.join(", ")));
                }
            }
        }
    }
    count
}

#[test]
fn v3_the_formats_of_the_suite_are_told_where_they_are_asserted() {
    let Some(data) = std::env::var_os("JSONSEAM_DATA") else {
        eprintln!("NOT RUN: formats of the JSON-Schema-Test-Suite (set JSONSEAM_DATA to the folder that holds it)");
        return;
    };
    for (name, draft) in DRAFTS {
        let folder = Path::new(&data).join("JSON-Schema-Test-Suite/tests").join(name).join("optional/format");
        let mut groups = Vec::new();
        files(&folder, "", &mut groups);
        groups.sort();
        let (mut all, mut right) = (0, 0);
        for (file, path) in groups {
            let (mut of_file, mut right_of_file) = (0, 0);
            for group in read(&path).as_array().expect("a list of groups") {
                let options = Schema::options().draft(draft).formats(true);
                let schema = options.compile_value(group["schema"].clone());
                for test in group["tests"].as_array().expect("a list of tests") {
                    let verdict = schema.as_ref().is_ok_and(|schema| schema.is_valid(&test["data"]));
                    let is_right = schema.is_ok() && verdict == (test["valid"] == Value::Bool(true));
                    of_file += 1;
                    right_of_file += usize::from(is_right);
                    if !is_right && std::env::var_os("JSONSEAM_VERBOSE").is_some() {
                        println!("{name} {file}: {}: {}", test["description"], test["data"]);
                    }
                }
            }
            println!("{name} {file}: {right_of_file} of {of_file}");
            all += of_file;
            right += right_of_file;
        }
        println!("JSON-Schema-Test-Suite {name}, optional/format: {right} of {all}");
        assert!(right * 10 >= all * 9, "{name}: {right} of {all}");
    }
}
