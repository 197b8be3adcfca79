//! The report: one page without anything from outside, with the plot and every case, its seams marked in its text.
//!
//! **Invariant**: what comes from a case passes [`escaped`] on its way into the page.

use std::fmt::Write;

use super::plot::{Point, svg};
use super::{Case, Column, Scored};
use crate::score::Answer;

/// A longer text is cut in the report.
const LONGEST: usize = 20_000;

/// The page. Cases are shown as the last column answered them: the largest preset, when presets are given in their order.
pub(super) fn page(cases: &[Case], columns: &[Column], points: &[Point]) -> String {
    let mut page = String::from(HEAD);
    page.push_str("<h1>Labelled texts, repaired</h1>\n<h2>Risk and coverage</h2>\n");
    page.push_str("<p>As the highest risk that may be taken rises, more texts are repaired rightly (upwards), and some wrongly (to the right).</p>\n");
    page.push_str(&svg(points));
    page.push_str("<table><tr><th></th><th>right</th><th>wrong</th><th>refused</th></tr>\n");
    for point in points {
        let tally = point.tally;
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escaped(&point.name),
            tally.right,
            tally.wrong,
            tally.refused
        );
    }
    page.push_str("</table>\n");
    if let Some(column) = columns.last() {
        let _ = writeln!(page, "<h2>Cases, as {} answers them</h2>", escaped(&column.name));
        page.push_str(
            "<p>Removed text is struck out, inserted text is underlined; text outside the payload is grey.</p>\n",
        );
        // What deserves a look comes first.
        for answer in [Answer::Wrong, Answer::Refused, Answer::Right] {
            for (case, scored) in cases.iter().zip(&column.scored).filter(|(_, scored)| scored.answer == answer) {
                article(&mut page, case, scored);
            }
        }
    }
    page.push_str("</body></html>\n");
    page
}

fn article(page: &mut String, case: &Case, scored: &Scored) {
    let verdict =
        if case.is_decided() || scored.answer == Answer::Refused { scored.answer.as_str() } else { "unlabelled" };
    let opened = if scored.answer == Answer::Wrong && case.is_decided() { " open" } else { "" };
    let mark = if scored.is_truncated { ", truncated" } else { "" };
    let _ = writeln!(
        page,
        "<details{opened}><summary><b class=\"{verdict}\">{verdict}</b> {} <code>{}</code>, {} edits{mark}</summary>",
        escaped(&case.class),
        escaped(&case.id),
        scored.seams.len()
    );
    if let Some(reason) = &scored.reason {
        let _ = writeln!(page, "<p>{}</p>", escaped(reason));
    }
    let _ = writeln!(page, "<pre>{}</pre></details>", marked(&case.text, scored));
}

/// The text with its seams.
fn marked(text: &str, scored: &Scored) -> String {
    let mut marked = String::new();
    let outside = |marked: &mut String, part: Option<&str>| {
        if let Some(part) = part.filter(|part| !part.is_empty()) {
            let _ = write!(marked, "<span class=\"outside\">{}</span>", escaped(part));
        }
    };
    outside(&mut marked, text.get(..scored.payload.start));
    let mut at = scored.payload.start;
    for seam in &scored.seams {
        marked.push_str(&escaped(text.get(at..seam.span.start).unwrap_or_default()));
        let title = format!("{} ({})", escaped(&seam.rule), seam.risk);
        let removed = text.get(seam.span.clone()).unwrap_or_default();
        if !removed.is_empty() {
            let _ = write!(marked, "<del class=\"{}\" title=\"{title}\">{}</del>", seam.risk, escaped(removed));
        }
        if !seam.replacement.is_empty() {
            let _ =
                write!(marked, "<ins class=\"{}\" title=\"{title}\">{}</ins>", seam.risk, escaped(&seam.replacement));
        }
        at = seam.span.end;
        if marked.len() > LONGEST {
            marked.push_str("<span class=\"outside\"> … the rest is left out</span>");
            return marked;
        }
    }
    marked.push_str(&escaped(text.get(at..scored.payload.end).unwrap_or_default()));
    outside(&mut marked, text.get(scored.payload.end..));
    marked
}

/// Text that a browser shows as it is: nothing in it is markup, and what would be invisible or turn the direction is named.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\t' => escaped.push(char),
            _ if char.is_control() || is_unseen(char) => {
                let _ = write!(escaped, "<i>U+{:04X}</i>", u32::from(char));
            }
            _ => escaped.push(char),
        }
    }
    escaped
}

const fn is_unseen(char: char) -> bool {
    matches!(char, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

const HEAD: &str = "<!doctype html>
<html lang=\"en\"><head><meta charset=\"utf-8\">
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">
<title>jsonseam: labelled texts</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1c1c1c; background: #fff; }
svg { width: 100%; max-width: 640px; } svg text { font-size: 12px; fill: #333; } svg .tick { fill: #767676; }
.grid { stroke: #ddd; } polyline { fill: none; stroke: #1a5fb4; stroke-width: 2; } .own { fill: #1a5fb4; } .peer { fill: #a51d2d; }
table { border-collapse: collapse; } td, th { padding: .1rem .8rem; text-align: right; } td:first-child { text-align: left; }
details { border-top: 1px solid #ddd; padding: .3rem 0; } pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #f7f7f7; padding: .5rem; }
b.right { color: #26734d; } b.wrong { color: #a51d2d; } b.refused { color: #865e00; } .outside { color: #8a8a8a; }
del, ins { border-radius: 2px; } del { background: #ffd7d5; } ins { background: #ccf2d8; } i { color: #865e00; font-size: .8em; }
del.guess, ins.guess, del.lossy, ins.lossy { outline: 1px solid #a51d2d; }
</style></head><body>
";

#[cfg(test)]
mod tests {
    use jsonseam::Risk;

    use super::super::{Case, Label, Scored, Seam};
    use super::{escaped, marked, page};
    use crate::score::Answer;

    #[test]
    fn nothing_of_a_text_is_markup() {
        assert_eq!(escaped("<b a='\"'>&\u{202e}\u{1}"), "&lt;b a=&#39;&quot;&#39;&gt;&amp;<i>U+202E</i><i>U+0001</i>");
    }

    #[test]
    fn seams_are_marked_where_they_are() {
        let seam = |span, replacement: &str| Seam {
            rule: "a-rule".to_owned(),
            risk: Risk::Likely,
            span,
            replacement: replacement.to_owned(),
        };
        let scored = Scored {
            answer: Answer::Right,
            payload: 2..7,
            seams: vec![seam(3..4, ""), seam(6..6, "\"")],
            is_truncated: false,
            reason: None,
        };
        let seen = marked("a {'b1}<", &scored);
        let expected = "<span class=\"outside\">a </span>{<del class=\"likely\" title=\"a-rule (likely)\">&#39;</del>b1<ins class=\"likely\" title=\"a-rule (likely)\">&quot;</ins>}<span class=\"outside\">&lt;</span>";
        assert_eq!(seen, expected);
        let case =
            Case { id: "<id>".to_owned(), class: "c".to_owned(), text: "<script>".to_owned(), label: Label::Undecided };
        let column = super::Column { name: "strict".to_owned(), scored: vec![scored], changed: Vec::new() };
        let page = page(&[case], &[column], &[]);
        assert!(!page.contains("<script") && !page.contains("<id>") && !page.contains("http://"));
    }
}
