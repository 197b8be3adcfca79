import os
import sys
from pathlib import Path

# The rows are shared by the tests of all engines, and by the processes that engines start.
sys.path.insert(0, str(Path(__file__).parent))

# Spark's workers run with the interpreter of the tests, and not with the first `python3` of the system.
os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
