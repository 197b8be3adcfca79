"""`repair_many`, threads, and the interpreter's lock."""

import subprocess
import sys
import threading
import time

import pytest

import jsonseam
from jsonseam import ConfigError, RepairError

TEXTS = ["{a: 1}", None, "no JSON here", b"[1,]", b"\xff", '{"a": "\ud800",}', "[1]"] * 100


@pytest.mark.parametrize("threads", [1, 2, 7, None])
def test_many_texts_give_what_each_gives_by_itself(threads):
    results = jsonseam.repair_many(TEXTS, threads=threads)
    assert len(results) == len(TEXTS)
    for text, result in zip(TEXTS, results):
        if text is None:
            assert result is None
            continue
        try:
            expected = jsonseam.repair(text)
        except RepairError as error:
            assert isinstance(result, RepairError)
            assert (result.reason, str(result)) == (error.reason, str(error))
        else:
            assert result == expected


def test_any_iterable_is_taken_and_no_single_text():
    assert [result.value for result in jsonseam.repair_many(f"[{i},]" for i in range(3))] == [[0], [1], [2]]
    assert jsonseam.repair_many([]) == []
    for wrong in ("[1]", b"[1]", 7):
        with pytest.raises(TypeError):
            jsonseam.repair_many(wrong)
    with pytest.raises(TypeError, match="str, bytes, bytearray or memoryview"):
        jsonseam.repair_many(["[1]", 7])
    with pytest.raises(ConfigError, match="threads"):
        jsonseam.repair_many([], threads=0)


def test_other_threads_run_while_a_text_is_repaired():
    text = "[" + "{amount: 1}, " * 1_000_000 + "]"
    ticks = []
    is_done = threading.Event()

    def tick():
        while not is_done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    start = time.perf_counter()
    jsonseam.repair(text)
    end = time.perf_counter()
    is_done.set()
    ticker.join()
    during = [moment for moment in ticks if start < moment < end]
    # One tick may fall between the two readings of the clock and the repair.
    assert len(during) >= 2, "with the lock held, nothing would tick during the repair"


def test_a_subinterpreter_works_or_is_refused_and_the_main_one_goes_on():
    script = """
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
import jsonseam
inner = "try:\\n import jsonseam\\n print(jsonseam.loads('{b: 2}'), flush=True)\\nexcept ImportError:\\n print('refused', flush=True)"
interpreters.run_string(interpreters.create(), inner)
print(jsonseam.loads("{a: 1}"))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    inner = "refused" if sys.version_info >= (3, 12) else "{'b': 2}"
    assert done.stdout.split("\n")[:2] == [inner, "{'a': 1}"]
