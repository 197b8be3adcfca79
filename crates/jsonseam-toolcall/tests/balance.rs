//! A call with one closer too few or too many, in every format: read as it was meant, or refused (SPEC B1, B3).
#![expect(clippy::print_stdout, reason = "the counts are shown")]

use std::collections::BTreeMap;

use jsonseam_core::{Catalogue, Config, Pipeline, Risk, Root};
use jsonseam_toolcall::{Extractor, Packs, Tools, WRAPPERS};
use serde_json::{Map, Value, json};

/// How each format with JSON in it writes a call: `{c}` is an object that names the tool, `{a}` its arguments, `{o}` one argument that is an object.
/// The flag says whether the format has an end mark of its own: without one, what lacks its closer is cut.
const WRITERS: [(&str, &str, bool); 63] = [
    ("hermes", "<tool_call>\n{c}\n</tool_call>", true),
    ("hermes", "I see.\n<tool_call>[{c}]</tool_call>\n", true),
    ("llama-python-tag", "<|python_tag|>{c}<|eom_id|>", true),
    ("mistral", "[TOOL_CALLS] [{c}]</s>", true),
    ("granite", "<|tool_call|>[{c}]<|end_of_text|>", true),
    ("function-call", "<function_call> {c} </function_call>", true),
    ("internlm", "<|action_start|><|plugin|>\n{c}<|action_end|>", true),
    ("tool-calls", "<tool_calls>[\n{c}\n]</tool_calls>", true),
    ("functools", "functools[{c}]", false),
    ("nemotron", "<TOOLCALL>[{c}]</TOOLCALL>", true),
    ("cohere", "<|START_ACTION|>[{c}]<|END_ACTION|>", true),
    ("lfm2", "<|tool_call_start|>[{c}]<|tool_call_end|>", true),
    ("pangu", "[unused11][{c}][unused12]", true),
    ("apertus", "<|tools_prefix|>[{\"f\": {a}}]<|tools_suffix|>", true),
    ("longcat", "<longcat_tool_call>\n{c}\n</longcat_tool_call>", true),
    ("gigachat", "function call<|role_sep|>\n{c}<|message_sep|>", true),
    ("inkling", "<|content_invoke_tool_json|>{c}<|end_message|>", true),
    ("sarashina", "<|tool_calls|>[{c}]<|/tool_calls|>", true),
    ("other-tags", "<tools>\n{c}\n</tools>", true),
    ("k2-horizon-json", "<ifm|tool_calls><ifm|tool_call>{c}</ifm|tool_call></ifm|tool_calls>", true),
    ("tool-request", "[TOOL_REQUEST]{c}[END_TOOL_REQUEST]", true),
    ("dots-json", "<dots_function_call>{c}</dots_function_call>", true),
    ("cohere-action", "Action: ```json\n[{c}]\n```", true),
    ("bare-json", "{c}", false),
    ("bare-json", "```json\n{c}\n```", true),
    (
        "deepseek",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{a}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        true,
    ),
    (
        "deepseek-v3.1",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{a}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        true,
    ),
    (
        "kimi-k2",
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{a}<|tool_call_end|><|tool_calls_section_end|>",
        true,
    ),
    ("kimi-k2-stripped", "functions.f:0{a}", false),
    ("glm-json", "<tool_call>f>{a}</tool_call>", true),
    ("step-audio", "<tool_call>function\nf\n{a}</tool_call>", true),
    ("solar-open", "<|tool_calls|><|tool_call:begin|>0<|tool_call:name|>f<|tool_call:args|>{a}<|tool_call:end|>", true),
    (
        "use-mcp-tool",
        "<use_mcp_tool>\n<server_name>s</server_name>\n<tool_name>f</tool_name>\n<arguments>\n{a}\n</arguments>\n</use_mcp_tool>",
        true,
    ),
    ("tool-use", "<tool_use><name>f</name><arguments>{a}</arguments></tool_use>", true),
    ("tag-harmony", "<tool_call>to=functions.f json\n{a}\n</tool_call>", true),
    ("harmony-stripped", "assistantcommentary to=functions.f json{a}", false),
    ("hyperclova", " -> tool/function_call\n[{c}]<|im_end|>", true),
    ("action-json", "Action:\n{c}<end_action>", true),
    ("rwkv", "I look.\n\n**Tool Call:**\n```json\n{c}\n```", true),
    ("cwm", "<tool: f>\n{a}\n</tool>", true),
    ("calling-tool", "[Calling tool: f({a})]", true),
    ("named-tags", "<f>\n<o>{o}</o>\n</f>", true),
    ("tool-name-tags", "<invoke><tool_name>f</tool_name><parameters><o>{o}</o></parameters></invoke>", true),
    ("functionary", "<function=f>{a}</function>", true),
    ("functionary-v3.2", ">>>f\n{a}<|eot_id|>", true),
    ("function-name", "<function name=\"f\">{a}</function>", true),
    ("harmony", "<|channel|>commentary to=functions.f <|constrain|>json<|message|>{a}<|call|>", true),
    (
        "plamo",
        "<|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>f<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:msg|>{a}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|><|plamo:end_tool_requests:plamo|>",
        true,
    ),
    ("mistral-args", "[TOOL_CALLS]f[ARGS]{a}</s>", true),
    ("react", "Thought: so\nAction: f\nAction Input: {a}\nObservation:", true),
    ("qwen-agent", "✿FUNCTION✿: f\n✿ARGS✿: {a}\n✿RESULT✿", true),
    ("glm4-lines", "f\n{a}", false),
    ("function-tags", "<tool_call>\n<function=f>\n<parameter=o>\n{o}\n</parameter>\n</function>\n</tool_call>", true),
    ("arg-key", "<tool_call>f\n<arg_key>o</arg_key>\n<arg_value>{o}</arg_value>\n</tool_call>", true),
    (
        "hunyuan",
        "<tool_calls><tool_call>f<tool_sep>\n<arg_key>o</arg_key>\n<arg_value>{o}</arg_value>\n</tool_call></tool_calls>",
        true,
    ),
    (
        "invoke",
        "<function_calls><invoke name=\"f\"><parameter name=\"o\">{o}</parameter></invoke></function_calls>",
        true,
    ),
    (
        "dsml",
        "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"f\">\n<｜DSML｜parameter name=\"o\" string=\"false\">{o}</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
        true,
    ),
    ("function-params", "<function name=\"f\"><param name=\"o\">{o}</param></function>", true),
    (
        "step3",
        "<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name=\"f\"><steptml:parameter name=\"o\">{o}</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>",
        true,
    ),
    (
        "kimi-k3",
        "<|open|>tools<|sep|><|open|>call tool=\"f\" index=\"1\"<|sep|><|open|>argument key=\"o\" type=\"object\"<|sep|>{o}<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>",
        true,
    ),
    (
        "solar",
        "<|tool_call:start|>f\n<|tool_arg:start|>o<|tool_arg:value|>{o}<|tool_arg:end|>\n<|tool_call:end|>",
        true,
    ),
    (
        "k2-horizon",
        "<ifm|tool_calls><ifm|tool_call>f\n<ifm|arg_key>o</ifm|arg_key>\n<ifm|arg_value>{o}</ifm|arg_value>\n</ifm|tool_call></ifm|tool_calls>",
        true,
    ),
    (
        "minimax-m3",
        "]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name=\"f\">]<]minimax[>[<o>{o}]<]minimax[>[</o>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>",
        true,
    ),
];

