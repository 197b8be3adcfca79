//! `jsonseam repair --write`: in place, in one step, and only when something changes.
#![cfg(unix)]

mod common;

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use common::place;

const BROKEN: &str = "{\"a\": 1,}";
const REPAIRED: &str = "{\"a\": 1}";

#[test]
fn a_file_is_replaced_and_keeps_its_mode() {
    let here = place().with("a.json", BROKEN);
    fs::set_permissions(here.path("a.json"), fs::Permissions::from_mode(0o640)).expect("modes can be set");
    here.run(&["repair", "--write", "a.json"]).exits(0).stays_silent();
    assert_eq!(here.read("a.json"), REPAIRED);
    assert_eq!(fs::metadata(here.path("a.json")).expect("it exists").mode() & 0o7777, 0o640);
    assert_eq!(here.names(), ["a.json"]);
}

#[test]
fn a_link_stays_a_link_and_its_file_is_replaced() {
    let here = place();
    fs::create_dir(here.path("far")).expect("a directory can be made");
    let here = here.with("far/real.json", BROKEN);
    symlink("far/real.json", here.path("link.json")).expect("links can be made");
    here.run(&["repair", "--write", "link.json"]).exits(0);
    assert!(fs::symlink_metadata(here.path("link.json")).expect("it exists").is_symlink());
    assert_eq!(here.read("far/real.json"), REPAIRED);
    assert_eq!(here.names(), ["far", "link.json"]);
}

#[test]
fn a_valid_file_is_not_touched() {
    let here = place().with("a.json", "{\"a\": 1}\n");
    let before = fs::metadata(here.path("a.json")).expect("it exists");
    here.run(&["repair", "--write", "a.json"]).exits(0);
    let after = fs::metadata(here.path("a.json")).expect("it exists");
    assert_eq!(
        (before.ino(), before.mtime_nsec(), before.ctime_nsec()),
        (after.ino(), after.mtime_nsec(), after.ctime_nsec())
    );
}

#[test]
fn a_refused_file_is_not_touched_and_stops_no_other() {
    let here = place().with("a.json", "{\"a\" 1}").with("b.json", BROKEN).with("c.json", BROKEN);
    here.run(&["repair", "--write", "a.json", "b.json", "gone.json", "c.json"])
        .exits(2)
        .says("a.json:1:")
        .says("gone.json");
    assert_eq!(
        (here.read("a.json"), here.read("b.json"), here.read("c.json")),
        ("{\"a\" 1}".into(), REPAIRED.into(), REPAIRED.into())
    );
    let here = place().with("a.json", "{\"a\" 1}").with("b.json", BROKEN);
    here.run(&["repair", "--write", "a.json", "b.json"]).exits(1);
    assert_eq!(here.read("b.json"), REPAIRED);
}

#[test]
fn writing_can_be_shown_and_reported() {
    let here = place().with("a.json", BROKEN);
    let ran = here.run(&["repair", "--write", "--diff", "a.json"]).exits(0);
    assert!(ran.text().contains("-{\"a\": 1,}\n"));
    assert_eq!(here.read("a.json"), REPAIRED);
    let here = place().with("a.json", BROKEN);
    here.run(&["repair", "--write", "--report", "record.json", "a.json"]).exits(0).stays_silent();
    assert_eq!(here.read("a.json"), REPAIRED);
    assert!(here.read("record.json").contains("trailing-comma"));
}

#[test]
fn a_file_with_several_names_is_refused() {
    let here = place().with("a.json", BROKEN);
    fs::hard_link(here.path("a.json"), here.path("b.json")).expect("links can be made");
    here.run(&["repair", "--write", "a.json"]).exits(2).says("hard links");
    assert_eq!((here.read("a.json"), here.names()), (BROKEN.into(), vec!["a.json".to_owned(), "b.json".to_owned()]));
}

#[test]
fn what_is_no_regular_file_is_refused() {
    let here = place();
    fs::create_dir(here.path("directory")).expect("a directory can be made");
    symlink("gone", here.path("dangling")).expect("links can be made");
    here.run(&["repair", "--write", "directory"]).exits(2).says("directory");
    here.run(&["repair", "--write", "dangling"]).exits(2).says("cannot read dangling");
    assert_eq!(here.names(), ["dangling", "directory"]);
}

/// Root may write anywhere; then the directory of processes is used, in which no one can make files.
#[test]
fn a_directory_that_cannot_be_written_leaves_the_file_alone() {
    let here = place();
    fs::create_dir(here.path("closed")).expect("a directory can be made");
    let here = here.with("closed/a.json", BROKEN);
    fs::set_permissions(here.path("closed"), fs::Permissions::from_mode(0o555)).expect("modes can be set");
    let is_root = fs::File::create(here.path("closed/probe")).is_ok();
    if is_root {
        here.run_on(&["batch", "-o", "/proc/out.jsonl"], "{}\n").exits(2).says("cannot write /proc/out.jsonl");
    } else {
        here.run(&["repair", "--write", "closed/a.json"]).exits(2).says("cannot write");
        assert_eq!(here.read("closed/a.json"), BROKEN);
    }
    fs::set_permissions(here.path("closed"), fs::Permissions::from_mode(0o755)).expect("modes can be set");
}

/// `batch --resume` writes to a file of its own beside the output, and replaces the output at the end as a run without it does.
#[test]
fn a_run_that_can_go_on_keeps_links_and_writes_over_nothing_it_may_not() {
    let resume = |here: &common::Place, output: &str| here.run(&["batch", "-q", "--resume", "-o", output, "in.jsonl"]);
    let line = "{\"completion\":\"{\\\"a\\\":1,}\"}\n";
    let whole = place().run_on(&["batch"], line).exits(0);
    let here = place();
    fs::create_dir(here.path("far")).expect("a directory can be made");
    let here = here.with("in.jsonl", line).with("far/real.jsonl", "old").with("one.jsonl", "old").with("victim", "old");
    symlink("far/real.jsonl", here.path("link.jsonl")).expect("links can be made");
    resume(&here, "link.jsonl").exits(0);
    assert!(fs::symlink_metadata(here.path("link.jsonl")).expect("it exists").is_symlink());
    assert_eq!(here.read("far/real.jsonl"), whole.text());
    fs::hard_link(here.path("one.jsonl"), here.path("two.jsonl")).expect("links can be made");
    resume(&here, "one.jsonl").exits(2).says("hard links");
    assert_eq!((here.read("one.jsonl"), here.read("two.jsonl")), ("old".to_owned(), "old".to_owned()));
    symlink("gone", here.path("dangling.jsonl")).expect("links can be made");
    resume(&here, "dangling.jsonl").exits(2).says("leads nowhere");
    // What is in the place of the part that a run goes on with is another's.
    symlink("victim", here.path("out.jsonl.part")).expect("links can be made");
    resume(&here, "out.jsonl").exits(2).says("not a regular file");
    assert_eq!((here.read("victim"), here.names().contains(&"out.jsonl".to_owned())), ("old".to_owned(), false));
    resume(&here, "/proc/out.jsonl").exits(2).says("cannot write /proc/out.jsonl");
}
