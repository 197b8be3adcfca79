"""Tool calls and histories: what the command prints, as values of Python."""

import json
import pickle

import pytest

import jsonseam
from jsonseam import CallsError, ConfigError, Extractor, HistoryError

TEXT = "é. <think>hm</think>On it. <tool_call>{\"name\": \"weather\", \"arguments\": {city: 'Oslo', \"days\": \"3\"}}</tool_call>"
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]}
TOOLS = [{"type": "function", "function": {"name": "weather", "parameters": SCHEMA}}]


def call(arguments):
    return '<tool_call>{"name": "weather", "arguments": ' + arguments + "}</tool_call>"


def test_calls_are_what_the_command_prints():
    read = jsonseam.calls(TEXT)
    assert list(read) == ["calls", "content", "thoughts", "format", "edits", "risk", "passed_over"]
    assert read["calls"] == [{"id": None, "name": "weather", "arguments": {"city": "Oslo", "days": "3"}}]
    assert (read["thoughts"], read["format"], read["risk"]) == ("hm", "hermes", "certain")
    assert {edit["rule"] for edit in read["edits"]} == {"unquoted-key", "single-quoted-string"}
    start = TEXT.encode()[read["edits"][0]["start"] :]
    assert start.startswith(b"city")
    assert jsonseam.calls("Nothing.")["calls"] == []


def test_arguments_are_checked_where_there_are_tools_unless_that_is_off():
    checked = jsonseam.calls(TEXT, tools=TOOLS)["calls"][0]
    assert checked["arguments"] == {"city": "Oslo", "days": 3} and checked["errors"] == []
    assert [cast["path"] for cast in checked["casts"]] == ["/days"]
    assert jsonseam.calls(TEXT, tools=TOOLS, check=False)["calls"][0]["arguments"]["days"] == "3"
    kinds = [error["kind"] for error in jsonseam.calls(call('{"days": "x", "unit": 1}'), tools=TOOLS)["calls"][0]["errors"]]
    assert sorted(kinds) == ["missing", "mistyped", "unknown"]
    assert jsonseam.calls(TEXT, check=True)["calls"][0]["errors"] == []


def test_every_output_has_ids_thoughts_and_the_calls_in_order():
    two = TEXT + call('{"city": "Bergen"}')
    ids = []
    message = jsonseam.calls(two, output="openai")
    assert message["reasoning_content"] == "hm"
    assert [json.loads(one["function"]["arguments"])["city"] for one in message["tool_calls"]] == ["Oslo", "Bergen"]
    ids.append([one["id"] for one in message["tool_calls"]])
    parts = jsonseam.calls(two, output="anthropic")["content"]
    assert [part["input"]["city"] for part in parts if part["type"] == "tool_use"] == ["Oslo", "Bergen"]
    ids.append([part["id"] for part in parts if part["type"] == "tool_use"])
    parts = jsonseam.calls(two, output="gemini")["parts"]
    assert parts[0] == {"text": "hm", "thought": True}
    ids.append([part["functionCall"]["id"] for part in parts if "functionCall" in part])
    requests = jsonseam.calls(two, output="mcp")
    assert [one["params"]["name"] for one in requests] == ["weather", "weather"]
    ids.append([one["id"] for one in requests])
    assert all(own == ids[0] for own in ids) and len(set(ids[0])) == 2
    named = '<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>'
    assert jsonseam.calls(named)["calls"][0]["id"] == jsonseam.calls(named, output="openai")["tool_calls"][0]["id"] == "functions.f:0"


def test_a_shape_without_a_place_for_errors_raises_them():
    with pytest.raises(CallsError) as caught:
        jsonseam.calls(call('{"days": 1}'), tools=TOOLS, output="openai")
    error = caught.value
    assert (error.code, error.reason, error.pos) == ("output_validation_failed", "schema", None)
    assert error.calls[0]["errors"][0]["kind"] == "missing"
    assert jsonseam.calls(call('{"days": 1}'), tools=TOOLS, output="openai", check=False)["tool_calls"]


@pytest.mark.parametrize(
    ("text", "options", "reason"),
    [
        (call("{}").replace("weather", "canary"), {"tools": TOOLS}, "not_offered"),
        (call("{}"), {"tools": []}, "not_offered"),
        ("é <tool_call>{", {}, "truncated"),
        (call("{}"), {"finish_reason": "length"}, "truncated"),
        (call("{a: 1}"), {"max_risk": "certain", "preset": "strict"}, "malformed"),
        (call('{"a": {}}}'), {"max_risk": "certain"}, "risk_too_high"),
        (call("{}").encode() + b"\xff", {}, "invalid_utf8"),
        (call("{}") + "\ud800", {}, "invalid_utf8"),
    ],
)
def test_a_refusal_is_typed_and_holds_no_text(text, options, reason):
    with pytest.raises(CallsError) as caught:
        jsonseam.calls(text, **options)
    error = caught.value
    assert error.reason == reason and "weather" not in str(error) and "canary" not in repr(error)
    assert bool(error.edits) == (reason == "risk_too_high")
    again = pickle.loads(pickle.dumps(error))
    assert (again.code, again.reason, again.pos, str(again)) == (error.code, error.reason, error.pos, str(error))


