//! The kinds of damage, by name.

use jsonseam_text::named;

/// Which module does the damage, and so when it is done among several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Room {
    /// The end is missing: done first, so that only what is left is damaged.
    Tail,
    /// Between two tokens.
    Between,
    /// Within one token, plain to see whatever is beside it.
    Spelling,
    /// The quotes of a key or value.
    Quotes,
    /// The content of a string.
    Content,
    /// Separators, brackets and members.
    Structure,
    /// Closers of nested records.
    Closers,
    /// Literals and numbers.
    Words,
    /// The payload as a whole: what was made of it, or what is around it in place of fence and prose.
    Whole,
    /// Around the payload: fence, prose, byte order mark.
    Around,
}

macro_rules! defects {
    ($($(#[$doc:meta])* $name:ident = $text:literal in $room:ident,)*) => {
        named! {
            /// A way in which a text stops being JSON.
            ///
            /// ```
            /// use jsonseam_testkit::damage::Defect;
            ///
            /// assert_eq!(Defect::TrailingComma.to_string(), "trailing-comma");
            /// assert_eq!("trailing-comma".parse(), Ok(Defect::TrailingComma));
            /// assert!(Defect::STRICT.contains(&Defect::MarkdownFence));
            /// ```
            #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
            pub enum Defect as "a defect" {
                $($(#[$doc])* $name = $text,)*
            }
        }

        impl Defect {
            pub(super) const fn room(self) -> Room {
                match self {
                    $(Self::$name => Room::$room,)*
                }
            }
        }
    };
}

defects! {
    /// `[1,]`: a comma before a closer.
    TrailingComma = "trailing-comma" in Between,
    /// A newline but no comma between two members of an object, the first a string, number or literal.
    MissingCommaAfterScalar = "missing-comma-after-scalar" in Between,
    /// A newline but no comma between two members of an object, the first a container.
    MissingCommaAfterContainer = "missing-comma-after-container" in Between,
    /// `'a'`: a key or value in apostrophes, simple by SPEC P5.
    SingleQuotedString = "single-quoted-string" in Spelling,
    /// `“a”` or `‘a’`: a key or value in typographic quotes, simple by SPEC P5.
    SmartQuotedString = "smart-quoted-string" in Spelling,
    /// A run of U+200B to U+200D, U+2060 or U+FEFF between two tokens.
    InvisibleCharacter = "invisible-character" in Between,
    /// The document in a fenced block, with or without a tag, now and then without its end.
    MarkdownFence = "markdown-fence" in Around,
    /// Prose without brackets before or after the document.
    SurroundingProse = "surrounding-prose" in Around,
    /// A newline, tab or other control character that is in a string as itself.
    RawControlCharacter = "raw-control-character" in Spelling,
    /// A backslash in a string that begins no escape; the truth has two of them.
    InvalidEscape = "invalid-escape" in Spelling,
    /// `// …`, `/* … */` or `# …` between two tokens.
    Comment = "comment" in Between,
    /// `{a:1}`: an ASCII identifier without quotes.
    UnquotedKey = "unquoted-key" in Spelling,
    /// `True`, `False` or `None`.
    PythonLiteral = "python-literal" in Spelling,
    /// The end is missing: cut inside a string value, after a member or after an opening bracket. The truth is the prefix, closed.
    UnclosedContainer = "unclosed-container" in Tail,
    /// U+FEFF before everything else.
    LeadingByteOrderMark = "leading-byte-order-mark" in Around,

    /// `"he said "yes" to it"`: a quoted phrase between words of a text.
    UnescapedQuote = "unescaped-quote" in Content,
    /// `""Yes" is what he said"`, `"he said "yes""`: a quoted phrase at the beginning or end of a text.
    UnescapedQuoteAtEdge = "unescaped-quote-at-edge" in Content,
    /// `"he said "yes", then left"`: a quoted phrase and a comma in a value of an object.
    UnescapedQuoteBeforeComma = "unescaped-quote-before-comma" in Content,
    /// `"print("x")"`, `"<a href="x">"`: quotes in a piece of code or markup.
    UnescapedQuoteInCode = "unescaped-quote-in-code" in Content,
    /// ``"call `print("x")` once"``: quotes in code between backticks.
    QuotesInCode = "quotes-in-code" in Content,
    /// `"a 12" pipe"`: one quote for inches between words.
    UnescapedQuoteForInches = "unescaped-quote-for-inches" in Content,
    /// `"it\'s"`: an apostrophe after a backslash.
    EscapedApostrophe = "escaped-apostrophe" in Content,
    /// `"$\frac{a}{b} \cdot c$"`: commands of LaTeX, some of which begin with a valid escape. The truth has every backslash twice.
    AccidentalEscape = "accidental-escape" in Content,
    /// `"src\models\user.py"`: a path, a namespace, a key of a registry or a user of a domain with single backslashes. The truth has every one twice.
    BackslashPath = "backslash-path" in Content,
    /// `"ab" + "cd"`: a value in pieces.
    ConcatenatedStrings = "concatenated-strings" in Content,

    /// The quote that ends a value is missing at the end of a line.
    MissingEndQuote = "missing-end-quote" in Quotes,
    /// The quote that ends a value is missing before a comma and a key on the same line.
    MissingEndQuoteOnLine = "missing-end-quote-on-line" in Quotes,
    /// `{"a: 1}`: the quote that ends a key is missing.
    MissingEndQuoteOfKey = "missing-end-quote-of-key" in Quotes,
    /// `{"a": b c"}`: the quote that begins a value is missing.
    MissingOpenQuote = "missing-open-quote" in Quotes,
    /// `{a": 1}`: the quote that begins a key is missing.
    MissingOpenQuoteOfKey = "missing-open-quote-of-key" in Quotes,
    /// `{"a": b c}`: a value without quotes.
    UnquotedString = "unquoted-string" in Quotes,
    /// A key or value in back-ticks.
    BacktickQuotedString = "backtick-quoted-string" in Quotes,
    /// `"""a"""`: a value in three quotes.
    TripledQuotes = "tripled-quotes" in Quotes,
    /// `{""a"": 1}`: a key in two quotes, or a value of nothing but four of them.
    DoubledQuotes = "doubled-quotes" in Quotes,
    /// `"a'`, `“a"`: a key or value that opens with one kind of quote and closes with another.
    MixedQuotes = "mixed-quotes" in Quotes,
    /// `\"a\"`: a key or value between escaped quotes.
    EscapedDelimiter = "escaped-delimiter" in Quotes,
    /// `"a\"`: a value whose last quote is escaped.
    EscapedEndQuote = "escaped-end-quote" in Quotes,
    /// `'it's'`: apostrophes between letters in apostrophes.
    UnescapedApostrophe = "unescaped-apostrophe" in Quotes,
    /// `'say "hi"'`: quotes in apostrophes.
    QuotesInSingleQuotes = "quotes-in-single-quotes" in Quotes,
    /// `“say "hi"”` and the like: quotes in a value between curly quotes, back-ticks, three quotes or escaped quotes.
    QuotesInOtherNotation = "quotes-in-other-notation" in Quotes,
    /// `u'a'`, `r"a"`: a value with the prefix of a Python string.
    StringPrefix = "string-prefix" in Quotes,

    /// `{"a": 1 "b": 2}`: no comma between two members on one line.
    MissingCommaOnLine = "missing-comma-on-line" in Structure,
    /// `[1 2]`: no comma between two elements.
    MissingCommaInArray = "missing-comma-in-array" in Structure,
    /// `{"a": 1,, "b": 2}`: two or three commas between members of an object.
    RepeatedComma = "repeated-comma" in Structure,
    /// `{, "a": 1}`: a comma before the first member of an object.
    LeadingComma = "leading-comma" in Structure,
    /// `;` for a comma.
    SemicolonSeparator = "semicolon-separator" in Structure,
    /// `{"a" 1}`: no colon.
    MissingColon = "missing-colon" in Structure,
    /// `{"a" = 1}`, `{"a" => 1}`.
    OtherLanguageColon = "other-language-colon" in Structure,
    /// Full-width commas and colons (U+FF0C, U+FF1A).
    FullwidthPunctuation = "fullwidth-punctuation" in Structure,
    /// `{"a": [1, 2, "b": 3}`: an array is not closed before the next member.
    UnclosedInnerContainerArray = "unclosed-inner-container-array" in Structure,
    /// `{"a": [, "b": 3}`: an empty array is not closed before the next member.
    UnclosedEmptyArray = "unclosed-empty-array" in Structure,
    /// `[{"a": 1, {"a": 2}]`: an object is not closed before the next element.
    UnclosedInnerContainerObject = "unclosed-inner-container-object" in Structure,
    /// An object is not closed before the next member, whose indentation puts it into the outer one.
    UnclosedInnerContainerByIndentation = "unclosed-inner-container-by-indentation" in Structure,
    /// `{"a": [1}, "b": 2}`: the closer of the other kind.
    MismatchedCloser = "mismatched-closer" in Structure,
    /// `{"a": [1]], "b": 2}`: a closer too many after an inner container.
    ExtraInnerCloser = "extra-inner-closer" in Structure,
    /// `{"a": 1}, "b": 2}`: the root closes before its last members.
    PrematureCloser = "premature-closer" in Structure,
    /// A `]` for a `}`, or a `}` for a `]`, in nested records over many lines.
    MismatchedCloserInRecords = "mismatched-closer-in-records" in Closers,
    /// The same in nested records on one line.
    MismatchedCloserInRecordsOnLine = "mismatched-closer-in-records-on-line" in Closers,
    /// A closer is missing in nested records over many lines.
    UnclosedInnerContainerInRecords = "unclosed-inner-container-in-records" in Closers,
    /// The same in nested records on one line.
    UnclosedInnerContainerInRecordsOnLine = "unclosed-inner-container-in-records-on-line" in Closers,
    /// A closer too many in nested records over many lines.
    ExtraInnerCloserInRecords = "extra-inner-closer-in-records" in Closers,
    /// The same in nested records on one line.
    ExtraInnerCloserInRecordsOnLine = "extra-inner-closer-in-records-on-line" in Closers,
    /// `{"a", "b"}`: an array of scalars as a set. The truth is the array.
    PythonSet = "python-set" in Structure,
    /// `{"a"}`: an array of one string as a set. The truth is the array.
    OneElementSet = "one-element-set" in Structure,
    /// `(1, 2)`: an array as a tuple.
    PythonTuple = "python-tuple" in Structure,
    /// `{"a": 1, "b"}`: a key without colon and value before the closer. The truth has `null` for it.
    DanglingKey = "dangling-key" in Structure,
    /// `[1, 2, ...]`: three dots in place of more. The truth is without them.
    Ellipsis = "ellipsis" in Structure,
    /// `{1: 2}`: a whole number as a key. The truth has it in quotes.
    NumberKey = "number-key" in Structure,
    /// `<!-- … -->` between two tokens.
    HtmlComment = "html-comment" in Structure,
    /// U+00A0, U+3000 or the like between two tokens.
    UnusualSpace = "unusual-space" in Structure,

    /// `TRUE`, `Null`: a literal in other case.
    LiteralCase = "literal-case" in Words,
    /// `NaN`, `Infinity`, `undefined`. The truth is `null`.
    NonFiniteNumber = "non-finite-number" in Words,
    /// `+1`
    PlusSign = "plus-sign" in Words,
    /// `.5`
    BareDecimalPointBeforeDigits = "bare-decimal-point-before-digits" in Words,
    /// `5.`
    BareDecimalPointAfterDigits = "bare-decimal-point-after-digits" in Words,
    /// `0x1F`. The truth is decimal.
    RadixPrefix = "radix-prefix" in Words,
    /// `1_000`
    DigitSeparator = "digit-separator" in Words,
    /// `1,000` as a member of an object, where no key begins with a digit.
    ThousandsSeparator = "thousands-separator" in Words,
    /// `10 kg`, `5%`. The truth is the same text in quotes.
    UnquotedQuantity = "unquoted-quantity" in Words,

    /// The end is missing within or after a key. The truth is without that member.
    CutMemberAtKey = "cut-member-at-key" in Tail,
    /// The end is missing within a literal. The truth is without its member.
    CutMemberAtLiteral = "cut-member-at-literal" in Tail,
    /// The end is missing within or after a number. The truth is without its member.
    CutMemberAtNumber = "cut-member-at-number" in Tail,
    /// The end is missing within an escape of a value. The truth is without the escape.
    CutEscape = "cut-escape" in Tail,

    /// The root has lost both braces, or the first.
    MissingOuterBraces = "missing-outer-braces" in Whole,
    /// Closers after the root that close nothing.
    ExtraCloser = "extra-closer" in Whole,
    /// The whole payload with its quotes and backslashes escaped.
    EscapedPayload = "escaped-payload" in Whole,
    /// The payload in a string, in prose.
    StringifiedPayload = "stringified-payload" in Whole,
    /// `callback({…});`
    Jsonp = "jsonp" in Whole,
    /// `const data = {…};`
    Assignment = "assignment" in Whole,
    /// A fence with a space, another tag, other marks, on one line, or only its end.
    MarkdownFenceVariant = "markdown-fence-variant" in Whole,
    /// Another complete payload after the first. The truth is the first (SPEC B4).
    SeveralPayloads = "several-payloads" in Whole,
    /// Thoughts before the payload, with a draft in them.
    ReasoningBlock = "reasoning-block" in Whole,
    /// `</s>`, `<|im_end|>` and the like after the payload.
    SpecialToken = "special-token" in Whole,
    /// Prose with brackets before the payload.
    BracketsInProse = "brackets-in-prose" in Whole,
    /// `INSERT INTO t VALUES ('{…}');`: the payload in a statement of SQL.
    SqlAround = "sql-around" in Whole,
    /// The closer of the root is missing, and a label and a sentence follow after a blank line.
    LabelAfterLostEnd = "label-after-lost-end" in Whole,
    /// The schema of the payload before it.
    SchemaEcho = "schema-echo" in Whole,
}

impl Defect {
    /// Whether the kind asks for a document over many lines, or for one on one line; `None` for all that do not damage closers of nested records.
    pub(super) const fn is_on_lines(self) -> Option<bool> {
        match self {
            Self::MismatchedCloserInRecords
            | Self::UnclosedInnerContainerInRecords
            | Self::ExtraInnerCloserInRecords => Some(true),
            Self::MismatchedCloserInRecordsOnLine
            | Self::UnclosedInnerContainerInRecordsOnLine
            | Self::ExtraInnerCloserInRecordsOnLine => Some(false),
            _ => None,
        }
    }

    /// The defects that the preset `strict` repairs, all at once if need be (SPEC P5).
    pub const STRICT: [Self; 9] = [
        Self::TrailingComma,
        Self::MissingCommaAfterScalar,
        Self::MissingCommaAfterContainer,
        Self::SingleQuotedString,
        Self::SmartQuotedString,
        Self::InvisibleCharacter,
        Self::MarkdownFence,
        Self::SurroundingProse,
        Self::LeadingByteOrderMark,
    ];

    /// The defects that the preset `standard` repairs, all at once if need be.
    pub const STANDARD: [Self; 15] = [
        Self::TrailingComma,
        Self::MissingCommaAfterScalar,
        Self::MissingCommaAfterContainer,
        Self::SingleQuotedString,
        Self::SmartQuotedString,
        Self::InvisibleCharacter,
        Self::MarkdownFence,
        Self::SurroundingProse,
        Self::RawControlCharacter,
        Self::InvalidEscape,
        Self::Comment,
        Self::UnquotedKey,
        Self::PythonLiteral,
        Self::UnclosedContainer,
        Self::LeadingByteOrderMark,
    ];

    /// The further defects that rules of the preset `standard` claim: each repaired on its own and beside those of [`Self::STANDARD`], and refused
    /// rather than repaired wrongly where two of them meet.
    pub const CLAIMED: [Self; 32] = [
        Self::SchemaEcho,
        Self::EscapedApostrophe,
        Self::ConcatenatedStrings,
        Self::BacktickQuotedString,
        Self::EscapedDelimiter,
        Self::QuotesInSingleQuotes,
        Self::StringPrefix,
        Self::MissingCommaOnLine,
        Self::MissingCommaInArray,
        Self::RepeatedComma,
        Self::LeadingComma,
        Self::SemicolonSeparator,
        Self::MissingColon,
        Self::OtherLanguageColon,
        Self::FullwidthPunctuation,
        Self::PythonTuple,
        Self::NumberKey,
        Self::HtmlComment,
        Self::UnusualSpace,
        Self::PlusSign,
        Self::BareDecimalPointBeforeDigits,
        Self::BareDecimalPointAfterDigits,
        Self::RadixPrefix,
        Self::DigitSeparator,
        Self::ExtraCloser,
        Self::Jsonp,
        Self::Assignment,
        Self::MarkdownFenceVariant,
        Self::SeveralPayloads,
        Self::ReasoningBlock,
        Self::SpecialToken,
        Self::BracketsInProse,
    ];

    /// The defects of closers in nested records, in two layouts.
    pub const CLOSERS: [Self; 6] = [
        Self::MismatchedCloserInRecords,
        Self::MismatchedCloserInRecordsOnLine,
        Self::UnclosedInnerContainerInRecords,
        Self::UnclosedInnerContainerInRecordsOnLine,
        Self::ExtraInnerCloserInRecords,
        Self::ExtraInnerCloserInRecordsOnLine,
    ];

    /// Whether the defect only surrounds the payload, so that finding the payload repairs it without any edit.
    pub const fn is_around(self) -> bool {
        matches!(self.room(), Room::Around)
            || matches!(self.room(), Room::Whole)
                && !matches!(
                    self,
                    Self::MissingOuterBraces
                        | Self::EscapedPayload
                        | Self::StringifiedPayload
                        | Self::LabelAfterLostEnd
                )
    }

    /// Whether the end of the payload is missing, so that a repair must say so (SPEC B3).
    pub const fn is_cut(self) -> bool {
        matches!(self.room(), Room::Tail)
    }

    /// Whether the truth differs from the document that was damaged: the damage needs a text of its own, or is not undone in full.
    pub const fn rewrites(self) -> bool {
        matches!(self.room(), Room::Tail | Room::Content)
            || matches!(
                self,
                Self::InvalidEscape
                    | Self::RawControlCharacter
                    | Self::QuotesInSingleQuotes
                    | Self::QuotesInOtherNotation
                    | Self::UnescapedApostrophe
                    | Self::NumberKey
                    | Self::DanglingKey
            )
            || matches!(self.room(), Room::Words) && !matches!(self, Self::LiteralCase | Self::NonFiniteNumber)
    }

    /// Whether the two can be in one document: one end at most is missing, one thing at most is done to the payload as a whole, and the same
    /// defect comes twice only if it has more than one place.
    pub fn meets(self, other: Self) -> bool {
        match (self.room(), other.room()) {
            (Room::Tail | Room::Whole, Room::Tail | Room::Whole)
            | (Room::Whole, Room::Around)
            | (Room::Around, Room::Whole) => false,
            (Room::Around, Room::Around) => self != other,
            // A document has one layout.
            (Room::Closers, Room::Closers) => self.is_on_lines() == other.is_on_lines(),
            (Room::Closers, _) if self.is_on_lines() == Some(true) => other != Self::MissingCommaOnLine,
            (_, Room::Closers) if other.is_on_lines() == Some(true) => self != Self::MissingCommaOnLine,
            _ => true,
        }
    }

    /// When the defect is done among several: the end is cut before what is left is damaged, and the surroundings come last, the innermost first.
    pub(super) const fn turn(self) -> u8 {
        match self {
            Self::MarkdownFence => 3,
            Self::SurroundingProse => 4,
            Self::LeadingByteOrderMark => 5,
            _ => match self.room() {
                Room::Tail => 0,
                Room::Whole => 2,
                _ => 1,
            },
        }
    }
}
