"""A scripted model server on the loopback interface: it answers chat completions with what a test wrote down."""

import json
import re
import threading
from pathlib import Path
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest


class Script:
    """What the server answers, in turn, and what it was asked."""

    def __init__(self):
        self.answers, self.requests, self.url = [], [], ""

    def says(self, content=None, *, arguments=None, finish_reason="stop"):
        message = {"role": "assistant", "content": content}
        if arguments is not None:
            function = {"name": "order", "arguments": arguments}
            message["tool_calls"] = [{"id": "call-1", "type": "function", "function": function}]
            finish_reason = "tool_calls"
        self.answers.append({"index": 0, "message": message, "finish_reason": finish_reason})
        return self

    def streams(self, *events, stops=True):
        """A streamed answer: each event is an index of a choice with a piece of its content or with its finish reason."""
        chunks = []
        for index, content, reason in events:
            delta = {"role": "assistant", "content": content} if content is not None else {}
            choice = {"index": index, "delta": delta, "finish_reason": reason}
            chunks.append({"id": "c-1", "object": "chat.completion.chunk", "created": 0, "model": "scripted", "choices": [choice]})
        self.answers.append((chunks, stops))
        return self


@pytest.fixture
def script():
    script = Script()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            script.requests.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            choice = script.answers.pop(0)
            if isinstance(choice, tuple):
                chunks, stops = choice
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.end_headers()
                for chunk in chunks:
                    self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
                if stops:
                    self.wfile.write(b"data: [DONE]\n\n")
                return
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            body = {"id": "c-1", "object": "chat.completion", "created": 0, "model": "scripted", "choices": [choice], "usage": usage}
            data = json.dumps(body).encode()
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
    script.url = f"http://127.0.0.1:{server.server_port}/v1"
    yield script
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def page():
    """Runs the snippet of the page for agents that holds a word, with these names, and gives the names that it leaves."""

    def run(word, **names):
        text = (Path(__file__).parents[3] / "docs/agents.md").read_text(encoding="utf-8")
        [snippet] = [block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if word in block]
        exec(snippet, names)
        return names

    return run
