//! Valid JSON documents from a seed, as streams of tokens, with strings that look like anything but strings.
//!
//! A document is kept as tokens and not as a value, because the laws are about text: the spelling of numbers, the escapes in a key and
//! the white space between tokens are what must survive. The damage of [`crate::damage`] is done to the same tokens.

mod records;

pub use self::records::records;
use crate::awkward::{BLANKS, CLASSES, NUMBERS, SENTENCES, WORDS};
use crate::random::Random;

/// What a token of a [`Document`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// White space between tokens (RFC 8259, section 2).
    Blank,
    /// `{`
    OpenObject,
    /// `}`
    CloseObject,
    /// `[`
    OpenArray,
    /// `]`
    CloseArray,
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// A string that names a member.
    Key,
    /// A string that is a value.
    String,
    /// A number.
    Number,
    /// `true`, `false` or `null`.
    Literal,
}

impl TokenKind {
    /// Whether the token is a value of its own: a string, a number or a literal.
    pub const fn is_scalar(self) -> bool {
        matches!(self, Self::String | Self::Number | Self::Literal)
    }

    /// Whether the token opens a container.
    pub const fn opens(self) -> bool {
        matches!(self, Self::OpenObject | Self::OpenArray)
    }

    /// Whether the token closes a container.
    pub const fn closes(self) -> bool {
        matches!(self, Self::CloseObject | Self::CloseArray)
    }
}

/// One token with its spelling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// How it is spelled, quotes included.
    pub text: String,
}

impl Token {
    /// A token of this kind and spelling.
    pub fn new(kind: TokenKind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into() }
    }
}

/// A JSON text as its tokens.
///
/// **Invariant**: what [`document`] makes is valid by RFC 8259. Whoever builds one by hand answers for that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Every token in order, white space included.
    pub tokens: Vec<Token>,
}

impl Document {
    /// The text that the tokens spell.
    pub fn text(&self) -> String {
        self.tokens.iter().map(|token| token.text.as_str()).collect()
    }
}

/// What the root of a document may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RootKind {
    /// An object.
    #[default]
    Object,
    /// An array.
    Array,
    /// An object, an array or now and then a scalar.
    Any,
}

/// Which white space is between the tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Style {
    /// None at all.
    Minified,
    /// One line, with a space after each comma and colon.
    Spaced,
    /// One member per line, indented by two spaces, now and then with a final newline.
    PrettyTwo,
    /// The same with four spaces.
    PrettyFour,
    /// Anything that is legal: tabs, CRLF, blank lines, also around the root.
    Wild,
}

impl Style {
    /// Every style.
    pub const ALL: [Self; 5] = [Self::Minified, Self::Spaced, Self::PrettyTwo, Self::PrettyFour, Self::Wild];
}

/// What documents to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// What the root is.
    pub root: RootKind,
    /// About how many bytes of tokens (from 2 to any number); a document exceeds it by one member and the closers at most.
    pub bytes: usize,
    /// How deep containers nest at most, the root counted; at least 1.
    pub depth: usize,
    /// The white space.
    pub style: Style,
}

impl Default for Shape {
    fn default() -> Self {
        Self { root: RootKind::Object, bytes: 400, depth: 8, style: Style::Spaced }
    }
}

impl Shape {
    /// A shape drawn at random: 2 bytes to 4 KiB (mostly a few hundred), depth 1 to 60, any style.
    pub fn any(root: RootKind, random: &mut Random) -> Self {
        let bytes = match random.below(10) {
            0 => random.between(2, 20),
            1..=7 => random.between(20, 500),
            _ => random.between(500, 4_096),
        };
        let depth = if random.chance(1, 8) { random.between(1, 60) } else { random.between(1, 6) };
        let style = random.pick(&Style::ALL).copied().unwrap_or(Style::Wild);
        Self { root, bytes, depth, style }
    }
}

