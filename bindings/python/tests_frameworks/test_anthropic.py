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
            message = {"id": "m", "type": "message", "role": "assistant", "model": "scripted", "content": contents.pop(0)}
            message |= {"stop_reason": "tool_use", "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
            data = json.dumps(message).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

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
