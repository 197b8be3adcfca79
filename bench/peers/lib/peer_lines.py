"""What peers in Python share: a line with a JSON string in, a line with an object out.

The object holds the repaired text and the nanoseconds it took, or no text where the library gave up.
"""

import importlib.metadata
import json
import os
import signal
import sys
import time

# Seconds of processor time, which a busy machine does not shorten, after which a text counts as one that the library does not come back from.
PATIENCE = 10


class GivesUp(Exception):
    """The library says that it found nothing."""


class TooLong(BaseException):
    """The text takes too long."""


def give_up(signum, frame):
    raise TooLong


def answer(repair, text):
    start = time.perf_counter_ns()
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    try:
        value = repair(text)
        signal.setitimer(signal.ITIMER_PROF, 0)
        taken = time.perf_counter_ns() - start
        return {"text": json.dumps(value), "nanoseconds": taken}
    except (Exception, RecursionError):
        return {"nanoseconds": time.perf_counter_ns() - start}
    except KeyboardInterrupt:
        raise
    except BaseException:
        # A panic of a library in Rust is no Exception.
        return {"nanoseconds": time.perf_counter_ns() - start, "crashed": True}
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def run(distribution, repair):
    if os.environ.get("PEER_VERSION"):
        print(importlib.metadata.version(distribution))
        return
    signal.signal(signal.SIGPROF, give_up)
    for line in sys.stdin:
        print(json.dumps(answer(repair, json.loads(line))), flush=True)