/// Formats that hold no JSON of their own, or are spelled as one of the table: their values are balanced in the same place.
const OTHERS: [&str; 16] = [
    "tag-python",
    "gemma-stripped",
    "llama-built-in",
    "llama4",
    "bare-python",
    "lfm2-python",
    "olmo",
    "tool-code",
    "gemma",
    "function-gemma",
    "beam",
    "dsml-spaced",
    "gigachat-3.5",
    "solar",
    "minimax-m3",
    "k2-horizon",
];

/// Strings whose content looks like what is around them.
const STRINGS: [&str; 8] = ["Oslo", "a } b", "]}", "{\"x\": [", "say \"hi\"", "C:\\\\dir", "`}`", "one\\ntwo, {three}"];

struct Random(u64);

impl Random {
    fn below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits fit") % below
    }

    /// A value, and the schema that declares what is in it. Every key is new.
    fn value(&mut self, depth: usize, keys: &mut usize) -> (Value, Value) {
        match self.below(if depth == 0 { 3 } else { 6 }) {
            0 => (json!(self.below(1000)), json!({"type": "integer"})),
            1 => (json!(STRINGS[self.below(STRINGS.len())]), json!({"type": "string"})),
            2 => (json!(self.below(2) == 0), json!({"type": "boolean"})),
            3 => {
                let (first, schema) = self.value(depth - 1, keys);
                let items = (0..self.below(4)).map(|_| first.clone()).collect();
                (Value::Array(items), json!({"type": "array", "items": schema}))
            }
            _ => self.object(depth - 1, keys),
        }
    }

    fn object(&mut self, depth: usize, keys: &mut usize) -> (Value, Value) {
        let (mut members, mut properties) = (Map::new(), Map::new());
        for _ in 0..=self.below(4) {
            *keys += 1;
            let key = format!("k{keys}");
            let (value, schema) = self.value(depth, keys);
            members.insert(key.clone(), value);
            properties.insert(key, schema);
        }
        (Value::Object(members), json!({"type": "object", "properties": properties}))
    }
}

