//! The picture of the README: what the first command prints, as an SVG.

use std::fmt::Write;

use anyhow::{Context, Result, bail};

use super::Page;
use crate::workspace::{Workspace, shown};

const PATH: &str = "docs/explain.svg";

/// The arguments of the README's first command.
const COMMAND: [&str; 9] =
    ["run", "--quiet", "--package", "jsonseam-cli", "--", "repair", "--preset", "standard", "--explain"];

const COMPLETION: &str = "examples/completion.txt";

/// Most columns of a line; longer ones are wrapped between words.
const COLUMNS: usize = 108;

/// Of a monospaced character at 14 pixels.
const WIDTH: f64 = 8.43;

const HEIGHT: usize = 20;

const MARGIN: usize = 16;

/// Runs the command and draws what it prints.
pub(super) fn page(workspace: &Workspace) -> Result<Page> {
    let mut command = workspace.cargo(&COMMAND);
    command.arg(COMPLETION).env("NO_COLOR", "1").env_remove("JSONSEAM_PRESET");
    let output = command.output().with_context(|| format!("cannot start `{}`", shown(&command)))?;
    if !output.status.success() {
        bail!("`{}` failed: {}", shown(&command), String::from_utf8_lossy(&output.stderr));
    }
    Ok((PATH.to_owned(), picture(&String::from_utf8(output.stdout)?)))
}

/// The text as a picture: one line of SVG for each line, marks and notes in the colour of their risk.
fn picture(text: &str) -> String {
    let lines: Vec<String> = text.lines().flat_map(wrapped).collect();
    let columns = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    #[expect(clippy::cast_precision_loss, reason = "a line has few columns")]
    let width = (columns as f64 * WIDTH).ceil() + 2.0 * MARGIN as f64;
    let height = lines.len() * HEIGHT + 2 * MARGIN;
    let mut picture = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n\
         <!-- Written by `cargo xtask docs` from the output of the command. -->\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#0d1117\"/>\n\
         <g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, monospace\" font-size=\"14\" xml:space=\"preserve\">\n"
    );
    for (index, line) in lines.iter().enumerate().filter(|(_, line)| !line.is_empty()) {
        let bottom = MARGIN + (index + 1) * HEIGHT - 6;
        let _ =
            writeln!(picture, "<text x=\"{MARGIN}\" y=\"{bottom}\" fill=\"{}\">{}</text>", colour(line), escaped(line));
    }
    picture.push_str("</g>\n</svg>\n");
    picture
}

/// A note about an edit has the colour of its risk; the text itself is white.
fn colour(line: &str) -> &'static str {
    let is_note = line.trim_start().starts_with('|');
    match () {
        () if is_note && line.contains("(certain)") => "#3fb950",
        () if is_note => "#d29922",
        () => "#e6edf3",
    }
}

/// The line in parts of at most [`COLUMNS`] columns, broken after a space.
fn wrapped(line: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in line.split_inclusive(' ') {
        let last = lines.last().map_or(0, |last| last.chars().count());
        if last > 0 && last + word.trim_end().chars().count() > COLUMNS {
            lines.push("  ".to_owned());
        }
        if let Some(last) = lines.last_mut() {
            last.push_str(word);
        }
    }
    lines.into_iter().map(|line| line.trim_end().to_owned()).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::{COLUMNS, picture, wrapped};

    #[test]
    fn a_picture_holds_every_line_and_no_markup_of_the_text() {
        let picture = picture("a <b> & c\n\n     6 | x\n       | ^ comment (certain): removed\n");
        assert!(picture.contains(">a &lt;b&gt; &amp; c</text>"));
        assert_eq!(picture.matches("<text ").count(), 3);
        assert_eq!(picture.matches("#3fb950").count(), 1);
    }

    #[test]
    fn long_lines_are_wrapped_between_words() {
        let line = "word ".repeat(40);
        let lines = wrapped(&line);
        assert!(lines.len() > 1 && lines.iter().all(|line| line.chars().count() <= COLUMNS));
        assert_eq!(lines.concat().matches("word").count(), 40);
        assert_eq!(wrapped(""), [""]);
    }
}