/// A valid document of this shape.
///
/// ```
/// use jsonseam_testkit::generate::{Shape, document};
/// use jsonseam_testkit::random::Random;
///
/// let text = document(&Shape::default(), &mut Random::new(1)).text();
/// assert!(text.starts_with('{') && text.ends_with('}'));
/// ```
pub fn document(shape: &Shape, random: &mut Random) -> Document {
    let mut maker = Maker { shape: *shape, random: random.fork(), tokens: Vec::new(), open: Vec::new(), used: 0 };
    maker.outer_blank();
    maker.root();
    while let Some(is_object) = maker.open.last().map(|frame| frame.is_object) {
        if maker.closes_here() {
            maker.close();
        } else {
            maker.member(is_object);
        }
    }
    maker.outer_blank();
    Document { tokens: maker.tokens }
}

/// An open container while a document is being made.
struct Open {
    is_object: bool,
    members: usize,
    /// The spellings of keys so far, so that some can be repeated.
    keys: Vec<String>,
}

/// The state of one call of [`document`].
struct Maker {
    shape: Shape,
    random: Random,
    tokens: Vec<Token>,
    open: Vec<Open>,
    used: usize,
}

impl Maker {
    fn push(&mut self, kind: TokenKind, text: impl Into<String>) {
        let token = Token::new(kind, text);
        if token.text.is_empty() {
            return;
        }
        if kind != TokenKind::Blank {
            self.used += token.text.len();
        }
        self.tokens.push(token);
    }

    fn outer_blank(&mut self) {
        match self.shape.style {
            Style::Wild => self.wild_blank(),
            Style::PrettyTwo | Style::PrettyFour if !self.tokens.is_empty() && self.random.chance(1, 3) => {
                self.push(TokenKind::Blank, "\n");
            }
            _ => {}
        }
    }

    fn wild_blank(&mut self) {
        let blank = self.random.pick_text(BLANKS);
        self.push(TokenKind::Blank, blank);
    }

    /// The white space before a member or before a closer.
    fn line(&mut self, is_after_comma: bool) {
        let indent = match self.shape.style {
            Style::Spaced if is_after_comma => return self.push(TokenKind::Blank, " "),
            Style::Minified | Style::Spaced => return,
            Style::Wild => return self.wild_blank(),
            Style::PrettyTwo => 2,
            Style::PrettyFour => 4,
        };
        self.push(TokenKind::Blank, format!("\n{}", " ".repeat(indent * self.open.len())));
    }

    fn root(&mut self) {
        let is_scalar = self.shape.root == RootKind::Any && self.random.chance(1, 8);
        if is_scalar {
            return self.scalar();
        }
        let is_object = match self.shape.root {
            RootKind::Object => true,
            RootKind::Array => false,
            RootKind::Any => self.random.chance(1, 2),
        };
        self.open_container(is_object);
    }

    fn open_container(&mut self, is_object: bool) {
        let (kind, text) = if is_object { (TokenKind::OpenObject, "{") } else { (TokenKind::OpenArray, "[") };
        self.push(kind, text);
        self.open.push(Open { is_object, members: 0, keys: Vec::new() });
    }

    /// Containers close when the bytes are spent; inner ones also by chance, a quarter of them while still empty.
    fn closes_here(&mut self) -> bool {
        if self.used + self.open.len() >= self.shape.bytes {
            return true;
        }
        self.open.len() > 1 && self.random.chance(1, 4)
    }

    fn close(&mut self) {
        let Some(frame) = self.open.pop() else { return };
        if frame.members > 0 || self.shape.style == Style::Wild {
            self.line(false);
        }
        let (kind, text) = if frame.is_object { (TokenKind::CloseObject, "}") } else { (TokenKind::CloseArray, "]") };
        self.push(kind, text);
    }

