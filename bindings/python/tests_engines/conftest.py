import os
import sys
from pathlib import Path

# The rows are shared by the tests of all engines, and by the processes that engines start.
sys.path.insert(0, str(Path(__file__).parent))

# Spark's workers run with the interpreter of the tests, and not with the first `python3` of the system.
os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable

# No engine asks a server of its makers while it is tested.
os.environ["DO_NOT_TRACK"], os.environ["RAY_USAGE_STATS_ENABLED"] = "1", "0"


def pytest_sessionfinish(session, exitstatus):
    session.config.ended_with = int(exitstatus)


def pytest_unconfigure(config):
    # Threads of Daft outlive its work, and what they do while the interpreter ends may crash it: there is nothing left that could go wrong.
    if "daft" in sys.modules and hasattr(config, "ended_with"):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(config.ended_with)
