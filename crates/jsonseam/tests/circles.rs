//! Which files of a crate use each other: `use` lines and paths in the code are arrows, and arrows that lead back make a circle.
//!
//! Two files may use each other; a larger circle means that a noun is in the wrong room.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// How many files may use each other.
const MOST: usize = 2;

type Graph = BTreeMap<String, BTreeSet<String>>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every file of Rust below a folder, relative to it, with its code.
fn sources(folder: &Path, prefix: &str, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("the folder is readable") {
        let path = entry.expect("the folder is readable").path();
        let name = path.file_name().and_then(|name| name.to_str()).expect("names are UTF-8").to_owned();
        if path.is_dir() {
            sources(&path, &format!("{prefix}{name}/"), found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.insert(format!("{prefix}{name}"), fs::read_to_string(&path).expect("the file is readable"));
        }
    }
}

/// The path of the module that a file holds.
fn module(file: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = file.trim_end_matches(".rs").split('/').collect();
    if matches!(parts.last(), Some(&("mod" | "lib" | "main"))) {
        parts.pop();
    }
    parts
}

/// The code of a source without its tests and comments.
fn code(source: &str) -> String {
    let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The paths that start with `crate` or `super`, wherever they are.
fn inline(code: &str) -> impl Iterator<Item = String> {
    code.split(|char: char| !(char.is_alphanumeric() || "_:".contains(char)))
        .filter(|word| word.starts_with("crate::") || word.starts_with("super::"))
        .map(|path| path.trim_end_matches(':').to_owned())
}

/// The paths that a source names, the braces of `use` lines taken apart.
fn used(source: &str) -> Vec<String> {
    let code = code(source);
    let mut used: Vec<String> = inline(&code).collect();
    let mut open: Option<String> = None;
    for line in code.lines() {
        let line = line.trim();
        if open.is_none() {
            let start = ["use ", "pub use ", "pub(crate) use ", "pub(super) use "];
            open = start.iter().find_map(|start| line.strip_prefix(start)).map(str::to_owned);
        } else if let Some(statement) = &mut open {
            statement.push_str(line);
        }
        if open.as_ref().is_some_and(|statement| statement.ends_with(';')) {
            expand(open.take().unwrap_or_default().trim_end_matches(';'), &mut used);
        }
    }
    used
}

fn expand(path: &str, used: &mut Vec<String>) {
    let Some((before, inside)) = path.split_once('{') else {
        used.push(path.split(" as ").next().unwrap_or_default().trim().to_owned());
        return;
    };
    let inside = inside.trim_end().trim_end_matches('}');
    let (mut depth, mut start) = (0, 0);
    for (at, char) in inside.char_indices().chain([(inside.len(), ',')]) {
        match char {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth <= 0 => {
                let part = inside.get(start..at).unwrap_or_default().trim();
                if !part.is_empty() {
                    let closed = if part.contains('{') && !part.ends_with('}') { "}" } else { "" };
                    expand(&format!("{before}{part}{closed}"), used);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
}

/// The files of a crate, each with those that it uses.
fn graph(sources: &BTreeMap<String, String>) -> Graph {
    let is_test = |file: &str| file.split('/').any(|part| part == "tests" || part == "tests.rs");
    let modules: BTreeMap<Vec<&str>, &str> = sources.keys().map(|file| (module(file), file.as_str())).collect();
    let mut graph = Graph::new();
    for (file, source) in sources.iter().filter(|(file, _)| !is_test(file)) {
        let here = module(file);
        let arrows = graph.entry(file.clone()).or_default();
        for path in used(source) {
            let mut steps: Vec<&str> = path.split("::").map(str::trim).collect();
            let mut from = here.clone();
            match steps[0] {
                "crate" => from.clear(),
                "self" => {}
                "super" => drop(from.pop()),
                name => {
                    from.push(name);
                    if !modules.contains_key(&from) {
                        continue;
                    }
                    from.pop();
                    steps.insert(0, "self");
                }
            }
            let mut steps = &steps[1..];
            while let [first, rest @ ..] = steps
                && *first == "super"
            {
                from.pop();
                steps = rest;
            }
            let target = (0..=steps.len()).rev().find_map(|len| modules.get(&[&from[..], &steps[..len]].concat()));
            if let Some(&target) = target
                && target != file
                && !["lib.rs", "main.rs"].contains(&target)
            {
                arrows.insert(target.to_owned());
            }
        }
    }
    graph
}

/// What can be reached from a file.
fn reached<'g>(graph: &'g Graph, from: &str) -> BTreeSet<&'g str> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&str> = graph.get(from).into_iter().flatten().map(String::as_str).collect();
    while let Some(file) = open.pop() {
        if reached.insert(file) {
            open.extend(graph.get(file).into_iter().flatten().map(String::as_str));
        }
    }
    reached
}

/// The circles, each as the files that reach each other.
fn circles(graph: &Graph) -> BTreeSet<BTreeSet<&str>> {
    let reach: BTreeMap<&str, BTreeSet<&str>> =
        graph.keys().map(|file| (file.as_str(), reached(graph, file))).collect();
    let circle = |file: &str| -> BTreeSet<&str> {
        let back = |other: &&str| reach.get(other).is_some_and(|of_other| of_other.contains(file));
        reach.get(file).into_iter().flatten().copied().filter(back).collect()
    };
    reach.keys().map(|file| circle(file)).filter(|circle| circle.len() > 1).collect()
}

#[test]
fn no_circle_has_more_than_two_files() {
    let mut folders: Vec<String> = vec!["rules".to_owned(), "xtask".to_owned()];
    for entry in fs::read_dir(root().join("crates")).expect("the folder is readable") {
        let name = entry.expect("the folder is readable").file_name();
        folders.push(format!("crates/{}", name.to_string_lossy()));
    }
    let mut complaints = Vec::new();
    for folder in folders {
        let mut found = BTreeMap::new();
        sources(&root().join(&folder).join("src"), "", &mut found);
        let graph = graph(&found);
        let large = circles(&graph).into_iter().filter(|circle| circle.len() > MOST);
        complaints.extend(large.map(|circle| format!("{folder}: {circle:?}")));
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// The rooms of core as the map lists them: the first may use all others.
fn rooms_of_the_map() -> Vec<String> {
    let page = fs::read_to_string(root().join("docs/architecture.md")).expect("the map is readable");
    let rooms = page.split("| room |").nth(1).expect("the map has a table of rooms");
    let rows = rooms.lines().skip(2).map_while(|row| row.strip_prefix("| `")?.split_once("/`"));
    rows.map(|(room, _)| room.to_owned()).collect()
}

#[test]
fn rooms_of_core_use_those_below_them() {
    let rooms = rooms_of_the_map();
    let mut found = BTreeMap::new();
    sources(&root().join("crates/jsonseam-core/src"), "", &mut found);
    let room = |file: &str| file.split('/').next().unwrap_or_default().trim_end_matches(".rs").to_owned();
    let floor = |file: &str| rooms.iter().position(|name| *name == room(file));
    let mut complaints = Vec::new();
    for (file, arrows) in graph(&found) {
        let Some(own) = floor(&file) else {
            if !["lib.rs", "derived.rs"].contains(&file.as_str()) {
                complaints.push(format!("{file} is in no room of docs/architecture.md"));
            }
            continue;
        };
        let up = arrows.into_iter().filter(|used| floor(used).is_some_and(|floor| floor < own));
        complaints.extend(up.map(|used| format!("{file} uses {used}, which is in a room above it")));
    }
    assert!(rooms.len() > 8 && complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn a_circle_is_found() {
    let sources = [
        ("lib.rs", "mod a;\nmod b;\nmod c;\npub use a::A;\n"),
        ("a.rs", "use crate::b::{self, B};\nuse std::fmt;\n#[cfg(test)]\nmod tests {\n    use super::c::C;\n}\n"),
        ("b.rs", "use crate::{\n    c::{C, inner::D},\n};\n"),
        ("c.rs", "mod inner;\nuse inner::D;\nuse super::d::E;\n"),
        ("c/inner.rs", "use crate::a::A;\n"),
        ("d.rs", "// A crate::e::E is not used.\nfn a() -> crate::a::A {\n    crate::a::A::new()\n}\n"),
        ("e.rs", "use crate::a::A;\n"),
    ];
    let sources = sources.map(|(file, code)| (file.to_owned(), code.to_owned())).into();
    let graph = graph(&sources);
    assert_eq!(circles(&graph), BTreeSet::from([BTreeSet::from(["a.rs", "b.rs", "c.rs", "c/inner.rs", "d.rs"])]));
    assert!(!circles(&graph).iter().flatten().any(|file| *file == "e.rs"));
}
