//! Values that are written without quotes.

use std::ops::Range;

use jsonseam_core::{Ahead, Container, Edit, Edits, Expected, Fault, TokenKind, is_quote};

use super::{layout, numbers};

/// How much of a line is looked at: enough for any value that a rule would quote, so that no line is read twice at length.
const LEN: usize = 256;

/// A value without quotes that is not JSON, from its first character to its last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BareText<'e> {
    /// What it says. It holds no bracket, double quote, back-tick or control character but a tab, and a backslash only in a path of Windows.
    pub text: &'e str,
    /// Where it is. It starts at the fault, or with the number before it.
    pub span: Range<usize>,
}

/// The bare text that comes where a value is due, or that goes on after a number right before the fault (`5 kg`, `12:30`, `1,000`).
///
/// It ends, on its line, where what follows fits the container: before a closer, before a comma and the next member or element,
/// before a comment, or at the end of the line. In an object a comma that no member follows belongs to the text.
/// `None` at the root, and where the text could go on: where the region or the line breaks off.
pub fn text<'e>(fault: &Fault<'e>) -> Option<BareText<'e>> {
    #[derive(PartialEq, Eq, Hash)]
    struct BareEnd(usize, usize, Container);
    let start = match fault.expected() {
        Expected::Value if !fault.is_at_end() => fault.pos(),
        Expected::Comma if number_goes_on(fault) => fault.token(0)?.span.start,
        Expected::Key if number_is_grouped(fault) => fault.token(1)?.span.start,
        _ => return None,
    };
    // Several rules ask for it, and a long text is read once. It depends on the container and on where the text begins.
    let (pos, container) = (fault.pos(), fault.container()?);
    let end = fault.memo(BareEnd(start, pos, container), || end(fault.at(start), fault.ahead(), container))?;
    Some(BareText { text: fault.at(start).slice_to(end), span: start..end })
}

/// Puts the bare text at the fault in double quotes, if it is clearly data and `is_value` holds for it.
pub fn quote(fault: &Fault<'_>, is_value: &dyn Fn(&str) -> bool) -> Option<Edits> {
    let bare = text(fault)?;
    // Several rules ask of one text, and most of them say no.
    if !is_value(bare.text) || !layout::is_not_prose(fault) {
        return None;
    }
    let [opening, closing] = [bare.span.start, bare.span.end].map(|at| Edit::insert(at, "\""));
    // Only a path holds backslashes.
    if !bare.text.contains('\\') {
        return Some(Edits::from([opening, closing]));
    }
    // One whose backslashes are doubled is escaped already; one in which some are is neither the one nor the other.
    let is_escaped = bare.text.contains("\\\\");
    if is_escaped && bare.text.split("\\\\").any(|part| part.contains('\\')) {
        return None;
    }
    let signs = bare.text.match_indices('\\').filter(|_| !is_escaped);
    let signs = signs.map(|(at, _)| Edit::insert(bare.span.start + at, "\\"));
    Some(signs.fold(opening.into(), Edits::and).and(closing))
}

/// Whether a word is a path of Windows.
pub fn is_path(word: &str) -> bool {
    let is_name = |char: char| char.is_alphanumeric() || matches!(char, '\\' | '_' | '-' | '.' | '*' | '~');
    word.split_once('\\').is_some_and(|(root, path)| begins_path(root) && path.chars().all(is_name))
}

/// Whether what is before the first backslash begins a path of Windows: a drive, or a variable of its shell.
fn begins_path(root: &str) -> bool {
    let is_drive = root.len() == 2 && root.ends_with(':') && root.starts_with(|char: char| char.is_ascii_alphabetic());
    is_drive || root.len() > 2 && root.starts_with('%') && root.ends_with('%')
}

/// Whether text that is not JSON follows a number on its line. In an array digits after a blank are another element.
fn number_goes_on(fault: &Fault<'_>) -> bool {
    let is_spaced = || fault.gap_len() == 1 && fault.container() == Some(Container::Object);
    let goes_on =
        fault.next_char().is_some_and(|char| if char.is_ascii_digit() { is_spaced() } else { !is_quote(char) });
    goes_on && fault.previous_is(TokenKind::Number) && !fault.gap_has_newline()
}

/// Whether three digits follow a number of an object and a comma, without a blank anywhere; or one or two that are a decimal comma's (`1.234,56`)
/// or before a name (`2,4-D`) or a unit (`12,50 €`).
fn number_is_grouped(fault: &Fault<'_>) -> bool {
    match numbers::digits(fault.ahead(), 4) {
        3 => numbers::follows_short_number(fault),
        1 | 2 => {
            let is_joined = || begins_name(fault.ahead()) || are_decimals(None, fault.ahead());
            numbers::follows_pointed_number(fault) || numbers::follows_short_number(fault) && is_joined()
        }
        _ => false,
    }
}