    fn member(&mut self, is_object: bool) {
        let is_first = self.open.last().is_none_or(|frame| frame.members == 0);
        if !is_first {
            if self.shape.style == Style::Wild {
                self.wild_blank();
            }
            self.push(TokenKind::Comma, ",");
        }
        self.line(!is_first);
        if is_object {
            self.key();
        }
        if let Some(frame) = self.open.last_mut() {
            frame.members += 1;
        }
        // Some documents dive as deep as they may; the others stay flat most of the time.
        let dives = self.shape.depth > 20 || self.random.chance(1, 4);
        if self.open.len() < self.shape.depth && dives {
            let is_object = self.random.chance(1, 2);
            self.open_container(is_object);
        } else {
            self.scalar();
        }
    }

    fn key(&mut self) {
        let earlier = self.open.last().and_then(|frame| self.random.pick(&frame.keys)).cloned();
        let content = match (self.random.below(20), earlier) {
            (0, Some(key)) => key,
            (1, Some(key)) => escaped_spelling(&key),
            (2..=12, _) => self.random.pick_text(WORDS).to_owned(),
            _ => self.content(24),
        };
        self.push(TokenKind::Key, format!("\"{content}\""));
        if let Some(frame) = self.open.last_mut() {
            frame.keys.push(content);
        }
        if self.shape.style == Style::Wild {
            self.wild_blank();
        }
        self.push(TokenKind::Colon, ":");
        match self.shape.style {
            Style::Minified => {}
            Style::Wild => self.wild_blank(),
            _ => self.push(TokenKind::Blank, " "),
        }
    }

    fn scalar(&mut self) {
        match self.random.below(10) {
            0..=5 => {
                let longest = self.shape.bytes.saturating_sub(self.used).max(8);
                let content = self.content(longest);
                self.push(TokenKind::String, format!("\"{content}\""));
            }
            6 | 7 => {
                let number = self.number();
                self.push(TokenKind::Number, number);
            }
            _ => {
                let literal = self.random.pick_text(&["true", "false", "null"]);
                self.push(TokenKind::Literal, literal);
            }
        }
    }

    fn number(&mut self) -> String {
        match self.random.below(4) {
            0 | 1 => self.random.pick_text(NUMBERS).to_owned(),
            2 => self.random.below(1_000).to_string(),
            _ => format!("-{}.{}e{}", self.random.below(100), self.random.below(1_000), self.random.below(300)),
        }
    }

    /// The content of a string: empty, words, sentences, awkward fragments, or very long where `longest` bytes allow it.
    fn content(&mut self, longest: usize) -> String {
        match self.random.below(24) {
            0 => String::new(),
            1..=6 => self.random.pick_text(WORDS).to_owned(),
            7 if longest > 200 => {
                let piece = self.fragment();
                let times = self.random.between(20, longest.min(4_096)) / piece.len().max(1);
                piece.repeat(times.max(1))
            }
            8..=13 => self.fragment().to_owned(),
            14..=18 if longest > 24 => self.random.pick_text(SENTENCES).to_owned(),
            _ => {
                let mut content = String::new();
                for _ in 0..self.random.between(2, 4) {
                    content.push_str(if self.random.chance(1, 2) {
                        self.random.pick_text(WORDS)
                    } else {
                        self.fragment()
                    });
                    content.push_str(self.random.pick_text(&["", "", " ", ", "]));
                }
                content
            }
        }
    }

    fn fragment(&mut self) -> &'static str {
        let fragments = self.random.pick(CLASSES).map_or(&[] as &[&str], |class| class.fragments);
        self.random.pick_text(fragments)
    }
}

/// The same key, its first ASCII letter or digit spelled as an escape, if it begins with one.
fn escaped_spelling(content: &str) -> String {
    let mut rest = content.chars();
    match rest.next() {
        Some(first) if first.is_ascii_alphanumeric() => {
            format!("\\u{:04x}{}", u32::from(first), rest.as_str())
        }
        _ => content.to_owned(),
    }
}
