//! Markers with holes: `<invoke name="{name}">` matches the head of a call and says where its name is.
//!
//! In a template, `{word}` is a hole, `{}` stands for any run of white space (also none; newlines that are spelled `\n` count),
//! and everything else stands for itself. A hole ends where the text after it in the template begins; without such a text it holds a name.
//! No hole holds a bracket, a quote or a newline.

use std::ops::Range;

use serde::Deserialize;

use crate::cursor::Stop;

/// The longest text that a hole may hold, in bytes: names and keys are short, and a hole must not read to the end.
const MAX_HOLE: usize = 256;

/// A marker with holes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Template {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Blank,
    Hole(String),
}

/// Where a template matched.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Match {
    /// The end of the match.
    pub(crate) end: usize,
    /// Whether it ends with a hole after any white space, so that no mark tells what is in the hole from a word.
    pub(crate) ends_open: bool,
    holes: Vec<(String, Range<usize>)>,
}

impl Match {
    /// The match of nothing, at `end`.
    pub(crate) fn at(end: usize) -> Self {
        Self { end, ..Self::default() }
    }

    /// What the hole of this name holds.
    pub(crate) fn hole(&self, name: &str) -> Option<Range<usize>> {
        self.holes.iter().find(|(hole, _)| hole == name).map(|(_, span)| span.clone())
    }
}

impl<'de> Deserialize<'de> for Template {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("a mark that nothing bounds"))
    }
}

impl Template {
    /// Reads a template. `None` if it is empty, begins with a hole or a blank, or two holes meet.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut parts = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let braced = rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
            if let Some((name, after)) = braced.filter(|(name, _)| name.bytes().all(|byte| byte.is_ascii_lowercase())) {
                parts.push(if name.is_empty() { Part::Blank } else { Part::Hole(name.to_owned()) });
                rest = after;
                continue;
            }
            let first = rest.chars().next().map_or(0, char::len_utf8);
            let len = rest.get(first..)?.find('{').map_or(rest.len(), |len| first + len);
            let (text, after) = rest.split_at_checked(len)?;
            match parts.last_mut() {
                Some(Part::Text(before)) => before.push_str(text),
                _ => parts.push(Part::Text(text.to_owned())),
            }
            rest = after;
        }
        let is_bounded = parts.windows(2).all(|pair| !matches!(pair, [Part::Hole(_), Part::Hole(_)]));
        let has_anchor = matches!(parts.first(), Some(Part::Text(_)));
        (is_bounded && has_anchor).then_some(Self { parts })
    }

    /// The text that every match begins with.
    pub(crate) fn anchor(&self) -> &str {
        match self.parts.first() {
            Some(Part::Text(text)) => text,
            _ => "",
        }
    }

    /// The template as a pack spells it.
    pub(crate) fn spelled(&self) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Blank => "{}".to_owned(),
            Part::Hole(name) => format!("{{{name}}}"),
        };
        self.parts.iter().map(part).collect()
    }

    /// Whether the template has a hole of this name.
    pub(crate) fn has_hole(&self, name: &str) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Hole(hole) if hole == name))
    }

    /// The match at `pos`. Where the text ends within what could become a match, it was cut.
    pub(crate) fn match_at(&self, text: &str, pos: usize) -> Result<Match, Stop> {
        Self::match_parts(&self.parts, text, pos)
    }

    /// The match at `pos` of what follows the anchor.
    pub(crate) fn match_after_anchor(&self, text: &str, pos: usize) -> Result<Match, Stop> {
        Self::match_parts(self.parts.get(1..).unwrap_or_default(), text, pos)
    }

    fn match_parts(parts: &[Part], text: &str, pos: usize) -> Result<Match, Stop> {
        let mut found = Match::at(pos);
        found.ends_open = matches!(parts, [.., Part::Blank, Part::Hole(_)]);
        let mut parts = parts.iter().peekable();
        while let Some(part) = parts.next() {
            let rest = text.get(found.end..).unwrap_or_default();
            match part {
                // A bracket at the end is looked at, and left for what follows.
                Part::Text(marker) if rest.starts_with(marker.as_str()) => {
                    let looked_at = parts.peek().is_none() && marker.ends_with('{');
                    found.end += marker.len() - usize::from(looked_at);
                }
                Part::Text(marker) if marker.starts_with(rest) => return Err(Stop::Cut),
                Part::Text(_) => return Err(Stop::Malformed(found.end)),
                Part::Blank => found.end += blank_len(rest),
                Part::Hole(name) => {
                    let span = hole(rest, found.end, parts.peek().copied())?;
                    let content = text.get(span.clone()).unwrap_or_default();
                    if name == "count" && !content.bytes().all(|byte| byte.is_ascii_digit()) {
                        return Err(Stop::Malformed(span.start));
                    }
                    found.end = span.end;
                    found.holes.push((name.clone(), span));
                }
            }
        }
        Ok(found)
    }
}