/// Where a bare text ends that begins at `start` and is read up to `ahead`: before a closer, a comma that separates it from what comes next,
/// a comment, or the end of its line. `None` if what follows does not fit, if it may go on, and if it holds what no bare text does.
fn end(start: Ahead<'_>, mut ahead: Ahead<'_>, container: Container) -> Option<usize> {
    let (from, most) = (ahead.pos(), ahead.pos() + LEN);
    let mut end = start.pos();
    let mut before = if start.pos() < from { ahead.char_before()? } else { ' ' };
    let mut is_ended = false;
    while ahead.pos() < most {
        let here = ahead;
        let Some(char) = ahead.bump().filter(|char| !matches!(char, '\n' | '\r')) else {
            is_ended = true;
            break;
        };
        if char == '(' && before.is_whitespace() {
            ahead = ahead.after(remark_len(ahead)?);
            (end, before) = (ahead.pos(), ')');
            continue;
        }
        is_ended = match char {
            ',' => comma_ends(start, here, before, container)?,
            // `#general`: a comment is taken out of the way before a text begins.
            '#' if here.pos() == start.pos() => false,
            // Most of it is words.
            'a'..='z' | 'A'..='Z' | '0'..='9' | ' ' => false,
            _ => ends(char, before, start, here, container)?,
        };
        if is_ended {
            break;
        }
        if !char.is_whitespace() {
            end = ahead.pos();
        }
        before = char;
    }
    let after = ahead.at(end);
    let is_followed = || after.skip_space_and_comments().peek().is_some() && after.could_end_scalar(Some(container));
    (is_ended && end > from && is_followed()).then_some(end)
}

/// Whether a number comes next that a hyphen joins to a name, as in `1,2-dichloroethane`.
fn begins_name(mut ahead: Ahead<'_>) -> bool {
    let digits = ahead.take_while(|char| char.is_ascii_digit());
    !digits.is_empty() && ahead.eat("-") && ahead.peek().is_some_and(char::is_alphabetic)
}

/// A sign of a currency.
pub const CURRENCIES: [char; 5] = ['$', '€', '£', '¥', '₹'];

/// Whether one or two digits come next, after a comma, that are the decimals of an amount: it begins with a currency, or a sign of one or of
/// percent follows (`€12,50`, `3,5 %`).
fn are_decimals(first: Option<char>, ahead: Ahead<'_>) -> bool {
    let is_currency = |char: Option<char>| char.is_some_and(|char| CURRENCIES.contains(&char));
    let digits = numbers::digits(ahead, 3);
    let mut after = ahead.after(digits);
    matches!(digits, 1 | 2)
        && (is_currency(first) || {
            after.eat(" ");
            after.peek() == Some('%') || is_currency(after.peek())
        })
}

/// Whether the comma that comes next ends a bare text: it does before whatever the container allows next.
/// In an object it may also be part of the text; in an array it always ends it, and `None` is a group of thousands or two numbers.
fn comma_ends(start: Ahead<'_>, ahead: Ahead<'_>, before: char, container: Container) -> Option<bool> {
    let is_group = before.is_ascii_digit() && numbers::digits(ahead.after(1), 4) == 3;
    let is_locant = || before.is_ascii_digit() && begins_name(ahead.after(1));
    let is_decimal = || before.is_ascii_digit() && are_decimals(start.peek(), ahead.after(1));
    match container {
        Container::Array => (!is_group && !is_decimal()).then_some(true),
        Container::Object if ahead.after(1).continues(container) => Some(true),
        Container::Object => (is_group || ahead.starts_with(", ") || is_locant() || is_decimal()).then_some(false),
    }
}

/// Whether `char`, which comes next and is not a comma, ends a bare text after `before`; `None` if no bare text holds it.
fn ends(char: char, before: char, start: Ahead<'_>, ahead: Ahead<'_>, container: Container) -> Option<bool> {
    match char {
        '}' => (container == Container::Object).then_some(true),
        ']' => (container == Container::Array).then_some(true),
        ':' => {
            let is_inside = match ahead.char_after()? {
                '/' => ahead.starts_with("://"),
                '\\' => ahead.pos() == start.pos() + 1,
                digit if digit.is_ascii_digit() && before.is_ascii_digit() => true,
                char if char.is_alphanumeric() => {
                    let host = start.slice_to(ahead.pos());
                    is_image(host) || char.is_ascii_digit() && ends_host(host)
                }
                _ => false,
            };
            is_inside.then_some(false)
        }
        '/' => Some(ahead.starts_with("/*") || (before.is_whitespace() && ahead.starts_with("//"))),
        '#' => Some(before.is_whitespace()),
        '\'' | '\u{2019}' | '\t' => Some(false),
        '\\' => start.slice_to(ahead.pos()).split('\\').next().is_some_and(begins_path).then_some(false),
        '{' | '[' | '(' | ')' => None,
        char => (!is_quote(char) && char >= ' ').then_some(false),
    }
}

/// The length of a remark whose parenthesis was just read, with its closing one: words and numbers.
fn remark_len(ahead: Ahead<'_>) -> Option<usize> {
    let remark = layout::line_to(ahead, ')')?;
    let is_plain = |char: char| char.is_alphanumeric() || matches!(char, ' ' | '.' | '-' | '%' | ')');
    remark.chars().all(is_plain).then_some(remark.len())
}

/// A bare text without the remark in parentheses that ends it.
pub fn without_remark(text: &str) -> &str {
    let remark = text.strip_suffix(')').and_then(|text| text.rsplit_once(" ("));
    remark.map_or(text, |(text, _)| text.trim_end())
}

/// Whether a colon after this text may be before the tag of an image: `registry.local/gw`.
pub fn is_image(text: &str) -> bool {
    let is_part = |char: char| char.is_alphanumeric() || matches!(char, '.' | '_' | '-' | '/' | ':');
    text.starts_with(char::is_alphanumeric) && text.contains('/') && !text.contains("//") && text.chars().all(is_part)
}

/// Whether a colon after this text may be before a port.
pub fn ends_host(text: &str) -> bool {
    text == "localhost"
        || text.split('.').count() > 1
            && text.split('.').all(|part| !part.is_empty() && part.chars().all(char::is_alphanumeric))
}
