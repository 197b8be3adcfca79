//! Host names: of ASCII (RFC 1123, 5891), and internationalised (RFC 5890 to 5893, 3492).
//!
//! The classes of RFC 5892 and 5893 are derived from general categories and scripts, which the engine of regular expressions knows.
//! Characters that have another compatibility form are left out by their blocks, and normal form C is not asked for.

use std::sync::LazyLock;

use crate::regex::Regex;

/// Longest label, and longest name, in bytes of their ASCII form.
const MOST_OF_LABEL: usize = 63;
const MOST_OF_NAME: usize = 253;

/// What begins a label that spells an internationalised one in ASCII.
const PREFIX: &str = "xn--";

const ZERO_WIDTH_NON_JOINER: char = '\u{200c}';
const ZERO_WIDTH_JOINER: char = '\u{200d}';

/// How large a compiled class may get, in bytes; the largest takes a third.
const MAX_CLASS: usize = 1 << 20;

/// A class of characters, as a regular expression.
type Class = LazyLock<Option<Regex>>;

macro_rules! class {
    ($name:ident, $pattern:expr) => {
        static $name: Class = LazyLock::new(|| Regex::new($pattern, MAX_CLASS).ok());
    };
}

// LetterDigits of RFC 5892 without those that have another form, and its exceptions.
class!(
    VALID,
    r"[[[\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}]--[\u{640}\u{7fa}\u{2b0}-\u{2b8}\u{2e0}-\u{2e4}\u{1100}-\u{11ff}\u{1d2c}-\u{1d6a}\u{2071}-\u{214f}\u{302e}\u{302f}\u{3031}-\u{3035}\u{303b}\u{3131}-\u{318e}\u{a960}-\u{a97f}\u{d7b0}-\u{d7ff}\u{f900}-\u{fdff}\u{fe70}-\u{fefc}\u{ff00}-\u{ffef}\u{1d400}-\u{1d7ff}\u{2f800}-\u{2fa1f}]]\u{6fd}\u{6fe}\u{f0b}\u{3007}-]"
);
class!(MARK, r"\p{M}");
class!(NONSPACING, r"\p{Mn}");
class!(GREEK, r"\p{Greek}");
class!(HEBREW, r"\p{Hebrew}");
class!(KANA_OR_HAN, r"[\p{Hiragana}\p{Katakana}\p{Han}]");
class!(RIGHT_TO_LEFT, r"[[\p{Hebrew}\p{Arabic}\p{Syriac}\p{Thaana}\p{Nko}\p{Samaritan}\p{Mandaic}]--[\p{M}\p{N}]]");
class!(JOINING, r"[[\p{Arabic}\p{Syriac}\p{Nko}\p{Mongolian}\p{Mandaic}]&&\p{L}]");
class!(
    VIRAMA,
    r"[\u{94d}\u{9cd}\u{a4d}\u{acd}\u{b4d}\u{bcd}\u{c4d}\u{ccd}\u{d3b}\u{d3c}\u{d4d}\u{dca}\u{e3a}\u{eba}\u{f84}\u{1039}\u{103a}\u{1714}\u{1734}\u{17d2}\u{1a60}\u{1b44}\u{1baa}\u{1bab}\u{1bf2}\u{1bf3}\u{2d7f}\u{a806}\u{a8c4}\u{a953}\u{a9c0}\u{aaf6}\u{abed}]"
);

fn is(class: &Class, char: char) -> bool {
    class.as_ref().is_some_and(|class| class.is_match(char.encode_utf8(&mut [0; 4])))
}

/// Letters, digits and inner hyphens in labels that dots separate.
pub(crate) fn is_hostname(text: &str) -> bool {
    let is_plain = |label: &str| is_ascii_label(label) && !has_reserved_hyphens(label.chars(), is_encoded(label));
    text.len() <= MOST_OF_NAME && text.split('.').all(is_plain)
}

/// The same with labels of any script.
pub(crate) fn is_idn_hostname(text: &str) -> bool {
    let mut labels = Vec::new();
    let mut length = 0;
    for label in text.split(['.', '\u{3002}', '\u{ff0e}', '\u{ff61}']) {
        let Some((label, ascii_length)) = label_of(label) else { return false };
        length += ascii_length + 1;
        labels.push(label);
    }
    let is_bidirectional = labels.iter().flatten().any(|&char| is(&RIGHT_TO_LEFT, char) || is_arabic_number(char));
    length <= MOST_OF_NAME + 1 && (!is_bidirectional || labels.iter().all(|label| has_one_direction(label)))
}

fn is_encoded(label: &str) -> bool {
    label.get(..PREFIX.len()).is_some_and(|start| start.eq_ignore_ascii_case(PREFIX))
}

fn is_ascii_label(label: &str) -> bool {
    (1..=MOST_OF_LABEL).contains(&label.len())
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        && !label.starts_with('-')
        && !label.ends_with('-')
}

/// Two hyphens there are for prefixes alone.
fn has_reserved_hyphens(label: impl Iterator<Item = char>, is_encoded: bool) -> bool {
    !is_encoded && label.skip(2).take(2).eq(['-', '-'])
}

