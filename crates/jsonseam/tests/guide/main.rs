//! The rules of docs/writing-rules.md are these files, and keep every law.

mod fat_arrow;
mod ruler;

#[test]
fn the_page_shows_these_files() {
    let page = include_str!("../../../../docs/writing-rules.md");
    let rules = [include_str!("fat_arrow.rs"), include_str!("ruler.rs")];
    let cases = [include_str!("fat_arrow.toml"), include_str!("ruler.toml")];
    for file in rules.into_iter().chain(cases) {
        assert!(page.contains(&format!("\n{file}```\n")), "{file}");
    }
}
