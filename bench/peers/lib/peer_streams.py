"""What peers in Python share that read a text in pieces: a line with an object in, a line with an object out.

In: `pieces`, and `shows`, whether the views are asked for. Out: `views`, what the library showed after a piece, as JSON, without those like the one
before; `end`, what it made of the whole text, missing where it gave up; `nanoseconds`, of processor time where that is no matter of a few ticks.
A piece after which the library gives an error shows nothing: what was shown before stays in sight.
"""

import importlib.metadata
import json
import os
import signal
import sys
import time

import peer_lines

# Processor time below this, in nanoseconds, is told by ticks that are too long: then the clock counts.
LONG = 100_000_000

# Seconds of processor time after which a text counts as one that the library does not come back from, or as too long to be timed.
PATIENCE = {True: 60, False: 20}


class Again:
    """A library that parses all that is there after every piece."""

    def __init__(self, parse):
        self.parse = parse
        self.text = ""

    def push(self, piece):
        self.text += piece
        return self.parse(self.text)

    def finish(self):
        return self.parse(self.text)


def attempt(action, *arguments):
    """What the library shows, `None` where it gives an error. No text here means nothing but null."""
    try:
        return action(*arguments)
    except (Exception, RecursionError):
        return None


def stream(start, request):
    views = []
    reader = start()
    for piece in request["pieces"]:
        value = attempt(reader.push, piece)
        if request["shows"] and value is not None:
            view = json.dumps(value)
            if not views or views[-1] != view:
                views.append(view)
    value = attempt(reader.finish)
    return {"views": views} if value is None else {"views": views, "end": json.dumps(value) if request["shows"] else "null"}


def answer(start, request):
    begin, busy = time.perf_counter_ns(), time.process_time_ns()
    signal.setitimer(signal.ITIMER_PROF, PATIENCE[request["shows"]])
    try:
        reply = stream(start, request)
        taken, busy = time.perf_counter_ns() - begin, time.process_time_ns() - busy
        return reply | {"nanoseconds": busy if busy > LONG else taken}
    except KeyboardInterrupt:
        raise
    except BaseException:
        # A panic of a library in Rust is no Exception.
        return {"crashed": True}
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def run(distribution, start):
    """Answers each line with what the reader that `start` gives shows of its pieces."""
    if os.environ.get("PEER_VERSION"):
        print(importlib.metadata.version(distribution))
        return
    signal.signal(signal.SIGPROF, peer_lines.give_up)
    for line in sys.stdin:
        print(json.dumps(answer(start, json.loads(line))), flush=True)