/// The characters that a label stands for, and its length in ASCII; `None` if it is not a label.
fn label_of(label: &str) -> Option<(Vec<char>, usize)> {
    if !label.is_ascii() {
        let chars: Vec<char> = label.chars().collect();
        let length = PREFIX.len() + encoded(&chars)?.len();
        return (is_unicode_label(&chars) && length <= MOST_OF_LABEL).then_some((chars, length));
    }
    if !is_ascii_label(label) || has_reserved_hyphens(label.chars(), is_encoded(label)) {
        return None;
    }
    if !is_encoded(label) {
        return Some((label.chars().collect(), label.len()));
    }
    let spelled = label.get(PREFIX.len()..)?.to_ascii_lowercase();
    let chars = decoded(&spelled)?;
    let is_canonical = !chars.iter().all(char::is_ascii) && encoded(&chars)? == spelled;
    (is_canonical && is_unicode_label(&chars)).then_some((chars, label.len()))
}

fn is_unicode_label(label: &[char]) -> bool {
    let (Some(&first), Some(&last)) = (label.first(), label.last()) else { return false };
    first != '-'
        && last != '-'
        && !is(&MARK, first)
        && !has_reserved_hyphens(label.iter().copied(), false)
        && (0..label.len()).all(|at| is_allowed(label, at))
}

/// Whether a character may be in a label, by itself or for what is around it (RFC 5892, appendix A).
fn is_allowed(label: &[char], at: usize) -> bool {
    let before = || at.checked_sub(1).and_then(|at| label.get(at)).copied();
    let after = || label.get(at + 1).copied();
    let Some(&char) = label.get(at) else { return false };
    match char {
        ZERO_WIDTH_JOINER => before().is_some_and(|char| is(&VIRAMA, char)),
        ZERO_WIDTH_NON_JOINER => before().is_some_and(|char| is(&VIRAMA, char)) || is_between_joining(label, at),
        '\u{b7}' => before() == Some('l') && after() == Some('l'),
        '\u{375}' => after().is_some_and(|char| is(&GREEK, char)),
        '\u{5f3}' | '\u{5f4}' => before().is_some_and(|char| is(&HEBREW, char)),
        '\u{30fb}' => label.iter().any(|&char| char != '\u{30fb}' && is(&KANA_OR_HAN, char)),
        '\u{660}'..='\u{669}' => !label.iter().any(|char| ('\u{6f0}'..='\u{6f9}').contains(char)),
        '\u{6f0}'..='\u{6f9}' => !label.iter().any(|&char| is_arabic_number(char)),
        _ => is(&VALID, char),
    }
}

fn is_between_joining(label: &[char], at: usize) -> bool {
    let joins = |mut chars: &mut dyn Iterator<Item = &char>| {
        let base = (&mut chars).find(|&&char| !is(&NONSPACING, char));
        base.is_some_and(|&char| is(&JOINING, char))
    };
    let (before, after) = label.split_at(at);
    joins(&mut before.iter().rev()) && joins(&mut after.iter().skip(1))
}

fn is_arabic_number(char: char) -> bool {
    ('\u{660}'..='\u{669}').contains(&char)
}

/// The rule for labels of names that hold text from right to left (RFC 5893, section 2).
fn has_one_direction(label: &[char]) -> bool {
    let is_european_number = |char: char| char.is_ascii_digit() || ('\u{6f0}'..='\u{6f9}').contains(&char);
    let is_right = |char: char| is(&RIGHT_TO_LEFT, char);
    let Some(&first) = label.first() else { return false };
    let Some(&last) = label.iter().rev().find(|&&char| !is(&NONSPACING, char)) else { return false };
    if first == '-' || is_european_number(first) || is_arabic_number(first) {
        return false;
    }
    let has = |class: &dyn Fn(char) -> bool| label.iter().any(|&char| class(char));
    if !is_right(first) {
        return last != '-' && !has(&is_right) && !has(&is_arabic_number);
    }
    let is_left = |char: char| {
        let is_neutral = char == '-' || is_european_number(char) || is_arabic_number(char) || is(&NONSPACING, char);
        !is_right(char) && !is_neutral
    };
    last != '-' && !has(&is_left) && !(has(&is_european_number) && has(&is_arabic_number))
}

// The parameters of Punycode (RFC 3492, section 5).
const BASE: u32 = 36;
const T_MIN: u32 = 1;
const T_MAX: u32 = 26;
const SKEW: u32 = 38;
const DAMP: u32 = 700;
const FIRST_BIAS: u32 = 72;
const FIRST_CODE: u32 = 128;

fn adapted(delta: u32, points: u32, is_first: bool) -> u32 {
    let mut delta = if is_first { delta / DAMP } else { delta / 2 };
    delta += delta / points;
    let mut k = 0;
    while delta > (BASE - T_MIN) * T_MAX / 2 {
        delta /= BASE - T_MIN;
        k += BASE;
    }
    k + (BASE - T_MIN + 1) * delta / (delta + SKEW)
}

