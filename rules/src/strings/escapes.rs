//! Escapes and control characters inside a string: each row a kind of them, and how JSON spells what was meant.

use jsonseam_core::{Edit, Edits, Fault, Objection, Proposals, ReadPayload, RepairRule, Review, StringProblem, rule};

use crate::shared::escapes::{self, EscapeIssue, EscapeIssueKind, signs};
use crate::shared::{program, quoted, strings};

rule! {
    /// Doubles the backslashes of commands that begin like an escape, in a string that was not escaped.
    ///
    /// # What
    /// A string holds a backslash that begins no escape of JSON, or a raw control character, and beside it commands of LaTeX or of regular expressions
    /// that begin an escape by chance: `\frac`, `\beta`, `\times`, `\neq`, `\rho`. All of these backslashes are doubled.
    ///
    /// # Why
    /// A model that writes `\alpha` and `\sqrt` raw writes `\frac` raw too. Read as JSON, `\frac` is a form feed and `rac`, and the formula is silently lost.
    ///
    /// # Example
    /// `{"a": "\alpha = \frac{1}{2}"}` becomes `{"a": "\\alpha = \\frac{1}{2}"}`.
    ///
    /// # Limits
    /// It replaces escapes that are valid, and chooses between two readings: a guess.
    /// `\b`, `\f` and `\r` before a letter (`\b` also after a repetition in a regular expression), `\n` and `\t` only
    /// where they begin a known command; `\nu`, `\ne` and `\ni` only within a formula.
    /// Where what is left of the command is a word, or the command is a short one (`\nmid`, `\to`, `\text`), it counts within a formula and before `{`;
    /// elsewhere the string is left alone.
    /// Other `\n` and `\t` stay line breaks and tabs. A string without a false escape or a raw control character is valid and never touched.
    /// One string speaks for all strings of the payload: after `\alpha` or `\sin` anywhere, `\to` and `\frac` are doubled in the other strings too, and after
    /// `src\main.py` so is the `\t` of `lib\test.py`. Where one of these may as well be a line break or a tab that is meant, the payload is refused.
    /// The two backslashes that begin the path of a share (`\\server\dir`) become four.
    /// A path of which every escape is valid (`C:\new\temp`) is left alone. In any other (`C:\new\dir`) all are doubled, but for a line break that a
    /// sentence ends before, or that no name follows.
    pub struct AccidentalEscape {
        name: "accidental-escape",
        risk: Guess,
        answers: [String],
        next: ["\\", Control],
        reaches: [OpenString, Escapes],
    }

    /// Escapes raw control characters in a string.
    ///
    /// # What
    /// A string holds characters below U+0020. Each becomes its escape: `\n`, `\r`, `\t`, `\b`, `\f`, else `\u00XX`. A run of them is one edit.
    /// A value in apostrophes that spans lines gets quotes of JSON with it.
    ///
    /// # Why
    /// After wrappers, this is the most frequent defect of model output: a text with paragraphs is written as it should look, not as JSON spells it.
    ///
    /// # Example
    /// `{"a": "one⏎two"}` becomes `{"a": "one\ntwo"}` (⏎ is a newline).
    ///
    /// # Limits
    /// The characters stay, only their spelling changes.
    /// If the string should have ended before the newline, what follows does not fit and the payload is refused. A comma at the end of a line ends no
    /// part of a key.
    pub struct RawControlCharacter {
        name: "raw-control-character",
        risk: Likely,
        answers: [String, Value],
        next: [Control, "'"],
        reaches: [Fault],
        answer: raw_control_character,
    }

    /// Removes the backslash before an apostrophe in a string.
    ///
    /// # What
    /// A string holds `\'`, which is not an escape of JSON. The backslash is removed.
    ///
    /// # Why
    /// JSON5, JavaScript and Python all read the escape, and all read an apostrophe.
    ///
    /// # Example
    /// `{"a": "it\'s"}` becomes `{"a": "it's"}`.
    ///
    /// # Limits
    /// Only in a string that is in double quotes already. Other false escapes are `invalid-escape`.
    pub struct EscapedApostrophe {
        name: "escaped-apostrophe",
        risk: Certain,
        answers: [String],
        next: ["\\"],
        only_ahead: |fault| fault.ahead().starts_with("\\'").then(|| fault.replace_ahead(1, "")),
    }

    /// Doubles a backslash that begins no escape of JSON.
    ///
    /// # What
    /// In a string, a backslash is followed by something other than `" \ / b f n r t` or `u` and four hexadecimal digits.
    /// It is doubled, so the string keeps it. Before the underscore of a name it is Markdown's, and removed: `snake\_case`.
    ///
    /// # Why
    /// LaTeX (`\alpha`), Markdown (`\_`), regular expressions (`\d`) and Windows paths reach strings unescaped. Keeping the backslash loses nothing.
    ///
    /// # Example
    /// `{"a": "\alpha"}` becomes `{"a": "\\alpha"}`.
    ///
    /// # Limits
    /// A truncated escape is left alone: it may have been a valid one.
    /// So is every one in a string where another backslash begins a valid escape by chance (`\frac`, `C:\dir\new`),
    /// or that is the path of a share (`\\server\dir`): there all backslashes were meant literally, and doubling some of them would leave control characters for the others. Commands are `accidental-escape`.
    /// If such an escape is in another string (`src\main.py` here, `lib\new.py` there), the payload is refused: the error names both places.
    pub struct InvalidEscape {
        name: "invalid-escape",
        risk: Likely,
        answers: [String],
        next: ["\\"],
        reaches: [Fault],
    }

    /// Drops the half of an escape at which a string was truncated.
    ///
    /// # What
    /// The completion ends inside an escape of a string value, or after the first half of a surrogate pair. That half is removed.
    /// The report says `truncated`.
    ///
    /// # Why
    /// A model that runs out of tokens may stop between a backslash and its letter.
    ///
    /// # Example
    /// `["x\u26` becomes `["x"]`, together with `unclosed-string` and `unclosed-container`.
    ///
    /// # Limits
    /// The character is lost; which one it was is not guessed.
    /// Only where the completion ends, and never in a key.
    pub struct CutEscape {
        name: "cut-escape",
        risk: Lossy,
        answers: [String],
        next: ["\\", End],
        only: cut_escape,
    }
}

