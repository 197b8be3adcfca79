//! Damage to the payload as a whole: braces that are gone, a payload inside something else, company before or after it.

use super::Defect;
use super::draft::Draft;
use crate::generate::TokenKind;
use crate::random::Random;

/// Damages the payload, or gives `None` if it cannot be damaged so.
pub(super) fn apply(draft: &mut Draft, defect: Defect, random: &mut Random) -> Option<()> {
    if draft.is_cut || !draft.has_container_root() || !draft.before.is_empty() || !draft.after.is_empty() {
        return None;
    }
    let (before, after) = match defect {
        Defect::MissingOuterBraces => return lose_braces(draft, random),
        Defect::EscapedPayload => return escape(draft, random),
        Defect::StringifiedPayload => return stringify(draft, random),
        Defect::LabelAfterLostEnd => return lose_end(draft, random),
        Defect::SqlAround => sql(draft, random)?,
        Defect::MarkdownFenceVariant => fence(draft, random)?,
        Defect::SchemaEcho => (schema(draft, random)?, String::new()),
        Defect::ExtraCloser => {
            let closers = random.pick_text(&["}", "]", "}}", " }", "\n}", "]}", "}]}]}]}", "\n}\n}"]);
            (String::new(), closers.to_owned())
        }
        Defect::Jsonp => {
            let name = random.pick_text(&["callback", "cb", "jQuery12_34", "window.handle", "/**/ parse"]);
            (format!("{name}("), random.pick_text(&[");", ")", ");\n"]).to_owned())
        }
        Defect::Assignment => {
            let head = random.pick_text(&[
                "const data = ",
                "var x = ",
                "result = ",
                "export default ",
                "return ",
                "let out: Out = ",
            ]);
            (head.to_owned(), random.pick_text(&[";", "", ";\n"]).to_owned())
        }
        Defect::SeveralPayloads => {
            let gap = random.pick_text(&["\n", "\n\n", " ", "\n\nAnd another one:\n", "", "\nor\n"]);
            let other =
                random.pick_text(&["{\"other\": 1}", "{\"name\": \"x\", \"value\": [1, 2]}", "{\"a\": {\"b\": null}}"]);
            (String::new(), format!("{gap}{other}"))
        }
        Defect::ReasoningBlock => {
            let tag = random.pick_text(&["think", "thinking", "reasoning", "thought"]);
            let thoughts = random.pick_text(&[
                "The user wants JSON. Let me write it.",
                "A draft: {\"draft\": true}. No, better:",
                "First { then } and it's done.",
                "\nI could answer\n{\"a\": 1,}\nbut that's wrong.\n",
                "",
            ]);
            (format!("<{tag}>{thoughts}</{tag}>{}", random.pick_text(&["\n", "\n\n", ""])), String::new())
        }
        Defect::SpecialToken => {
            let token = random.pick_text(&[
                "</s>",
                "<|im_end|>",
                "<|endoftext|>",
                "<|eot_id|>",
                "<end_of_turn>",
                "<|call|>",
                "</output>",
                "</json>",
                "[DONE]",
            ]);
            let times = if random.chance(1, 4) { random.between(2, 30) } else { 1 };
            let before = random.pick_text(&["", "", "", "<|channel|>final<|message|>", "<s>", "<output>\n"]);
            (before.to_owned(), format!("{}{}", random.pick_text(&["", "\n"]), token.repeat(times)))
        }
        Defect::BracketsInProse => {
            let prose = random.pick_text(&[
                "Replace {name} with the user's name:\n",
                "As shown in [1] and [2]:\n\n",
                "For f(x) = [x % 2 for x in range(3)] we get:\n",
                "The list is [-1, 0, 0, 1], sorted. ",
                "The placeholder {{x}} stays.\n",
                "Let me fill in {first} and {last}. Here it is: ",
                "The function maps {a, b} to [a]: ",
            ]);
            (prose.to_owned(), random.pick_text(&["", "", "\nHope this helps!"]).to_owned())
        }
        _ => return None,
    };
    draft.before = before;
    draft.after = after;
    Some(())
}

/// The payload in apostrophes, in a statement.
fn sql(draft: &Draft, random: &mut Random) -> Option<(String, String)> {
    if draft.payload().contains('\'') {
        return None;
    }
    let (before, after) = *random.pick(&[
        ("INSERT INTO docs (id, body) VALUES (7, '", "');"),
        ("UPDATE docs SET body = '", "' WHERE id = 7;"),
        ("SELECT '", "'::jsonb;"),
        ("insert into events values ('a', '", "', now());\n"),
    ])?;
    Some((before.to_owned(), after.to_owned()))
}