/// The text with one closer removed, and with one added after each value.
fn damaged(text: &str) -> Vec<(&'static str, String)> {
    let mut damaged = Vec::new();
    let (mut in_string, mut is_escaped) = (false, false);
    for (at, char) in text.char_indices() {
        let after = at + char.len_utf8();
        if in_string {
            in_string = char != '"' || is_escaped;
            is_escaped = char == '\\' && !is_escaped;
        } else if char == '"' {
            in_string = true;
        } else if matches!(char, '}' | ']') {
            damaged.push(("removed", format!("{}{}", &text[..at], &text[after..])));
            damaged.push(("added", format!("{}{char}{}", &text[..after], &text[after..])));
            let other = if char == '}' { ']' } else { '}' };
            damaged.push(("added", format!("{}{other}{}", &text[..after], &text[after..])));
        } else if char == ',' {
            damaged.push(("added", format!("{}}}{}", &text[..at], &text[at..])));
            damaged.push(("added", format!("{}]{}", &text[..at], &text[at..])));
        }
    }
    damaged
}

fn extractor() -> Extractor {
    let config = Config::default().with_preset("standard").with_root(Root::Any);
    let catalogue = Catalogue::new(jsonseam_rules::all(), jsonseam_rules::PRESETS).expect("the catalogue is right");
    let pipeline = Pipeline::new(&config, &catalogue).expect("the preset is right");
    Extractor::new(Packs::parse(&WRAPPERS).expect("the packs are right")).with_pipeline(pipeline)
}

/// How many were right, refused and wrong.
#[derive(Default)]
struct Count {
    right: usize,
    refused: usize,
    wrong: Vec<String>,
}

impl Count {
    fn add(&mut self, extractor: &Extractor, text: &str, expected: &Value) {
        let Ok(Some(envelope)) = extractor.extract(text) else {
            self.refused += 1;
            return;
        };
        let read: Value = serde_json::from_str(envelope.text()).expect("an envelope is JSON");
        let is_right = read["toolCalls"] == json!([{"name": "f", "arguments": expected}]);
        if !is_right {
            self.wrong.push(format!("{text}\n  became {}", envelope.text()));
        } else if envelope.risk().is_none_or(|risk| risk > Risk::Likely) {
            self.wrong.push(format!("{text}\n  without a word"));
        } else {
            self.right += 1;
        }
    }