impl RepairRule for AccidentalEscape {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        to.only(if escapes::ever_doubtful(fault) { doubled(fault) } else { None });
    }

    fn review(&self, payload: &ReadPayload<'_>) -> Option<Review> {
        // All of them, or none (SPEC R7).
        let literal = signs::doubtful(payload).map(|escape| escape.is_literal.then_some(escape.pos));
        let places: Vec<_> = literal.collect::<Option<_>>()?;
        (!places.is_empty()).then_some(Review::Double(places))
    }
}

/// The edits that double the backslashes at the fault and up to the next issue of another kind, accidental and doubtful ones with the false ones.
/// `None` where none is due: at the end of the region, and at a control character that nothing accidental follows.
fn doubled(fault: &Fault<'_>) -> Option<Edits> {
    let string = fault.string()?;
    if fault.is_at_end() {
        return None;
    }
    // One that is certain speaks for those of the same string that are not (SPEC R7).
    let is_accidental = |issue: &EscapeIssue| escapes::is_accidental(issue) || issue.kind == EscapeIssueKind::Doubtful;
    let goes_on = |issue: &EscapeIssue| issue.pos <= fault.pos() || is_accidental(issue);
    let near = escapes::of_open_string(fault, string.content.start).take_while(goes_on);
    let near = near.filter(|issue| issue.pos >= fault.pos() || is_accidental(issue));
    // Where commands follow, a control character is repaired with them: all of them, or none.
    let doubles = string.problem == StringProblem::Escape || escapes::has_doubtful(fault);
    Edits::group(near.map(|issue| escapes::repaired(fault, issue))).filter(|_| doubles)
}

fn raw_control_character(fault: &Fault<'_>, to: &mut Proposals) {
    if fault.next_char() == Some('\'') {
        if let Some(edits) = over_lines(fault) {
            to.offer(edits);
        }
        return;
    }
    let Some(string) = fault.string() else { return };
    // No key goes on after a comma at the end of its line.
    let is_of_key = || !string.is_key || !fault.ahead().before(1).ends_with(',');
    // The text may have ended at this line: another rule may offer that.
    if is_of_key() {
        let controls = fault.ahead().take_while(|char| char < ' ');
        to.offer(fault.replace_ahead(controls.len(), quoted::escaped(controls))).unless(escapes::has_doubtful);
    }
}