def test_places_of_refusals_are_code_points_and_bytes():
    with pytest.raises(CallsError) as caught:
        jsonseam.calls("é <tool_call>{")
    assert (caught.value.pos, caught.value.byte_pos, caught.value.lineno, caught.value.colno) == (14, 15, 1, 15)


def test_an_extractor_is_built_once_and_takes_tools_for_each_text():
    extractor = pickle.loads(pickle.dumps(Extractor(format="hermes")))
    assert extractor.calls(TEXT)["calls"] and "errors" not in extractor.calls(TEXT)["calls"][0]
    assert extractor.calls(TEXT, tools=TOOLS)["calls"][0]["errors"] == []
    with pytest.raises(CallsError):
        extractor.calls(TEXT, tools=[{"name": "other"}])
    assert Extractor(TOOLS, format="kimi-k2").calls(TEXT)["calls"] == []
    assert Extractor(bare="last", tools=TOOLS).calls('So:\n{"name": "weather", "arguments": {"city": "Oslo"}}')["calls"]
    assert Extractor(within_thoughts=True).calls(call("{}"))["calls"] == []
    assert repr(Extractor(TOOLS, format="hermes")) == "Extractor(tools=..., format='hermes')"


@pytest.mark.parametrize(
    "options",
    [
        {"format": "nothing"},
        {"tools": [{"type": "function"}]},
        {"tools": "["},
        {"tools": [{"name": "f", "input_schema": {"type": "object", "properties": {"a": {"pattern": "("}}}}]},
        {"bare": "always"},
        {"output": "xml"},
        {"preset": "none"},
    ],
)
def test_a_mistake_in_the_options_is_one(options):
    with pytest.raises(ConfigError):
        jsonseam.calls(TEXT, **options)


def history(arguments, name="f"):
    function = {"name": name, "arguments": arguments}
    return [
        {"role": "user", "content": "Go \ud83d\ude00 é"},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": "c1", "content": "done"},
    ]


def arguments_of(messages):
    return messages[1]["tool_calls"][0]["function"]["arguments"]


@pytest.mark.parametrize(
    ("given", "wanted", "rule"),
    [("", "{}", "empty-arguments"), ("{'a': 1,}", '{"a": 1}', "single-quoted-string"), ('{"a": 1}}', '{"a": 1}', "unbalanced-call")],
)
def test_a_history_is_healed_and_its_other_messages_are_the_same_objects(given, wanted, rule):
    messages = history(given)
    healed = jsonseam.heal_history(messages)
    assert (healed.status, arguments_of(healed.messages), arguments_of(messages)) == ("repaired", wanted, given)
    assert healed.messages[0] is messages[0] and healed.messages[2] is messages[2]
    assert rule in [edit["rule"] for edit in healed.edits]
    assert [(edit["message"], edit["call"]) for edit in healed.edits] == [(1, 0)] * len(healed.edits)
    again = jsonseam.heal_history(healed.messages)
    assert (again.status, again.edits, again.messages) == ("valid", [], healed.messages)


def test_what_stays_broken_and_what_has_no_partner_is_reported():
    healed = jsonseam.heal_history(history("{'a': 'half")[:2])
    assert healed.status == "refused" and arguments_of(healed.messages) == "{'a': 'half"
    assert [one["reason"] for one in healed.refused] == ["truncated"]
    assert healed.unpaired == [{"message": 1, "call": 0, "reason": "no_result", "id": "c1"}]


def test_b3_half_of_a_call_is_no_call():
    for text in (TEXT[:-30], TEXT[:-13], call('{"city": "Os')[:-12]):
        for read in (jsonseam.calls, Extractor(TOOLS).calls):
            with pytest.raises(CallsError) as caught:
                read(text) if read is not jsonseam.calls else read(text, tools=TOOLS)
            assert caught.value.is_truncated and not caught.value.is_retryable


def test_m5_what_is_shown_holds_no_text():
    healed = jsonseam.heal_history(history("canary", "canary"))
    assert "canary" not in repr(healed) and healed.status in repr(healed)


def test_requests_text_tools_and_objects_of_clients_are_taken():
    request = jsonseam.heal_history({"model": "m", "messages": history("")}).messages
    assert request["model"] == "m" and arguments_of(request["messages"]) == "{}"
    assert jsonseam.heal_history(json.dumps(history("{}"))).messages == json.dumps(history("{}"))
    nested = {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {}}}, "c": {}}}
    broken = history('{"a": {"b": 1, "c": 2}')
    assert jsonseam.heal_history(broken).refused[0]["reason"] == "ambiguous_repair"
    tools = [{"name": "f", "input_schema": nested}]
    assert arguments_of(jsonseam.heal_history(broken, tools).messages) == '{"a": {"b": 1}, "c": 2}'

    class Message:
        def model_dump(self, **_options):
            return history("")[1]

    assert arguments_of(jsonseam.heal_history([history("")[0], Message(), history("")[2]]).messages) == "{}"


def test_what_is_no_history_is_refused():
    for given in ({}, "42", "[", {"messages": 1}):
        with pytest.raises(HistoryError):
            jsonseam.heal_history(given)
    with pytest.raises(TypeError):
        jsonseam.heal_history([object()])
    with pytest.raises(ConfigError):
        jsonseam.heal_history([], preset="none")
