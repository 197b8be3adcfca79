//! Nested records of plain data: rows of one kind, in which a wrong, missing or surplus closer has one reading.

use super::{Document, Style, Token, TokenKind};
use crate::random::Random;

/// A value on its way to becoming tokens.
enum Node {
    Scalar(TokenKind, String),
    Array(Vec<Node>),
    Object(Vec<(&'static str, Node)>),
}

const NAMES: [&str; 6] = ["items", "rows", "orders", "results", "steps", "entries"];
const TEXTS: [&str; 8] = [
    "open at noon",
    "paid, then sent back.",
    "see the note: it is long",
    "two of three (so far)",
    "Ann, Bob and Cy",
    "no",
    "ready; waiting",
    "50 % off, today only!",
];
const TAGS: [&str; 7] = ["red", "new", "on sale", "b-2", "x", "large", "to check"];

/// A document with an object as its root that holds two to six nested records: on one line for the styles `Minified` and `Spaced`, over many
/// lines for the others; there the records may each keep to one line.
///
/// ```
/// use jsonseam_testkit::generate::{Style, records};
/// use jsonseam_testkit::random::Random;
///
/// let text = records(Style::PrettyTwo, &mut Random::new(1)).text();
/// assert!(text.lines().count() > 4 && text.contains("}"));
/// assert_eq!(records(Style::Spaced, &mut Random::new(1)).text().lines().count(), 1);
/// ```
pub fn records(style: Style, random: &mut Random) -> Document {
    let rows: Vec<Node> = (1..=random.between(2, 6)).map(|id| record(id, random)).collect();
    let mut members = vec![(random.pick(&NAMES).copied().unwrap_or("rows"), Node::Array(rows))];
    if random.chance(1, 2) {
        members.insert(0, ("title", text(random)));
    }
    if random.chance(1, 2) {
        members.push(("source", Node::Object(vec![("name", text(random)), ("page", number(random))])));
    }
    members.push(("total", number(random)));
    let indent = match style {
        Style::Minified | Style::Spaced => None,
        Style::PrettyFour => Some(4),
        Style::PrettyTwo | Style::Wild => Some(2),
    };
    let mut printer =
        Printer { indent, is_spaced: style != Style::Minified, is_row_inline: random.chance(1, 3), tokens: Vec::new() };
    printer.print(&Node::Object(members), 0);
    Document { tokens: printer.tokens }
}

fn record(id: usize, random: &mut Random) -> Node {
    let mut members = vec![("id", Node::Scalar(TokenKind::Number, id.to_string())), ("note", text(random))];
    if random.chance(2, 3) {
        members.push(("tags", tags(random)));
    }
    if random.chance(2, 3) {
        let size = vec![("width", number(random)), ("label", text(random)), ("parts", tags(random))];
        members.push(("size", Node::Object(size)));
    }
    if random.chance(1, 2) {
        let is_done = random.pick_text(&["true", "false", "null"]).to_owned();
        members.push(("done", Node::Scalar(TokenKind::Literal, is_done)));
    }
    if random.chance(1, 2) {
        members.push(("owner", text(random)));
    }
    Node::Object(members)
}

fn tags(random: &mut Random) -> Node {
    let count = random.between(1, 3);
    let is_number = random.chance(1, 3);
    let tag = |random: &mut Random| {
        if is_number { number(random) } else { string(random.pick_text(&TAGS)) }
    };
    Node::Array((0..count).map(|_| tag(random)).collect())
}

fn text(random: &mut Random) -> Node {
    string(random.pick_text(&TEXTS))
}

fn string(content: &str) -> Node {
    Node::Scalar(TokenKind::String, format!("\"{content}\""))
}

fn number(random: &mut Random) -> Node {
    let number = if random.chance(1, 2) { random.below(900).to_string() } else { format!("{}.5", random.below(90)) };
    Node::Scalar(TokenKind::Number, number)
}

struct Printer {
    /// Blanks a level, if the document has lines.
    indent: Option<usize>,
    is_spaced: bool,
    /// Whether the records keep to one line each.
    is_row_inline: bool,
    tokens: Vec<Token>,
}

impl Printer {
    fn push(&mut self, kind: TokenKind, text: impl Into<String>) {
        self.tokens.push(Token::new(kind, text));
    }

    /// The white space before a member at this depth, or before the closer of it.
    fn gap(&mut self, depth: usize, is_after_comma: bool) {
        match self.indent {
            Some(indent) if !self.is_row_inline || depth <= 2 => {
                self.push(TokenKind::Blank, format!("\n{}", " ".repeat(indent * depth)));
            }
            _ if self.is_spaced && is_after_comma => self.push(TokenKind::Blank, " "),
            _ => {}
        }
    }

    fn print(&mut self, node: &Node, depth: usize) {
        match node {
            Node::Scalar(kind, text) => self.push(*kind, text.clone()),
            Node::Array(elements) => {
                self.push(TokenKind::OpenArray, "[");
                for (index, element) in elements.iter().enumerate() {
                    self.separate(index, depth + 1);
                    self.print(element, depth + 1);
                }
                self.gap_before_closer(depth);
                self.push(TokenKind::CloseArray, "]");
            }
            Node::Object(members) => {
                self.push(TokenKind::OpenObject, "{");
                for (index, (key, value)) in members.iter().enumerate() {
                    self.separate(index, depth + 1);
                    self.push(TokenKind::Key, format!("\"{key}\""));
                    self.push(TokenKind::Colon, ":");
                    if self.is_spaced {
                        self.push(TokenKind::Blank, " ");
                    }
                    self.print(value, depth + 1);
                }
                self.gap_before_closer(depth);
                self.push(TokenKind::CloseObject, "}");
            }
        }
    }

    fn separate(&mut self, index: usize, depth: usize) {
        if index > 0 {
            self.push(TokenKind::Comma, ",");
        }
        self.gap(depth, index > 0);
    }

    /// What is inside a record that keeps to its line ends on that line.
    fn gap_before_closer(&mut self, depth: usize) {
        if !self.is_row_inline || depth <= 1 {
            self.gap(depth, false);
        }
    }
}
