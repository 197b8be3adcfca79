//! The regions of markup whose content is shown (SPEC L0a): elements, comments, the listings of markup languages, here-documents and inline code.
//! A kind of quotation is a row; what ends it depends on the row alone, or on what follows the mark too.

use std::ops::Range;
use std::sync::LazyLock;

use jsonseam_text::floor_char_boundary;

use super::quoted::begins_line;
use crate::cursor::{Finder, Stop};

/// How far the brackets of a command around inline code are looked at.
const MAX_INLINE: usize = 1 << 9;

/// A region of markup whose content is shown.
pub(super) struct Region {
    /// What begins it: a tag may go on with attributes.
    pub(super) open: &'static str,
    end: End,
}

/// What ends a region.
enum End {
    /// A mark. Where it is missing, the first one is a mention.
    Mark(&'static str),
    /// A mark, or the end of the text.
    MarkOrNothing(&'static str),
    /// The character that follows the mark and what else belongs to it, once more in the same line.
    Delimiter,
    /// A line that is the same as the one that the mark begins.
    SameLine,
    /// A line that is the word after the mark.
    Word,
    /// The first line that is indented no deeper than the line of the mark.
    Dedent,
}

/// What a region quotes, marks included, and whether its end is there.
pub(super) struct Shown {
    pub(super) span: Range<usize>,
    pub(super) is_closed: bool,
}

macro_rules! elements {
    ($($name:literal)*) => {
        [$(Region { open: concat!("<", $name), end: End::Mark(concat!("</", $name, ">")) }),*]
    };
}

/// The elements that quote: what is shown as it is or is not shown at all (HTML, sections 4.4, 4.5 and 4.12; `MediaWiki`), what was deleted, and what prompts
/// put around the words of others.
const ELEMENTS: [Region; 53] = elements! {
    "pre" "Pre" "PRE" "code" "Code" "CODE" "samp" "kbd" "xmp" "textarea" "TEXTAREA" "blockquote" "Blockquote" "BLOCKQUOTE" "q" "quote" "del" "strike"
    "script" "style" "template" "noscript" "nowiki" "syntaxhighlight" "source"
    "example" "Example" "EXAMPLE" "examples" "Examples" "EXAMPLES" "document" "user" "observation"
    "tool_output" "output" "search_result" "search_results" "context" "webpage" "web_page" "page_content" "email" "untrusted"
    "untrusted_content" "user_input" "file_content" "file_contents" "transcript" "system" "system-reminder" "system_reminder" "plan"
};

/// The other regions.
const OTHERS: [(&str, End); 50] = [
    ("<!--", End::MarkOrNothing("-->")),
    ("<![CDATA[", End::Mark("]]>")),
    ("<tool_response", End::MarkOrNothing("</tool_response>")),
    ("<tool_result", End::MarkOrNothing("</tool_result>")),
    ("<tool_results", End::MarkOrNothing("</tool_results>")),
    ("<tool_use_result", End::MarkOrNothing("</tool_use_result>")),
    ("<function_result", End::MarkOrNothing("</function_result>")),
    ("~~", End::Mark("~~")),
    ("/*", End::Mark("*/")),
    ("(*", End::Mark("*)")),
    ("{-", End::Mark("-}")),
    ("#|", End::Mark("|#")),
    ("=begin", End::Mark("=end")),
    ("R\"(", End::Mark(")\"")),
    ("[quote]", End::Mark("[/quote]")),
    ("[code]", End::Mark("[/code]")),
    // Jira and Confluence.
    ("{code}", End::Mark("{code}")),
    ("{code:", End::Mark("{code}")),
    ("{noformat}", End::Mark("{noformat}")),
    ("{quote}", End::Mark("{quote}")),
    // Jinja, Django and Jekyll.
    ("{% raw %}", End::Mark("{% endraw %}")),
    ("{% verbatim %}", End::Mark("{% endverbatim %}")),
    ("{% highlight", End::Mark("{% endhighlight %}")),
    // LaTeX.
    ("\\begin{verbatim}", End::Mark("\\end{verbatim}")),
    ("\\begin{verbatim*}", End::Mark("\\end{verbatim*}")),
    ("\\begin{Verbatim}", End::Mark("\\end{Verbatim}")),
    ("\\begin{alltt}", End::Mark("\\end{alltt}")),
    ("\\begin{lstlisting}", End::Mark("\\end{lstlisting}")),
    ("\\begin{minted}", End::Mark("\\end{minted}")),
    ("\\begin{comment}", End::Mark("\\end{comment}")),
    ("\\verb", End::Delimiter),
    ("\\Verb", End::Delimiter),
    ("\\lstinline", End::Delimiter),
    ("\\mintinline", End::Delimiter),
    ("\\texttt", End::Delimiter),
    // Org.
    ("#+BEGIN_SRC", End::Mark("#+END_SRC")),
    ("#+begin_src", End::Mark("#+end_src")),
    ("#+BEGIN_EXAMPLE", End::Mark("#+END_EXAMPLE")),
    ("#+begin_example", End::Mark("#+end_example")),
    ("'''", End::Mark("'''")),
    // The delimited blocks of AsciiDoc: listing, literal, passthrough, quote, example, comment.
    ("----", End::SameLine),
    ("....", End::SameLine),
    ("++++", End::SameLine),
    ("____", End::SameLine),
    ("====", End::SameLine),
    ("////", End::SameLine),
    // Here-documents of shells, Perl, Ruby and PHP.
    ("<<", End::Word),
    // Literal blocks and directives of reStructuredText, block scalars of YAML.
    ("::", End::Dedent),
    (": |", End::Dedent),
    (": >", End::Dedent),
];

/// The regions that quote.
pub(super) static REGIONS: LazyLock<Vec<Region>> = LazyLock::new(|| {
    let others = OTHERS.into_iter().map(|(open, end)| Region { open, end });
    ELEMENTS.into_iter().chain(others).collect()
});

impl Region {
    /// Whether a mark at `at` may begin such a region, by what is before it.
    #[cfg(feature = "stream")]
    pub(super) fn may_open(&self, text: &str, at: usize) -> bool {
        !matches!(self.end, End::SameLine) || begins_line(text, at)
    }

    /// Whether what is at `at` begins such a region; `None` if that depends on what follows the text.
    pub(super) fn opens(&self, text: &str, at: usize) -> Option<bool> {
        let Some(rest) = text.get(at..).and_then(|rest| rest.strip_prefix(self.open)) else { return Some(false) };
        match self.end {
            End::Mark(_) | End::MarkOrNothing(_) => Some(self.is_mark(text, at, rest)),
            End::Delimiter => inline_start(self.open, rest).ok().map(|start| start.is_some()),
            End::SameLine => is_rule(text, at, rest),
            End::Word => word(rest).ok().map(|word| word.is_some()),
            End::Dedent => {
                let is_directive = || self.open == "::" && line_before(text, at).trim_start().starts_with(".. ");
                let is_scalar = self.open != "::" && rest.starts_with(['-', '+']);
                let rest = rest.get(usize::from(is_scalar)..).unwrap_or_default();
                (!rest.is_empty()).then(|| rest.starts_with(['\n', '\r']) || is_directive())
            }
        }
    }

    fn is_mark(&self, text: &str, at: usize, rest: &str) -> bool {
        let is_tag = self.open.starts_with('<') && !self.open.starts_with("<!");
        let (before, after) = (text.get(..at).and_then(|before| before.chars().next_back()), rest.chars().next());
        match self.open {
            // Three of them are a fence, and a blank after two is no strikethrough.
            "~~" => before != Some('~') && after.is_some_and(|after| after != '~' && !after.is_whitespace()),
            // Elsewhere it is a part of a path, or of a note.
            "/*" | "(*" | "{-" | "#|" | "=begin" => {
                before.is_none_or(char::is_whitespace)
                    && after.is_some_and(|after| after == '*' || after.is_whitespace())
            }
            _ => !is_tag || after.is_some_and(|after| matches!(after, '>' | '/') || after.is_whitespace()),
        }
    }

    /// The region that begins at `at`, marks included; `None` if none does.
    pub(super) fn quoted_from(&self, finder: &Finder<'_>, text: &str, at: usize) -> Option<Shown> {
        if self.opens(text, at) != Some(true) {
            return None;
        }
        let inner = at + self.open.len();
        let end = match self.end {
            End::Mark(close) | End::MarkOrNothing(close) => {
                finder.find(close, inner).map(|close_at| close_at + close.len())
            }
            End::Delimiter => inline_end(finder, text, self.open, inner),
            End::SameLine | End::Word => self.line_after(finder, text, at, inner),
            End::Dedent => block_end(finder, text, at),
        };
        match end {
            Some(end) => Some(Shown { span: at..end, is_closed: true }),
            None if matches!(self.end, End::MarkOrNothing(_)) => Some(Shown { span: at..text.len(), is_closed: false }),
            None => None,
        }
    }

    /// Whether after `pos` a mark that ends the region at `at` is before one that begins another.
    pub(super) fn closes_again(&self, finder: &Finder<'_>, text: &str, at: usize, pos: usize) -> bool {
        match self.end {
            End::Mark(close) | End::MarkOrNothing(close) => {
                let close = finder.find(close, pos);
                close.is_some_and(|close| finder.find(self.open, pos).is_none_or(|open| close < open))
            }
            End::SameLine | End::Word => self.line_after(finder, text, at, pos).is_some(),
            End::Delimiter | End::Dedent => false,
        }
    }

    /// The end of the first line after `pos` that ends the region at `at`.
    fn line_after(&self, finder: &Finder<'_>, text: &str, at: usize, pos: usize) -> Option<usize> {
        let rest = text.get(at..)?;
        let line = match self.end {
            End::Word => word(rest.get(self.open.len()..)?).ok()??,
            _ => rest.lines().next()?.trim_end(),
        };
        finder.line_after(line, pos)
    }
}

/// What of its line is before a place, as far as it is looked at.
fn line_before(text: &str, at: usize) -> &str {
    const LONGEST: usize = 128;
    let before = text.get(..at).unwrap_or_default();
    let near = before.get(floor_char_boundary(before, before.len().saturating_sub(LONGEST))..).unwrap_or_default();
    near.rsplit('\n').next().unwrap_or_default()
}

/// Where what is between the delimiters of inline code begins, after the name of its command; `None` if it is no such command.
fn inline_start(open: &str, rest: &str) -> Result<Option<usize>, Stop> {
    /// The longest list of options.
    const LONGEST: usize = 64;
    let mut inner = rest.strip_prefix('*').unwrap_or(rest);
    let options = [('[', ']', matches!(open, "\\lstinline" | "\\mintinline")), ('{', '}', open == "\\mintinline")];
    for (begin, end, _) in options.into_iter().filter(|(.., may_be)| *may_be) {
        if inner.starts_with(begin) {
            match inner.find(end).filter(|&end| end < LONGEST) {
                Some(end) => inner = inner.get(end + 1..).unwrap_or_default(),
                None if inner.len() >= LONGEST => return Ok(None),
                None => return Err(Stop::Cut),
            }
        }
    }
    let delimiter = inner.chars().next().ok_or(Stop::Cut)?;
    let is_delimiter = if open == "\\texttt" { delimiter == '{' } else { delimiter.is_ascii_punctuation() };
    Ok(is_delimiter.then(|| rest.len() - inner.len()))
}

/// The end of the inline code whose command ends at `pos`, in the same line.
fn inline_end(finder: &Finder<'_>, text: &str, open: &str, pos: usize) -> Option<usize> {
    let start = pos + inline_start(open, text.get(pos..)?).ok()??;
    let inner = text.get(start..)?;
    let delimiter = inner.get(..1)?;
    let line = finder.find("\n", start).unwrap_or(text.len());
    let end = if delimiter == "{" {
        finder.charge(inner.len().min(MAX_INLINE));
        let mut depth = 0_usize;
        inner.bytes().take(MAX_INLINE).position(|byte| {
            match byte {
                b'{' => depth += 1,
                b'}' => depth -= 1,
                _ => {}
            }
            depth == 0
        })
    } else {
        finder.find(delimiter, start + 1).map(|end| end - start)
    };
    end.map(|end| start + end + 1).filter(|&end| end <= line)
}

/// Whether the line that a mark at `at` begins is a delimiter of a block: a run of one character, and no underline of a heading.
/// `None` if that depends on what follows the text.
fn is_rule(text: &str, at: usize, rest: &str) -> Option<bool> {
    /// The longest run that is one.
    const LONGEST: usize = 256;
    if !begins_line(text, at) {
        return Some(false);
    }
    let mark = text.as_bytes().get(at)?;
    let run = rest.bytes().take(LONGEST + 1).take_while(|byte| byte == mark).count();
    if run > LONGEST {
        return Some(false);
    }
    let after = rest.as_bytes().get(run)?;
    let mut lines = text.get(..at).unwrap_or_default().rsplit('\n').skip(1);
    let before = lines.next().unwrap_or_default().trim();
    let is_attribute = before.starts_with('[') && before.ends_with(']') || before.starts_with('.');
    if !matches!(after, b'\n' | b'\r') {
        return Some(false);
    }
    let last = if before.is_empty() { lines.next().unwrap_or_default().trim() } else { before };
    let is_announced = is_attribute || last.ends_with(':');
    if is_announced || !before.is_empty() || matches!(mark, b'+' | b'/') {
        return Some(is_announced || before.is_empty());
    }
    // A rule of Markdown has blank lines around it too; the text of a block begins in the next line.
    let next = rest.get(run..)?.trim_start_matches('\r').strip_prefix('\n').unwrap_or_default();
    next.chars().next().map(|first| !matches!(first, '\n' | '\r'))
}

/// Where to go on after a mark that begins no region: a run that is no delimiter of a block holds none.
pub(super) fn after_rule(finder: &Finder<'_>, text: &str, at: usize) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    let Some(mark) = rest.first().filter(|mark| b"-.+_=/".contains(mark)) else { return at + 1 };
    let run = rest.iter().take_while(|byte| *byte == mark).count();
    finder.charge(run);
    at + run
}

/// The word that ends a here-document, from what follows its mark; `None` if something else does.
fn word(rest: &str) -> Result<Option<&str>, Stop> {
    /// The longest word, and the most blanks before it.
    const LONGEST: usize = 64;
    const BLANKS: usize = 4;
    let rest = rest.strip_prefix('<').unwrap_or(rest);
    let rest = rest.strip_prefix(['-', '~']).unwrap_or(rest);
    let quoted = rest.trim_start_matches([' ', '\t']);
    let word = quoted.strip_prefix(['"', '\'', '\\']).unwrap_or(quoted);
    if rest.len() - quoted.len() > BLANKS || word.starts_with(|first: char| !first.is_alphabetic() && first != '_') {
        return Ok(None);
    }
    match word.find(|char: char| !char.is_alphanumeric() && char != '_') {
        // Between blanks a letter is what a number is shifted by.
        Some(end) => {
            let is_operand = end < 2 && quoted.len() < rest.len();
            Ok(word.get(..end).filter(|word| !word.is_empty() && word.len() <= LONGEST && !is_operand))
        }
        None if word.len() > LONGEST => Ok(None),
        None => Err(Stop::Cut),
    }
}

/// The end of the lines after that of `at` that are indented deeper than it. Blank lines between them belong to them.
fn block_end(finder: &Finder<'_>, text: &str, at: usize) -> Option<usize> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let start = text.get(..at)?.rfind('\n').map_or(0, |newline| newline + 1);
    let mut lines = text.get(start..)?.split_inclusive('\n');
    let first = lines.next()?;
    let (mut pos, mut end) = (start + first.len(), None);
    for line in lines {
        if !line.trim().is_empty() {
            if indent(line) <= indent(first) {
                break;
            }
            end = Some(pos + line.trim_end().len());
        }
        pos += line.len();
    }
    finder.charge(pos - start);
    end
}