    fn share(&self) -> f64 {
        let [right, all] = [self.right, self.right + self.refused + self.wrong.len()];
        100.0 * f64::from(u32::try_from(right).expect("it is small"))
            / f64::from(u32::try_from(all).expect("it is small"))
    }
}

#[test]
fn b3_a_call_with_a_closer_too_few_or_too_many_is_right_or_refused() {
    let plain = extractor();
    let packs = Packs::parse(&WRAPPERS).expect("the packs are right");
    for (_, format) in packs.formats() {
        let is_known = WRITERS.iter().any(|(name, ..)| *name == format) || OTHERS.contains(&format);
        assert!(is_known, "the format {format} is neither written nor named");
    }
    let mut random = Random(11);
    let mut counts: BTreeMap<(&str, &str, bool), Count> = BTreeMap::new();
    for (format, writer, has_end) in WRITERS {
        for _ in 0..2 {
            let mut keys = 0;
            let (object, schema) = random.object(2, &mut keys);
            let (arguments, schema) = if writer.contains("{o}") {
                (json!({"o": object}), json!({"type": "object", "properties": {"o": schema}}))
            } else {
                (object, schema)
            };
            let known = plain.clone().with_tools(Tools::new().tool("f", &schema));
            let part = if writer.contains("{o}") { &arguments["o"] } else { &arguments };
            let body = if writer.contains("{c}") { json!({"name": "f", "arguments": part}) } else { part.clone() };
            let body = if random.below(2) == 0 { body.to_string() } else { format!("{body:#}") };
            let place = ["{c}", "{a}", "{o}"].into_iter().find(|place| writer.contains(place)).expect("a place");
            let whole = writer.replace(place, &body);
            let read = known.extract(&whole).expect("it is valid").expect("it is a call");
            assert!(
                read.formats().any(|name| name == format),
                "{whole} is of {:?}",
                read.formats().collect::<Vec<_>>()
            );
            for (kind, body) in damaged(&body) {
                // Without a mark of its own, what lacks a closer is cut.
                let kind = if has_end {
                    kind
                } else if kind == "removed" {
                    "cut"
                } else {
                    "added, no end"
                };
                let text = writer.replace(place, &body);
                counts.entry(("tools", kind, has_end)).or_default().add(&known, &text, &arguments);
                if !writer.contains("{o}") {
                    counts.entry(("no tools", kind, has_end)).or_default().add(&plain, &text, &arguments);
                }
            }
        }
    }
    let mut wrong = Vec::new();
    for ((tools, kind, _), count) in &counts {
        println!(
            "{tools}, {kind}: {} right, {} refused, {} wrong ({:.1} %)",
            count.right,
            count.refused,
            count.wrong.len(),
            count.share()
        );
        wrong.extend(count.wrong.iter().map(|wrong| format!("{tools}, {kind}: {wrong}")));
    }
    assert!(
        wrong.is_empty(),
        "{}\n{} wrong",
        wrong.iter().take(20).cloned().collect::<Vec<_>>().join("\n"),
        wrong.len()
    );
    for kind in ["removed", "added"] {
        let count = &counts[&("tools", kind, true)];
        assert!(count.share() >= 95.0, "{kind}: {:.1} %", count.share());
    }
}

#[test]
fn b3_a_string_that_an_end_mark_cuts_is_not_closed() {
    for text in [
        "<tool_call>{\"name\":\"f\",\"arguments\":{\"x\":\"1</tool_call>",
        "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"path\": \"/tmp/a\n</tool_call>",
        "<tool_call>{\"name\":\"f\",\"arguments\":{\"x\":[\"1\",\"2</tool_call>",
        "<function_call> {\"name\":\"f\",\"arguments\":{\"x\":{\"y\":\"1 </function_call>",
    ] {
        let called = extractor().extract(text).ok().flatten();
        assert!(called.is_none(), "{text}");
    }
}
