//! Work on hostile texts, counted (SPEC B5).

use std::thread;

use super::{Bare, Extractor};
use crate::cursor::Finder;
use crate::pack::Packs;
use crate::tools::Tools;

/// A family of texts, by how often its part is repeated.
type Family = (&'static str, fn(usize) -> String);

const FAMILIES: [Family; 30] = [
    ("marks and nothing after them", |count| "<tool_call>".repeat(count)),
    ("marks and strings that never end", |count| "<tool_call>{\"a\":\"".repeat(count)),
    ("calls", |count| "<tool_call>{\"name\":\"a\"}</tool_call>".repeat(count)),
    ("calls in one array", |count| format!("<tool_call>[{}]</tool_call>", vec!["{\"name\":\"a\"}"; count].join(","))),
    ("arguments", |count| {
        format!("<invoke name=\"a\">{}</invoke>", "<parameter name=\"k\">v</parameter>".repeat(count))
    }),
    ("arguments that nothing ends", |count| format!("<invoke name=\"a\">{}", "<parameter name=\"k\">v".repeat(count))),
    ("ends that end nothing", |count| {
        format!("<invoke name=\"a\"><parameter name=\"k\">{}", "</parameter>x".repeat(count))
    }),
    ("arguments with optional ends", |count| format!("<function=a>{}</function>", "<parameter=k>v".repeat(count))),
    ("pairs", |count| {
        format!("<tool_call>a{}</tool_call>", "<arg_key>k</arg_key><arg_value>v</arg_value>".repeat(count))
    }),
    ("thoughts that never end", |count| "<think>".repeat(count)),
    ("thoughts that never began", |count| "</think>".repeat(count)),
    ("words that mean other things", |count| "functools[".repeat(count)),
    ("Python calls", |count| format!("[{}]", vec!["f(a='x')"; count].join(","))),
    ("lists of Python calls", |count| "[f(a='x')]\n".repeat(count)),
    ("marks in a quotation", |count| format!("He wrote \u{201C}x {}\u{201D}", "<tool_call> ".repeat(count))),
    ("turns in a quotation that never ends", |count| format!("He wrote 'x {}", "<|user|> isn't ".repeat(count))),
    ("fences on one line", |count| format!("```\n{}", " ```".repeat(count))),
    ("comments that never end", |count| "<!-- <pre> ".repeat(count)),
    ("items before a string that lost its mark", |count| {
        format!("<|tool_call>call:f{{x:[{}b<|\"|>]}}<tool_call|>", "1,".repeat(count))
    }),
    ("rules", |count| "x:\n----\n\n".repeat(count)),
    ("one long rule", |count| "----".repeat(count)),
    ("here-documents that never end", |count| "<<EOF x\n".repeat(count)),
    ("here-documents of many words", |count| {
        (0..count).map(|word| format!("<<W{word}\nx\n")).collect::<Vec<_>>().concat()
    }),
    ("literal blocks that are none", |count| "x::\n".repeat(count)),
    ("a literal block of literal blocks", |count| format!("x::\n{}", "\n  y::\n".repeat(count))),
    ("inline code that never ends", |count| "\\texttt{\\verb".repeat(count)),
    ("inline code", |count| "\\verb|x| \\texttt{x}\n".repeat(count)),
    ("calls without a stretch", |count| "<invoke name=\"a\"></invoke>\n".repeat(count)),
    ("calls without ends", |count| "<|python_tag|>{\"name\":\"a\"}\n".repeat(count)),
    ("strings between marks", |count| {
        format!("<|tool_call>call:a{{{}}}<tool_call|>", vec!["k:<|\"|>v<|\"|>"; count].join(","))
    }),
];

/// Texts of formats that are read only if tools were offered.
const WITH_TOOLS: [Family; 10] = [
    ("quoted calls", |count| format!("[{}]", vec!["'f(a=1)'"; count].join(","))),
    ("quoted calls with escapes", |count| format!("[{}]", vec![r#""f(a=\"x\")""#; count].join(","))),
    ("quoted calls that never end", |count| "['f(".repeat(count)),
    ("escaped underscores", |count| r"f\_g(a=1) ".repeat(count)),
    ("lists with escaped underscores that never end", |count| r"[f\_g(a=1), ".repeat(count)),
    ("fences for code of tools", |count| "```tool_code\n".repeat(count)),
    ("fences for code that prints", |count| "```tool_code\nprint(f()\n".repeat(count)),
    ("calls after the prompt's mark", |count| "f\n{}\n".to_owned() + &">>>f\n{}\n".repeat(count)),
    ("actions in prose", |count| r#"{"action": "f", "action_input": {}} "#.repeat(count)),
    ("JSON Lines", |count| "{\"input\": \"`<tool_call>` is 'a' mark\", \"name\": {\"b\": []}}\n".repeat(count)),
];

#[test]
fn b5_the_work_is_linear_on_hostile_texts() {
    let extractor = Extractor::new(Packs::parse(&crate::WRAPPERS).expect("the packs are right"));
    let offering = extractor.clone().with_tools(Tools::new().tool("f", &serde_json::Value::Null));
    let bare = offering.clone().with_bare(Bare::Last);
    thread::scope(|scope| {
        scope.spawn(|| is_linear(&extractor, &FAMILIES));
        scope.spawn(|| is_linear(&offering, &FAMILIES));
        scope.spawn(|| is_linear(&offering, &WITH_TOOLS));
        scope.spawn(|| is_linear(&bare, &WITH_TOOLS));
    });
}

/// So many times the least part of any text is long: what is searched in long texts alone is counted in both.
const LEAST: usize = 5_000;

fn is_linear(extractor: &Extractor, families: &[Family]) {
    let work = |text: &str| {
        let finder = Finder::new(text);
        // Whether calls were read or refused is beside the point here.
        let _ = extractor.read_with(text, &finder);
        finder.examined()
    };
    for (name, family) in families {
        let (once, twice) = (work(&family(LEAST)), work(&family(2 * LEAST)));
        assert!(twice <= once * 21 / 10 + 4_096, "{name}: {once} bytes were read, then {twice}");
    }
}
