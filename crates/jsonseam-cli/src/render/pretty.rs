//! Valid JSON, indented. Every token stays as it is spelled.

/// `text`, which is valid JSON, with one member or element a line, indented by `indent` blanks for each level.
pub(crate) fn pretty(text: &str, indent: u8) -> String {
    let compact = jsonseam::record::compact(text);
    let mut out = String::with_capacity(compact.len() * 2);
    let (mut depth, mut is_string, mut is_escaped) = (0_usize, false, false);
    let mut characters = compact.chars().peekable();
    while let Some(character) = characters.next() {
        if is_string {
            out.push(character);
            is_string = is_escaped || character != '"';
            is_escaped = !is_escaped && character == '\\';
            continue;
        }
        match character {
            '{' | '[' => {
                out.push(character);
                if characters.peek().is_some_and(|next| matches!(next, '}' | ']')) {
                    out.extend(characters.next());
                } else {
                    depth += 1;
                    new_line(&mut out, depth, indent);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                new_line(&mut out, depth, indent);
                out.push(character);
            }
            ',' => {
                out.push(',');
                new_line(&mut out, depth, indent);
            }
            ':' => out.push_str(": "),
            other => {
                is_string = other == '"';
                out.push(other);
            }
        }
    }
    out
}

fn new_line(out: &mut String, depth: usize, indent: u8) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', depth * usize::from(indent)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_stay_and_empty_containers_take_no_line() {
        let text = "{\"a\" : [1.10,{}, [ ]],\"b\\\"{\":\"x,\\\\\"}";
        let shown = "{\n  \"a\": [\n    1.10,\n    {},\n    []\n  ],\n  \"b\\\"{\": \"x,\\\\\"\n}";
        assert_eq!(pretty(text, 2), shown);
        assert_eq!(jsonseam::record::compact(shown), jsonseam::record::compact(text));
        assert_eq!(pretty(" 1e400 ", 2), "1e400");
    }
}
