//! What the texts of the workloads are made of: documents as chat models write them.

use crate::generate::{Document, Token, TokenKind};
use crate::random::Random;

pub(super) const WORDS: [&str; 24] = [
    "the", "customer", "order", "shipment", "was", "delayed", "because", "carrier", "reported", "weather", "near",
    "port", "team", "reviewed", "invoice", "approved", "refund", "before", "Friday", "while", "support", "kept",
    "ticket", "open",
];

const NAMES: [&str; 6] = ["Ana Ruiz", "Wei Chen", "Zoë Martin", "Priya N.", "Jonas Keßler", "Aiko Mori"];

/// The white space of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    Line,
    Pretty,
}

/// What a chat model gives that was asked for JSON: about 0.6 KB in one line.
pub(super) fn answer(layout: Layout, random: &mut Random) -> Document {
    let mut writer = Writer::new(layout);
    writer.order(random);
    Document { tokens: writer.tokens }
}

/// Orders in one document, pretty: some 0.9 KB each.
pub(super) fn orders(count: usize, random: &mut Random) -> Document {
    let mut writer = Writer::new(Layout::Pretty);
    writer.open(false);
    writer.name("orders");
    writer.open(true);
    for _ in 0..count {
        writer.next();
        writer.order(random);
    }
    writer.close();
    writer.close();
    Document { tokens: writer.tokens }
}

/// As many orders in one document as make at least this many bytes.
pub(super) fn orders_of(bytes: usize, random: &mut Random) -> Document {
    let mut count = 1;
    loop {
        let document = orders(count, random);
        let len = document.text().len();
        if len >= bytes || count > bytes {
            return document;
        }
        count = (count * bytes / len).max(count + 1);
    }
}

/// A call of a tool: about 0.17 KB.
pub(super) fn tool_call(random: &mut Random) -> Document {
    let mut writer = Writer::new(Layout::Line);
    writer.open(false);
    writer.string("name", random.pick_text(&["search_flights", "create_ticket", "send_email", "query_orders"]));
    writer.string("call_id", &format!("call_{:012}", random.below(1 << 40)));
    writer.name("arguments");
    writer.open(false);
    writer.string("origin", random.pick_text(&["Lisbon", "Nairobi", "Osaka", "Kraków"]));
    writer.string("date", &format!("2026-{:02}-{:02}", random.between(1, 12), random.between(1, 28)));
    writer.scalar("passengers", TokenKind::Number, &random.between(1, 9).to_string());
    writer.scalar("is_flexible", TokenKind::Literal, random.pick_text(&["true", "false"]));
    writer.close();
    writer.close();
    Document { tokens: writer.tokens }
}

pub(super) fn sentence(low: usize, high: usize, random: &mut Random) -> String {
    let words: Vec<_> = (0..random.between(low, high)).map(|_| random.pick_text(&WORDS)).collect();
    words.join(" ") + "."
}

/// Writes the tokens of a document, and the white space between them.
struct Writer {
    layout: Layout,
    tokens: Vec<Token>,
    /// For each open container: whether it is an array, and whether it has something in it.
    open: Vec<(bool, bool)>,
}

impl Writer {
    const fn new(layout: Layout) -> Self {
        Self { layout, tokens: Vec::new(), open: Vec::new() }
    }

    fn push(&mut self, kind: TokenKind, text: &str) {
        self.tokens.push(Token::new(kind, text));
    }

    fn line(&mut self) {
        if self.layout == Layout::Pretty {
            self.push(TokenKind::Blank, &format!("\n{}", "  ".repeat(self.open.len())));
        }
    }

    fn open(&mut self, is_array: bool) {
        let (kind, text) = if is_array { (TokenKind::OpenArray, "[") } else { (TokenKind::OpenObject, "{") };
        self.push(kind, text);
        self.open.push((is_array, false));
    }

    fn close(&mut self) {
        let Some((is_array, _)) = self.open.pop() else { return };
        self.line();
        let (kind, text) = if is_array { (TokenKind::CloseArray, "]") } else { (TokenKind::CloseObject, "}") };
        self.push(kind, text);
    }

    /// What comes before a member or an element.
    fn next(&mut self) {
        if let Some((_, has_some)) = self.open.last_mut()
            && std::mem::replace(has_some, true)
        {
            self.push(TokenKind::Comma, ",");
            if self.layout == Layout::Line {
                self.push(TokenKind::Blank, " ");
            }
        }
        self.line();
    }

    fn name(&mut self, name: &str) {
        self.next();
        self.push(TokenKind::Key, &format!("\"{name}\""));
        self.push(TokenKind::Colon, ":");
        self.push(TokenKind::Blank, " ");
    }

    fn string(&mut self, name: &str, content: &str) {
        self.scalar(name, TokenKind::String, &format!("\"{content}\""));
    }

    fn scalar(&mut self, name: &str, kind: TokenKind, text: &str) {
        self.name(name);
        self.push(kind, text);
    }

    /// What a chat model gives that was asked for JSON.
    fn order(&mut self, random: &mut Random) {
        self.open(false);
        self.string("id", &format!("ord-{:06}", random.below(1_000_000)));
        self.string("status", random.pick_text(&["open", "shipped", "refunded", "waiting"]));
        self.scalar("priority", TokenKind::Number, &random.below(9).to_string());
        self.string("summary", &sentence(8, 16, random));
        self.name("customer");
        self.open(false);
        self.string("name", random.pick_text(&NAMES));
        self.scalar("is_new", TokenKind::Literal, random.pick_text(&["true", "false"]));
        self.scalar("phone", TokenKind::Literal, "null");
        self.close();
        self.name("items");
        self.open(true);
        for _ in 0..random.between(1, 3) {
            self.next();
            self.open(false);
            self.string("sku", &format!("CBL-{}", random.below(9_999)));
            self.scalar("quantity", TokenKind::Number, &random.between(1, 99).to_string());
            self.scalar("price", TokenKind::Number, &format!("{}.{}", random.below(900), random.between(1, 99)));
            self.close();
        }
        self.close();
        self.name("tags");
        self.open(true);
        for _ in 0..random.between(1, 4) {
            self.next();
            self.push(TokenKind::String, &format!("\"{}\"", random.pick_text(&WORDS)));
        }
        self.close();
        self.string("reply", &sentence(10, 30, random));
        self.scalar("confidence", TokenKind::Number, &format!("0.{}", random.between(1, 999)));
        self.close();
    }
}
