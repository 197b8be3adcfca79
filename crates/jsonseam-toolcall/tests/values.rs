//! Raw values that hold marks of their own format: each is read as it was written, or refused (SPEC L0a, L1).
#![expect(clippy::print_stdout, reason = "the counts are shown")]

#[path = "common/threads.rs"]
mod threads;

use jsonseam_toolcall::{Extractor, Packs, Tools};
use serde_json::{Value, json};

/// How a format writes the call of `f` with one raw argument `x`.
struct Writer {
    format: &'static str,
    /// The head of a call of `g`, which is offered too.
    head: &'static str,
    /// The head of an argument: `{k}` is its name.
    argument: &'static str,
    argument_end: &'static str,
    end: &'static str,
    /// What is between the marks of the argument and the value.
    layout: &'static str,
}

macro_rules! writers {
    ($($format:literal $layout:literal: $head:literal $argument:literal $argument_end:literal $end:literal;)*) => {
        [$(Writer { format: $format, head: $head, argument: $argument, argument_end: $argument_end, end: $end, layout: $layout }),*]
    };
}

const WRITERS: [Writer; 20] = writers! {
    "function-tags" "\n": "<tool_call>\n<function=g>\n" "<parameter={k}>" "</parameter>" "\n</function>\n</tool_call>";
    "function-tags" "": "<function=g>" "<parameter={k}>" "</parameter>" "</function>";
    "beam" "\n": "<|channel|>analysis to=g <|constrain|>xml<|message|>" "<rfl:parameter name=\"{k}\">" "</rfl:parameter>" "<|call|>";
    "invoke" "": "<invoke name=\"g\">\n" "<parameter name=\"{k}\">" "</parameter>" "\n</invoke>";
    "invoke" "": "<atem:invoke name=\"g\">" "<atem:parameter name=\"{k}\">" "</atem:parameter>" "</atem:invoke>";
    "dsml" "": "<｜DSML｜invoke name=\"g\">" "<｜DSML｜parameter name=\"{k}\" string=\"true\">" "</｜DSML｜parameter>" "</｜DSML｜invoke>";
    "dsml-spaced" "": "<｜DSML｜ invoke name=\"g\">" "<｜DSML｜ parameter name=\"{k}\" string=\"true\">" "</｜DSML｜ parameter>" "</｜DSML｜ invoke>";
    "gigachat-3.5" "": "<｜GCML｜invoke name=\"g\">" "<｜GCML｜parameter name=\"{k}\" string=\"true\">" "</｜GCML｜parameter>" "</｜GCML｜invoke>";
    "step3" "": "<steptml:invoke name=\"g\">" "<steptml:parameter name=\"{k}\">" "</steptml:parameter>" "</steptml:invoke>";
    "minimax-m3" "": "]<]minimax[>[<invoke name=\"g\">" "]<]minimax[>[<{k}>" "]<]minimax[>[</x>" "]<]minimax[>[</invoke>";
    "function-params" "": "<function name=\"g\">" "<param name=\"{k}\">" "</param>" "</function>";
    "arg-key" "": "<tool_call>g\n" "<arg_key>{k}</arg_key>\n<arg_value>" "</arg_value>" "\n</tool_call>";
    "arg-key" "": "<longcat_tool_call>g\n" "<longcat_arg_key>{k}</longcat_arg_key>\n<longcat_arg_value>" "</longcat_arg_value>" "\n</longcat_tool_call>";
    "hunyuan" "": "<tool_call>g<tool_sep>" "<arg_key>{k}</arg_key><arg_value>" "</arg_value>" "</tool_call>";
    "hunyuan" "": "<tool_call:a1>g<tool_sep:a1>" "<arg_key:a1>{k}</arg_key:a1><arg_value:a1>" "</arg_value:a1>" "</tool_call:a1>";
    "solar" "": "<|tool_call:start|>g\n" "<|tool_arg:start|>{k}<|tool_arg:value|>" "<|tool_arg:end|>" "\n<|tool_call:end|>";
    "kimi-k3" "": "<|open|>call tool=\"g\"<|sep|>" "<|open|>argument key=\"{k}\" type=\"string\"<|sep|>" "<|close|>argument<|sep|>" "<|close|>call<|sep|>";
    "k2-horizon" "": "<ifm|tool_call>g" "<ifm|arg_key>{k}</ifm|arg_key><ifm|arg_value>" "</ifm|arg_value>" "</ifm|tool_call>";
    "invoke" "": "<invoke name='g'>" "<parameter name='{k}'>" "</parameter>" "</invoke>";
    "function-params" "": "<functionname=\"g\">" "<paramname=\"{k}\">" "</parameter>" "</function>";
};