/// The closer of the root goes, and a label follows.
fn lose_end(draft: &mut Draft, random: &mut Random) -> Option<()> {
    let last = draft.pieces.len().checked_sub(1)?;
    let is_object = draft.piece(last).is_some_and(|piece| piece.kind == TokenKind::CloseObject);
    if !is_object || draft.opener_of(last) != Some(0) || draft.next(0) == Some(last) || !draft.is_calm(last) {
        return None;
    }
    draft.pieces.get_mut(last)?.respell("}".to_owned(), String::new());
    let label = random.pick_text(&[
        "Explanation: the total is in euros.",
        "Note: \"name\" may be empty.",
        "Summary: all good",
        "**Notes:** none of it is final",
    ]);
    draft.after = format!("\n\n{label}");
    Some(())
}

/// Both braces of the root go, or the first of them.
fn lose_braces(draft: &mut Draft, random: &mut Random) -> Option<()> {
    let last = draft.pieces.len().checked_sub(1)?;
    let is_object = draft.piece(0).is_some_and(|piece| piece.kind == TokenKind::OpenObject);
    if !is_object || !draft.next_is(0, TokenKind::Key) || !draft.is_calm(0) || !draft.is_calm(last) {
        return None;
    }
    draft.pieces.first_mut()?.respell("{".to_owned(), String::new());
    if random.chance(2, 3) {
        draft.pieces.get_mut(last)?.respell("}".to_owned(), String::new());
    }
    // What is left begins with its key, whatever white space stood before it.
    for piece in draft.pieces.iter_mut().take_while(|piece| piece.kind != TokenKind::Key) {
        piece.damaged.clear();
    }
    Some(())
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// The payload as it would stand in a string, line breaks included now and then.
fn escape(draft: &mut Draft, random: &mut Random) -> Option<()> {
    let breaks_lines = random.chance(1, 2);
    let text = draft.payload();
    // Without a quote there would be nothing to escape.
    if !text.contains('"') || text.contains(|character: char| character.is_control() && character != '\n') {
        return None;
    }
    for piece in &mut draft.pieces {
        piece.damaged = escaped(&piece.damaged);
        if breaks_lines {
            piece.damaged = piece.damaged.replace('\n', "\\n");
        }
    }
    Some(())
}

/// The payload as a string of JSON, after some prose: alone it would be valid.
fn stringify(draft: &mut Draft, random: &mut Random) -> Option<()> {
    escape_all(draft)?;
    draft.before = format!("{}\"", random.pick_text(&["Result: ", "Here is the JSON:\n", "output = ", "arguments: "]));
    "\"".clone_into(&mut draft.after);
    Some(())
}

fn escape_all(draft: &mut Draft) -> Option<()> {
    for piece in &mut draft.pieces {
        let damaged = escaped(&piece.damaged).replace('\n', "\\n").replace('\r', "\\r").replace('\t', "\\t");
        if damaged.contains(char::is_control) {
            return None;
        }
        piece.damaged = damaged;
    }
    Some(())
}

/// A block that the usual form does not cover. Marks inside the payload could end it.
fn fence(draft: &Draft, random: &mut Random) -> Option<(String, String)> {
    let payload = draft.payload();
    let variants = [
        ("``` json\n", "\n```"),
        ("```javascript\n", "\n```"),
        ("```python\n", "\n```\n"),
        ("```json5\n", "\n```"),
        ("```jsonc\n", "\n```"),
        ("```text\n", "\n```"),
        ("```json title=\"out\"\n", "\n```"),
        ("'''json\n", "\n'''"),
        ("```json", "```"),
        ("```", "```"),
        ("`", "`"),
        ("", "\n```"),
        ("json\n", ""),
        ("```json\n```json\n", "\n```"),
        ("`json\n", "\n`"),
    ];
    let marks = ["```", "~~~", "'''"];
    let &(before, after) = random.pick(&variants)?;
    let is_inline = before.starts_with('`') && !before.starts_with("```");
    if marks.iter().any(|mark| payload.contains(mark)) || is_inline && payload.contains('`') {
        return None;
    }
    Some((before.to_owned(), after.to_owned()))
}

/// A schema whose properties are the keys of the root.
fn schema(draft: &Draft, random: &mut Random) -> Option<String> {
    let depths = draft.depths();
    let is_outer_key =
        |(index, piece): &(usize, &super::draft::Piece)| piece.kind == TokenKind::Key && depths.get(*index) == Some(&1);
    let mut keys: Vec<&str> =
        draft.pieces.iter().enumerate().filter(is_outer_key).map(|(_, piece)| piece.truth.as_str()).collect();
    keys.dedup();
    keys.truncate(5);
    if keys.is_empty() {
        return None;
    }
    let properties: Vec<String> = keys.iter().map(|key| format!("{key}: {{\"description\": \"see above\"}}")).collect();
    let schema = format!(
        "{{\"type\": \"object\", \"properties\": {{{}}}, \"required\": [{}]}}",
        properties.join(", "),
        keys.join(", ")
    );
    let words = random.pick_text(&["", "The schema is:\n", "Schema: "]);
    let gap = random.pick_text(&["\n\n", "\n", "\n\nAnd the answer:\n"]);
    Some(format!("{words}{schema}{gap}"))
}
