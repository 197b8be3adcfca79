//! Every input that ever crashed a fuzz target is put to the target's function again.

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

#[path = "../../../fuzz/src/lib.rs"]
#[allow(unreachable_pub, reason = "public in the crate of the targets")]
mod targets;

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

/// The names of what is in a folder, sorted; none if there is no such folder.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .map(|entry| entry.expect("the folder is readable").file_name())
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn every_crash_that_was_found_is_mended() {
    let mut broken = Vec::new();
    for (target, run) in targets::TARGETS {
        let folder = fuzz().join("crashes").join(target);
        for name in names(&folder) {
            let bytes = fs::read(folder.join(&name)).expect("the crash is readable");
            if catch_unwind(|| run(&bytes)).is_err() {
                broken.push(format!("{target}/{name}"));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:?}");
}

#[test]
fn every_target_reads_its_seeds() {
    for (target, run) in targets::TARGETS {
        run(b"");
        run(b"{\"a\": [1, 'b',],}");
        let folder = fuzz().join("seeds").join(target);
        for name in names(&folder) {
            run(&fs::read(folder.join(&name)).expect("the seed is readable"));
        }
    }
}

#[test]
fn targets_and_their_files_are_the_same() {
    let files: Vec<_> =
        names(&fuzz().join("fuzz_targets")).into_iter().map(|name| name.trim_end_matches(".rs").to_owned()).collect();
    assert_eq!(files, targets::TARGETS.map(|(name, _)| name));
    for folder in names(&fuzz().join("crashes")) {
        let is_known = folder == "README.md" || files.contains(&folder);
        assert!(is_known, "{folder} belongs to no target");
    }
}
