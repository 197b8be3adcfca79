//! Arguments never vanish: whatever members a call of JSON has, each that may be an argument is in the arguments that are read, or the call is refused (SPEC L0a).
#![expect(clippy::print_stdout, reason = "the counts are shown")]

use jsonseam_toolcall::{Extractor, Packs, Tools};
use serde_json::{Value, json};

/// How formats write a call that is one object, `{o}`.
const WRITERS: [&str; 10] = [
    "<tool_call>\n{o}\n</tool_call>",
    "[TOOL_CALLS] [{o}]",
    "<|python_tag|>{o}<|eom_id|>",
    "<function_call> {o}",
    "<tool_calls>[{o}]</tool_calls>",
    "<|tools_prefix|>[{o}]<|tools_suffix|>",
    "function call<|role_sep|>\n{o}",
    "Action:\n```json\n{o}\n```",
    "{o}",
    "<tool_call>{\"tool_calls\": [{o}]}</tool_call>",
];

/// Members that a call may have; `#` is a number that occurs once.
const MEMBERS: [&str; 22] = [
    "\"path\": \"#\"",
    "\"force\": #",
    "\"n\": [#]",
    "\"id\": \"#\"",
    "\"type\": \"function\"",
    "\"type\": \"#\"",
    "\"thought\": \"#\"",
    "\"arguments\": {}",
    "\"arguments\": \"\"",
    "\"arguments\": {\"n\": #}",
    "\"arguments\": \"{\\\"n\\\": #}\"",
    "\"parameters\": {\"path\": \"#\"}",
    "\"params\": {\"n\": #}",
    "\"tool_input\": {\"n\": #, \"m\": #}",
    "\"kwargs\": {}",
    "\"inputs\": {\"q\": #}",
    "\"input\": {\"n\": #}",
    "\"arguments.n\": #",
    "\"arguements\": {\"n\": #}",
    "\"tool_calls\": [{\"name\": \"f\", \"arguments\": {\"n\": #}}]",
    "\"data\": {\"n\": #}",
    "\"function_args\": {\"n\": #}",
];

/// Members that are about the call, or beside its arguments.
fn may_be_dropped(member: &str, has_arguments: bool, is_known: bool) -> bool {
    let is_about_call = member.starts_with("\"id\"") || member.starts_with("\"type\"");
    let is_declared =
        is_known && ["\"path\"", "\"force\"", "\"n\"", "\"input\""].iter().any(|key| member.starts_with(key));
    let is_remark = !is_declared && !member.contains("arguments.") && !member.contains("tool_calls");
    is_about_call || has_arguments && is_remark
}

fn numbers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|char: char| !char.is_ascii_digit()).filter(|digits| !digits.is_empty())
}

#[test]
fn l0a_arguments_never_vanish() {
    let packs = Packs::parse(&jsonseam_toolcall::WRAPPERS).expect("the packs are right");
    let schema = json!({"properties": {"path": {}, "force": {}, "n": {}, "input": {}}});
    let unknown = Extractor::new(packs);
    let known = unknown.clone().with_tools(Tools::new().tool("f", &schema));
    let (mut count, mut read, mut wrong) = (0_usize, 0_usize, Vec::new());
    let mut state = 7_u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("31 bits fit") % below
    };
    for _ in 0..2_000 {
        let mut number = 100;
        let mut members: Vec<String> = Vec::new();
        for _ in 0..next(4) {
            let parts: Vec<_> = MEMBERS[next(MEMBERS.len())].split('#').collect();
            let mut member = parts[0].to_owned();
            for part in &parts[1..] {
                number += 1;
                member.push_str(&number.to_string());
                member.push_str(part);
            }
            members.push(member);
        }
        let place = next(members.len() + 1);
        let name = "\"name\": \"f\"".to_owned();
        let is_nested = next(5) == 0;
        let mut object = members.clone();
        object.insert(place, name);
        let object = format!("{{{}}}", object.join(", "));
        let object = if is_nested { format!("{{\"type\": \"function\", \"function\": {object}}}") } else { object };
        for (extractor, is_known) in [(&known, true), (&unknown, false)] {
            count += 1;
            let text = WRITERS[next(WRITERS.len())].replace("{o}", &object);
            let Ok(Some(envelope)) = extractor.extract(&text) else { continue };
            read += 1;
            let value: Value = serde_json::from_str(envelope.text()).expect("an envelope is JSON");
            let calls = value["toolCalls"].as_array().expect("it has calls");
            let arguments = calls[0]["arguments"].to_string();
            let has_arguments = arguments != "{}";
            let kept: Vec<_> = numbers(&arguments).collect();
            let is_lost = |member: &&String| {
                !may_be_dropped(member, has_arguments, is_known)
                    && numbers(member).any(|number| !kept.contains(&number))
            };
            if calls.len() != 1 || members.iter().any(|member| is_lost(&member)) {
                wrong.push(format!("{text} became {}", envelope.text()));
            }
        }
    }
    println!("{count} calls, {read} of them read");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(read > count / 8, "{read} of {count} were read");
}
