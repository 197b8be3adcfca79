//! Annotations for GitHub Actions: workflow commands on standard output.

use jsonseam::{Error, Position};

use crate::console;

/// Prints the annotation of a refusal in a text whose first line comes after `before` lines.
pub(crate) fn annotate(name: &str, before: usize, error: &Error, bytes: &[u8]) -> anyhow::Result<()> {
    let (line, column) = error.position().map_or((1, 1), |Position { line, column, .. }| (line, column));
    let message = super::refused::reason_and_readings(before, error, bytes);
    console::emit(annotation("error", name, before + line, column, &message).as_bytes())
}

/// The workflow command of one annotation.
pub(crate) fn annotation(level: &str, file: &str, line: usize, column: usize, message: &str) -> String {
    format!("::{level} file={},line={line},col={column},title=jsonseam::{}\n", property(file), data(message))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ends_a_property_or_a_command_is_escaped() {
        let shown = annotation("error", "a,b:c", 2, 5, "50 %\nmore");
        assert_eq!(shown, "::error file=a%2Cb%3Ac,line=2,col=5,title=jsonseam::50 %25%0Amore\n");
    }
}
