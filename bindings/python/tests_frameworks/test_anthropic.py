"""What users of anthropic's client write, with a scripted server."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import anthropic
import pytest

import jsonseam

TOOLS = [{"name": "order", "description": "Orders.", "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}}}]
USER = {"role": "user", "content": "Order for Oslo"}


@pytest.fixture
def server():
    """A client whose server answers with these contents in turn, and the requests that it saw."""
    contents, requests = [], []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            requests.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            if isinstance(contents[0], bytes):
                return self.stream(contents.pop(0))
            message = {"id": "m", "type": "message", "role": "assistant", "model": "scripted", "content": contents.pop(0)}
            message |= {"stop_reason": "tool_use", "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
            data = json.dumps(message).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def stream(self, body):
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.end_headers()
            # In writes of three bytes: a cut may be inside of a character.
            for at in range(0, len(body), 3):
                self.wfile.write(body[at : at + 3])

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    client = anthropic.Anthropic(base_url=f"http://127.0.0.1:{server.server_port}", api_key="none", max_retries=0)
    yield client, contents, requests
    server.shutdown()
    server.server_close()
    thread.join()


def ask(client, messages):
    return client.messages.create(model="scripted", max_tokens=100, messages=messages, tools=TOOLS)


def test_messages_of_the_client_are_healed_before_they_are_sent_again(server):
    client, contents, requests = server
    contents += [[{"type": "tool_use", "id": "t1", "name": "order", "input": {"city": "Oslo"}}], []]
    message = ask(client, [USER])
    turn = {"role": "assistant", "content": message.content}
    result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "done"}]}
    healed = jsonseam.heal_history([USER, turn, result], TOOLS)
    assert (healed.status, healed.unpaired) == ("valid", [])
    # What other code wrote into the history.
    broken = {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "order", "input": "{city: 'Oslo',}"}]}
    healed = jsonseam.heal_history([USER, broken, result], TOOLS)
    ask(client, healed.messages)
    assert requests[1]["messages"][1]["content"][0]["input"] == {"city": "Oslo"}
    assert jsonseam.heal_history([USER, turn], TOOLS).unpaired[0]["reason"] == "no_result"


def test_calls_in_the_text_become_parts_that_the_client_takes(server):
    client, contents, requests = server
    contents += [[{"type": "text", "text": 'On it. <invoke name="order"><parameter name="city">Oslo</parameter></invoke>'}], []]
    read = jsonseam.calls(ask(client, [USER]).content[0].text, tools=TOOLS, output="anthropic")
    call = read["content"][-1]
    assert (call["name"], call["input"]) == ("order", {"city": "Oslo"})
    result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call["id"], "content": "done"}]}
    ask(client, [USER, {"role": read["role"], "content": read["content"]}, result])
    assert jsonseam.heal_history(requests[1]["messages"]).unpaired == []


def test_the_page_for_agents_shows_these_lines(server, page):
    client, contents, requests = server
    contents.append([])
    broken = {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "order", "input": ""}]}
    result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "done"}]}
    page("# anthropic")["send"](client, [USER, broken, result], TOOLS)
    assert requests[0]["messages"][1]["content"][0]["input"] == {}


def streamed(pieces, kind, stop_reason, stops=True):
    """The body of a streamed answer: one block in these pieces."""
    block, delta, part = ({"type": "text", "text": ""}, "text_delta", "text")
    if kind == "input_json_delta":
        block, delta, part = ({"type": "tool_use", "id": "t", "name": "order", "input": {}}, kind, "partial_json")
    message = {"id": "m", "type": "message", "role": "assistant", "model": "scripted", "content": [], "stop_reason": None, "stop_sequence": None}
    events = [{"type": "message_start", "message": message | {"usage": {"input_tokens": 1, "output_tokens": 1}}}, {"type": "ping"}]
    events.append({"type": "content_block_start", "index": 0, "content_block": block})
    events += [{"type": "content_block_delta", "index": 0, "delta": {"type": delta, part: piece}} for piece in pieces]
    if stops:
        end = {"delta": {"stop_reason": stop_reason, "stop_sequence": None}, "usage": {"output_tokens": 1}}
        events += [{"type": "content_block_stop", "index": 0}, {"type": "message_delta", **end}, {"type": "message_stop"}]
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n" for event in events).encode()


def events_of(client, kind):
    """What users write: the pieces of the text, or of the input of a tool, and why the model stopped."""
    reasons = []

    def pieces():
        for event in client.messages.create(model="scripted", max_tokens=100, messages=[USER], tools=TOOLS, stream=True):
            if event.type == "content_block_delta" and event.delta.type == kind:
                yield event.delta.text if kind == "text_delta" else event.delta.partial_json
            elif event.type == "message_delta":
                reasons.append(event.delta.stop_reason)

    return jsonseam.stream(pieces(), finish_reason=lambda: reasons[-1] if reasons else None)


SPELLED = {
    "text_delta": '```json\n{city: "Oslo \\ud83d\\ude00 é", "rivers": [\'Alna\',],}\n```',
    "input_json_delta": '{city: "Oslo \\ud83d\\ude00 é", "rivers": [\'Alna\',],}',
}


@pytest.mark.parametrize("kind", SPELLED)
@pytest.mark.parametrize("size", [1, 2, 7])
def test_t1_a_streamed_answer_gives_its_events_and_what_repair_gives(server, kind, size):
    client, contents, _ = server
    text = SPELLED[kind]
    # A cut may be inside of an escape or a fence; empty pieces are between.
    pieces = ["", *(piece for at in range(0, len(text), size) for piece in (text[at : at + size], "")), ""]
    contents.append(streamed(pieces, kind, "end_turn"))
    *events, end = events_of(client, kind)
    assert end.repaired == jsonseam.repair(text)
    assert {event.path: event.value for event in events if event.kind == "done"}["/city"] == "Oslo 😀 é"


@pytest.mark.parametrize("kind", SPELLED)
@pytest.mark.parametrize(("stops", "reason"), [(False, None), (True, "max_tokens"), (True, "end_turn")])
def test_b3_a_streamed_answer_that_stops_is_refused(server, kind, stops, reason):
    client, contents, _ = server
    contents.append(streamed(['{"paid": true, "amo', 'unt": 12'], kind, reason, stops))
    told = []
    with pytest.raises(jsonseam.RepairError) as caught:
        for event in events_of(client, kind):
            told.append((event.kind, getattr(event, "path", None)))
    assert caught.value.reason == "truncated"
    assert ("done", "/paid") in told and ("done", "/amount") not in told


def test_b3_a_whole_object_of_an_answer_that_reached_its_limit_is_refused(server):
    client, contents, _ = server
    contents.append(streamed(['{"paid": true}'], "input_json_delta", "max_tokens"))
    with pytest.raises(jsonseam.RepairError, match="truncated"):
        list(events_of(client, "input_json_delta"))