impl Writer {
    fn text(&self, value: &str) -> String {
        let head = self.head.replacen("\"g\"", "\"f\"", 1).replacen("'g'", "'f'", 1);
        let head = head.replacen("=g", "=f", 1).replacen(">g", ">f", 1);
        let argument = self.argument.replace("{k}", "x");
        format!("{head}{argument}{0}{value}{0}{1}{2}", self.layout, self.argument_end, self.end)
    }

    /// The end of an argument as models misspell it.
    fn misspelt(&self, seed: usize) -> String {
        let stem = self.argument_end.trim_end_matches('>');
        [format!("{stem}1>"), stem.to_owned(), format!("{stem}/>"), format!("{stem}s>"), "</x>".to_owned()][seed % 5]
            .clone()
    }
}

/// What a value is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Prose,
    Newline,
    ArgumentEnd,
    End,
    Argument,
    Head,
    Misspelt,
    Data,
}

const PARTS: [Part; 12] = [
    Part::Prose,
    Part::Newline,
    Part::ArgumentEnd,
    Part::End,
    Part::Argument,
    Part::Head,
    Part::Misspelt,
    Part::Data,
    Part::Newline,
    Part::ArgumentEnd,
    Part::Prose,
    Part::End,
];

fn spelled(writer: &Writer, part: Part, seed: usize) -> String {
    let prose = ["ls", " and ", "Keep this line.", " <b>x</b>", "{\"a\": 1}", "</p>"];
    let data = ["<![CDATA[", "]]>", "<![CDATA[x]]>"];
    match part {
        Part::Prose => prose[seed % prose.len()].to_owned(),
        Part::Newline => "\n".to_owned(),
        Part::ArgumentEnd => writer.argument_end.to_owned(),
        Part::End => writer.end.to_owned(),
        Part::Argument => writer.argument.replace("{k}", ["x", "n"][seed % 2]),
        Part::Head => writer.head.to_owned(),
        Part::Misspelt => writer.misspelt(seed),
        Part::Data => data[seed % data.len()].to_owned(),
    }
}

/// Whether the text of a value is what another call writes, so that no reader can tell them apart:
/// an argument that ends before the head of another, or ends of a call and then its head.
fn is_another_call(writer: &Writer, parts: &[Part]) -> bool {
    let parts: Vec<_> = parts.iter().filter(|part| **part != Part::Newline).copied().collect();
    let is_next = parts.windows(2).any(|pair| matches!(pair, [Part::ArgumentEnd | Part::Misspelt, Part::Argument]));
    let ended = parts.iter().position(|part| *part == Part::End);
    let is_closed = |at: usize| {
        let before = parts.get(..at).unwrap_or_default();
        matches!(before.last(), Some(Part::ArgumentEnd | Part::Misspelt))
            || matches!(writer.format, "function-tags" | "beam")
    };
    let goes_on = |at: usize| parts.get(at..).unwrap_or_default().contains(&Part::Head);
    is_next
        || ended.is_some_and(|at| is_closed(at) && goes_on(at))
        || parts.iter().rposition(|part| *part == Part::Head).is_some_and(|at| {
            parts
                .get(..at)
                .unwrap_or_default()
                .windows(2)
                .any(|pair| matches!(pair, [Part::ArgumentEnd | Part::Misspelt, Part::End]))
        })
}