fn threshold(k: u32, bias: u32) -> u32 {
    k.saturating_sub(bias).clamp(T_MIN, T_MAX)
}

/// The label in Punycode; `None` if it is far too long.
fn encoded(label: &[char]) -> Option<String> {
    if label.len() > MOST_OF_LABEL {
        return None;
    }
    let mut output: String = label.iter().filter(|char| char.is_ascii()).collect();
    let basic = u32::try_from(output.len()).ok()?;
    if basic > 0 {
        output.push('-');
    }
    let (mut code, mut delta, mut bias, mut handled) = (FIRST_CODE, 0_u32, FIRST_BIAS, basic);
    let digit = |value: u32| char::from_digit(if value < 26 { value + 10 } else { value - 26 }, BASE);
    while (handled as usize) < label.len() {
        let next = label.iter().map(|&char| u32::from(char)).filter(|&char| char >= code).min()?;
        delta = delta.checked_add((next - code).checked_mul(handled + 1)?)?;
        code = next;
        for &char in label {
            let char = u32::from(char);
            delta = delta.checked_add(u32::from(char < code))?;
            if char != code {
                continue;
            }
            let (mut rest, mut k) = (delta, BASE);
            loop {
                let least = threshold(k, bias);
                if rest < least {
                    break;
                }
                output.push(digit(least + (rest - least) % (BASE - least))?);
                rest = (rest - least) / (BASE - least);
                k += BASE;
            }
            output.push(digit(rest)?);
            bias = adapted(delta, handled + 1, handled == basic);
            delta = 0;
            handled += 1;
        }
        delta = delta.checked_add(1)?;
        code = code.checked_add(1)?;
    }
    Some(output)
}

/// What Punycode in lower case spells.
fn decoded(spelled: &str) -> Option<Vec<char>> {
    let (basic, digits) = spelled.rsplit_once('-').unwrap_or(("", spelled));
    let mut output: Vec<char> = basic.chars().collect();
    let (mut code, mut at, mut bias) = (FIRST_CODE, 0_u32, FIRST_BIAS);
    let mut digits = digits.chars().peekable();
    while digits.peek().is_some() {
        let (before, mut weight, mut k) = (at, 1_u32, BASE);
        loop {
            let value = digits.next()?.to_digit(BASE)?;
            let value = if value < 10 { value + 26 } else { value - 10 };
            at = at.checked_add(value.checked_mul(weight)?)?;
            let least = threshold(k, bias);
            if value < least {
                break;
            }
            weight = weight.checked_mul(BASE - least)?;
            k += BASE;
        }
        let points = u32::try_from(output.len()).ok()? + 1;
        bias = adapted(at - before, points, before == 0);
        code = code.checked_add(at / points)?;
        at %= points;
        output.insert(usize::try_from(at).ok()?, char::from_u32(code)?);
        at += 1;
    }
    Some(output)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn punycode_reads_and_writes_the_samples_of_its_document() {
        for (text, spelled) in [
            (
                "\u{644}\u{64a}\u{647}\u{645}\u{627}\u{628}\u{62a}\u{643}\u{644}\u{645}\u{648}\u{634}\u{639}\u{631}\u{628}\u{64a}\u{61f}",
                "egbpdaj6bu4bxfgehfvwxn",
            ),
            ("\u{4ed6}\u{4eec}\u{4e3a}\u{4ec0}\u{4e48}\u{4e0d}\u{8bf4}\u{4e2d}\u{6587}", "ihqwcrb4cv8a8dqg056pqjye"),
            ("bücher", "bcher-kva"),
        ] {
            let chars: Vec<char> = text.chars().collect();
            assert_eq!(encoded(&chars).as_deref(), Some(spelled));
            assert_eq!(decoded(spelled), Some(chars));
        }
        for wrong in ["99999999", "-", "é"] {
            assert!(decoded(wrong).is_none_or(|chars| encoded(&chars).as_deref() != Some(wrong)), "{wrong}");
        }
    }

    #[test]
    fn v3_names_of_any_script_follow_the_rules_of_their_characters() {
        for name in [
            "example.com",
            "EXAMPLE.com",
            "bücher.example",
            "xn--bcher-kva.example",
            "실례。테스트",
            "faß.de",
            "l·l",
            "אב3.com",
        ] {
            assert!(is_idn_hostname(name), "{name}");
        }
        for name in [
            "",
            ".",
            "a..b",
            "-a",
            "bü-",
            "Bücher.de",
            "ﬁsch",
            "a·b",
            "0א",
            "aא",
            "xn--a",
            "xn--bcher-kvb-",
            "\u{300}a",
            "ü☃",
        ] {
            assert!(!is_idn_hostname(name), "{name}");
        }
        assert!(!is_idn_hostname(&"ü".repeat(100_000)) && !is_idn_hostname(&"ü.".repeat(200)));
        assert!(is_hostname("xn--bcher-kva.de") && !is_hostname("bücher.de") && !is_hostname("ab--c"));
    }
}