/// The length of the white space that `rest` starts with.
fn blank_len(rest: &str) -> usize {
    let mut after = rest.trim_start();
    while let Some(next) = after.strip_prefix("\\n") {
        after = next.trim_start();
    }
    rest.len() - after.len()
}

/// What a hole at `start` holds: up to what follows it in the template; at the template's end, a name.
fn hole(rest: &str, start: usize, next: Option<&Part>) -> Result<Range<usize>, Stop> {
    let len = match next {
        Some(Part::Text(marker)) => {
            let found = rest.find(|char: char| ends_holes(char)).unwrap_or(rest.len()).min(MAX_HOLE);
            let near = rest.as_bytes().get(..rest.len().min(found + marker.len())).unwrap_or_default();
            match memchr::memmem::find(near, marker.as_bytes()) {
                Some(len) => len,
                // The end of the text, or a marker that it cuts.
                None if found < MAX_HOLE && rest.get(found..).is_some_and(|tail| marker.starts_with(tail)) => {
                    return Err(Stop::Cut);
                }
                None => return Err(Stop::Malformed(start)),
            }
        }
        _ => rest.find(|char: char| !is_name_char(char)).unwrap_or(rest.len()),
    };
    if len == 0 && !rest.is_empty() {
        Err(Stop::Malformed(start))
    } else if len == 0 {
        Err(Stop::Cut)
    } else {
        Ok(start..start + len)
    }
}

/// Whether a character ends every hole.
fn ends_holes(char: char) -> bool {
    matches!(char, '\n' | '<' | '>' | '{' | '}' | '"')
}

/// Whether a character can stand in the name of a tool or an argument that no marker ends.
pub(crate) fn is_name_char(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '_' | '-' | '.' | ':' | '/')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(text: &str) -> Template {
        Template::parse(text).expect("the template is right")
    }

    #[test]
    fn holes_end_where_the_next_marker_begins() {
        let text = "x <invoke name=\"f\"> y";
        let found = template("<invoke name=\"{name}\">").match_at(text, 2).expect("it is there");
        assert_eq!(found.hole("name").and_then(|span| text.get(span)), Some("f"));
        assert_eq!(found.end, 19);
        assert_eq!(found.hole("other"), None);
    }

    #[test]
    fn a_blank_matches_any_white_space() {
        for text in ["<a><b>", "<a>\n\t<b>", "<a>\\n<b>"] {
            assert_eq!(template("<a>{}<b>").match_at(text, 0).map(|found| found.end), Ok(text.len()));
        }
    }

    #[test]
    fn b3_an_end_within_a_marker_is_a_cut_and_another_text_is_not() {
        let invoke = template("<invoke name=\"{name}\">");
        for cut in ["<inv", "<invoke name=\"", "<invoke name=\"get_w", "<invoke name=\"f\""] {
            assert_eq!(invoke.match_at(cut, 0), Err(Stop::Cut), "{cut}");
        }
        assert_eq!(invoke.match_at("<input>", 0), Err(Stop::Malformed(0)));
    }

    #[test]
    fn templates_without_a_bound_are_refused() {
        for text in ["", "{name}", "{}<a>", "<a>{one}{two}"] {
            assert_eq!(Template::parse(text), None, "{text}");
        }
    }
}