fn extractor() -> Extractor {
    let schema = json!({"type": "object", "properties": {"x": {"type": "string"}}});
    let tools = Tools::new().tool("f", &schema).tool("g", &schema);
    let packs = Packs::parse(&jsonseam_toolcall::WRAPPERS).expect("the packs are right");
    Extractor::new(packs).with_tools(tools)
}

/// The value that is read of a text; `None` if it is refused.
fn read(extractor: &Extractor, text: &str) -> Result<Option<String>, String> {
    let Ok(envelope) = extractor.extract(text) else { return Ok(None) };
    let envelope = envelope.ok_or("no call was found")?;
    let value: Value = serde_json::from_str(envelope.text()).expect("an envelope is JSON");
    let calls = value["toolCalls"].as_array().expect("it has calls");
    match (calls.as_slice(), &calls[0]["arguments"]["x"]) {
        ([call], Value::String(read)) if call["name"] == "f" => Ok(Some(read.clone())),
        _ => Err(envelope.text().to_owned()),
    }
}

/// Whether nothing of a value is missing but last lines that are end marks alone.
fn is_whole(writer: &Writer, value: &str, read: &str) -> bool {
    let Some(rest) = value.strip_prefix(read) else { return false };
    let begins_line = rest.is_empty() || rest.starts_with('\n') || read.is_empty() || read.ends_with('\n');
    let ends: Vec<_> = (0..5).map(|seed| writer.misspelt(seed)).chain([writer.argument_end.to_owned()]).collect();
    begins_line && rest.split('\n').all(|line| line.is_empty() || ends.iter().any(|end| end == line))
}

/// What was counted of the values of one format.
#[derive(Default)]
struct Count {
    all: usize,
    whole: usize,
    wrong: Vec<String>,
}

/// Five hundred values, each in a call as the format writes it.
fn count(extractor: &Extractor, writer: &Writer) -> Count {
    let mut count = Count::default();
    let mut state = 0x2545_F491_4F6C_1111_u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("31 bits fit") % below
    };
    for _ in 0..500 {
        let parts: Vec<_> = (0..=next(6)).map(|_| PARTS[next(PARTS.len())]).collect();
        let value: String = parts.iter().map(|part| spelled(writer, *part, next(30))).collect();
        let is_trimmed = writer.layout.is_empty() && value.starts_with('\n') && writer.format == "function-tags";
        let is_data = writer.format == "function-params" && value.trim().starts_with("<![CDATA[");
        if is_another_call(writer, &parts) || is_trimmed || is_data {
            continue;
        }
        count.all += 1;
        let text = writer.text(&value);
        match read(extractor, &text) {
            Ok(None) => {}
            Ok(Some(read)) if is_whole(writer, &value, &read) => count.whole += 1,
            Ok(Some(read)) => count.wrong.push(format!("{}: {text:?} became {read:?}", writer.format)),
            Err(seen) => count.wrong.push(format!("{}: {text:?}: {seen}", writer.format)),
        }
    }
    count
}