/// A value in apostrophes that spans lines, with the quotes of JSON.
fn over_lines(fault: &Fault<'_>) -> Option<Edits> {
    // Most texts deny it here: searches are remembered.
    fault.ahead().find("\n")?;
    let is_other = fault.ahead().starts_with("'''") || program::pieces_together(fault, '\'');
    let content = strings::with_escapes(fault, &['\'']).filter(|_| !is_other)?;
    let spans_lines = fault.at(content.start).slice_to(content.end).contains('\n');
    spans_lines.then(|| quoted::requote(fault, content, 1))
}

impl RepairRule for InvalidEscape {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        if fault.is_at_end() {
            return;
        }
        let edits = fault.replace_ahead(1, if is_within_name(fault) { "" } else { "\\\\" });
        // Other languages know `\'`: it is not for this rule to say that nothing else can be meant (SPEC R1).
        if fault.ahead().starts_with("\\'") {
            to.offer(edits).unless(escapes::has_doubtful);
        } else {
            to.only(edits).unless(escapes::has_doubtful);
        }
    }

    fn review(&self, payload: &ReadPayload<'_>) -> Option<Review> {
        let first = signs::doubtful(payload).next()?;
        let doubt = "a backslash that begins no escape speaks against the escapes of all strings";
        Some(Review::Refuse(Objection { at: first.pos, because: first.sign, doubt }))
    }
}

/// How far a string is read back for what else it holds, in bytes.
const REACH: usize = 24;

/// How many underscores more a name may begin with.
const MORE: usize = 3;

/// Whether the backslash is Markdown's before the underscore of a name, `snake\_case` or `\_id`: JavaScript and JSON5 read the name without it too.
/// In a string with other backslashes, a brace or a dollar sign before it, it may be LaTeX.
fn is_within_name(fault: &Fault<'_>) -> bool {
    let mut ahead = fault.ahead();
    if !ahead.eat("\\_") || escapes::has_literal(fault) {
        return false;
    }
    let mut more = 0..MORE;
    while more.next().is_some() && (ahead.eat("\\_") || ahead.eat("_")) {}
    let precedes_name = ahead.peek().is_some_and(char::is_alphanumeric);
    let start = fault.string().map_or(0, |string| string.start);
    let before = |len: usize| fault.ahead().before(len.min(fault.pos() - start));
    // Alone at the end of the string it may be text; one after others is as they are.
    let is_further = || fault.at(start).find("\\_").is_some_and(|first| first < fault.pos());
    let goes_on = || ahead.peek() != Some('"') || is_further();
    let ends_name = || before(8).trim_end_matches(['\\', '_']).ends_with(char::is_alphanumeric) && goes_on();
    // After a drive, a variable or the dots of a relative path it is a folder's.
    let is_of_text = |char: char| char.is_alphanumeric() || char.is_whitespace() || "_*(['\",/".contains(char);
    let follows_text = || before(8).trim_end_matches("\\_").chars().next_back().is_none_or(is_of_text);
    if !precedes_name && !ends_name() || !follows_text() {
        return false;
    }
    let mut next = '\\';
    before(REACH).chars().rev().all(|char| {
        let is_markdown = char != '\\' || next == '_';
        next = char;
        is_markdown && !matches!(char, '{' | '$')
    })
}

fn cut_escape(fault: &Fault<'_>) -> Option<Edits> {
    let string = fault.string()?;
    let pair = escapes::half_pair_len(fault);
    let is_half = !string.is_key && (string.problem == StringProblem::Escape || pair > 0) && fault.is_cut();
    is_half.then(|| Edit::remove(fault.pos() - pair..fault.region_end()).into())
}

#[cfg(test)]
jsonseam_testkit::laws! {
    accidental_escape: AccidentalEscape,
    raw_control_character: RawControlCharacter,
    escaped_apostrophe: EscapedApostrophe,
    invalid_escape: InvalidEscape,
    cut_escape: CutEscape,
}