#[test]
fn l0a_a_value_is_read_as_it_was_written_or_refused() {
    let extractor = extractor();
    let counts = threads::in_threads(&WRITERS, |writer| count(&extractor, writer));
    let all: usize = counts.iter().map(|count| count.all).sum();
    let whole: usize = counts.iter().map(|count| count.whole).sum();
    let wrong: Vec<_> = counts.into_iter().flat_map(|count| count.wrong).collect();
    println!("{all} values, {whole} of them read");
    assert!(wrong.is_empty(), "{} of {all}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(all > 8_000 && whole > all / 4, "{whole} of {all} were read");
}

#[test]
fn l0a_marks_within_a_line_are_text() {
    let extractor = extractor();
    for writer in WRITERS.iter().filter(|writer| writer.format != "minimax-m3") {
        let (argument_end, end) = (writer.argument_end, writer.end.trim());
        for value in [
            format!("A block ends with {argument_end} here."),
            format!("A call ends with {end} here.\nKeep this line."),
            format!("{end} is the end"),
            format!("{argument_end} {end} both"),
            format!("both {end} {argument_end}, and more"),
            format!("{} is wrong", writer.misspelt(0)),
            "<![CDATA[x]]> is data".to_owned(),
            "<x>\n1\n</x>".to_owned(),
        ] {
            let is_closed = value.starts_with(argument_end);
            let read = read(&extractor, &writer.text(&value))
                .unwrap_or_else(|seen| panic!("{}: {value}: {seen}", writer.format));
            // An end of the argument and of the call are the end: then what follows is left over.
            let expected = Some(value.clone()).filter(|_| !is_closed);
            assert_eq!(read, expected, "{}", writer.format);
        }
    }
}

#[test]
fn l0a_a_value_ends_before_a_last_line_that_is_an_end_mark() {
    let extractor = extractor();
    for writer in WRITERS.iter().filter(|writer| writer.format != "minimax-m3") {
        for mark in (0..5).map(|seed| writer.misspelt(seed)).chain([writer.argument_end.to_owned()]) {
            let expected = format!("ls{}", if writer.layout.is_empty() { "\n" } else { "" });
            let read = read(
                &extractor,
                &writer.text(&format!("ls\n{mark}{}", if writer.layout.is_empty() { "\n" } else { "" })),
            );
            assert_eq!(read, Ok(Some(expected)), "{}: {mark}", writer.format);
        }
    }
}

#[test]
fn every_row_with_raw_values_is_written() {
    let packs = Packs::parse(&jsonseam_toolcall::WRAPPERS).expect("the packs are right");
    for (family, format) in packs.formats().filter(|(family, _)| matches!(*family, "X" | "K")) {
        // Their arguments have marks of their own names.
        if NAMED.iter().any(|(named, _)| *named == format) {
            continue;
        }
        assert!(WRITERS.iter().any(|writer| writer.format == format), "{family}: {format}");
    }
}

/// Rows whose arguments are between tags of their own names.
const NAMED: [(&str, &str); 2] = [
    ("named-tags", "<f>\n<x>{v}</x>\n</f>"),
    ("tool-name-tags", "<invoke>\n<tool_name>f</tool_name>\n<parameters>\n<x>{v}</x>\n</parameters>\n</invoke>"),
];

#[test]
fn l0a_a_value_between_tags_of_its_own_name_is_read_as_it_was_written_or_refused() {
    let text = json!({"type": "string"});
    let schema = json!({"type": "object", "properties": {"x": text, "n": text}});
    let packs = Packs::parse(&jsonseam_toolcall::WRAPPERS).expect("the packs are right");
    let extractor = Extractor::new(packs).with_tools(Tools::new().tool("f", &schema));
    let parts =
        ["a", " & ", "</x>", "</f>", "<x>", "<n>1</n>", "<b>c</b>", "</n>", "<n>", "</parameters>\n</invoke>", "b\nc"];
    let mut known = 0;
    for (format, template) in NAMED {
        for seed in 0..parts.len().pow(3) {
            let value: String = (0..3_u32).map(|digit| parts[seed / parts.len().pow(digit) % parts.len()]).collect();
            let written = template.replace("{v}", &value);
            let Ok(Some(envelope)) = extractor.extract(&written) else { continue };
            let read: Value = serde_json::from_str(envelope.text()).expect("an envelope is JSON");
            let called = json!([{"name": "f", "arguments": {"x": value}}]);
            assert_eq!(read["toolCalls"], called, "{format}: {written}");
            known += 1;
        }
    }
    assert!(known > 500, "only {known} values are read");
}
