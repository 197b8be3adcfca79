"""Parquet files, one after the other or side by side, so that a job that was stopped goes on where it was."""

from __future__ import annotations

import contextlib
import glob
import hashlib
import json
import multiprocessing
import os
import pickle
from collections import Counter, deque
from multiprocessing import connection
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ._columns import Job, holds_texts

#: In the metadata of a file that is done: which question about which file it answers.
DONE = b"jsonseam.job"

#: How often a file is given to a worker before it is said to kill them.
TRIES = 3


class LostError(RuntimeError):
    """Files whose worker ended each time, with the files in ``files``. All others are done."""

    def __init__(self, files: list[str]) -> None:
        super().__init__(f"the worker ended {TRIES} times without a result at {', '.join(files)}; the other files are done")
        self.files = files


def repair_files(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    column: str,
    *,
    into: str = "jsonseam",
    workers: int | None = None,
    batch_rows: int = 16_384,
    **options: Any,
) -> int:
    """Repairs a column of every Parquet file below a folder, and writes a file of the same name below another one.

    A file appears in ``target`` when it is whole, under its own name in one step. Whatever stops the job, a worker or all of it, what is
    there stays: called again with the same settings, it does what is missing. A file that was made from another source or with other
    settings is made again. A worker that ends costs its file a second try, and no other file anything.

    Args:
        source: a folder of Parquet files, or one file.
        target: the folder for the results, which may be new.
        column: the column of completions.
        into: the name of the column with the results.
        workers: how many processes work; ``None`` for one for each processor.
        batch_rows: how many rows are in memory at a time, in each process.
        options: what `jsonseam.arrow.repair_array` and the engines take: ``contract=``, ``tools=``, ``preset=``, ``report=``.

    Returns:
        How many files were made in this call.

    Raises `LostError` if a file ends its worker three times; all others are done then.
    """
    job = Job(**options)
    question = pickle.dumps((job, column, into))
    root, files = Path(source), _files(Path(source))
    tasks = {}
    for file in files:
        made = Path(target) / (file.name if root.is_file() else file.relative_to(root))
        mark = _mark(question, file)
        if not _is_done(made, mark):
            tasks[str(file)] = (question, str(file), str(made), mark, batch_rows)
    lost = _run(tasks, workers or os.cpu_count() or 1)
    if lost:
        raise LostError(lost)
    return len(tasks)


def _files(source: Path) -> list[Path]:
    files = [source] if source.is_file() else sorted(source.rglob("*.parquet"))
    if not files:
        raise FileNotFoundError(f"there is no Parquet file below {source}")
    return files


def _mark(question: bytes, file: Path) -> str:
    """What tells a question about a file from any other: settings, versions, and the file as it is."""
    status = file.stat()
    return hashlib.sha256(question + f"|{status.st_size}|{status.st_mtime_ns}".encode()).hexdigest()


def _is_done(made: Path, mark: str) -> bool:
    return made.exists() and (pq.read_schema(made).metadata or {}).get(DONE) == mark.encode()


def _run(tasks: dict[str, tuple[Any, ...]], workers: int) -> list[str]:
    """Does the tasks, each in a process of its own; those that end it each time are given back."""
    methods = multiprocessing.get_all_start_methods()
    context: Any = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    if context.get_start_method() == "forkserver":
        # What every process needs is imported once.
        context.set_forkserver_preload([__name__])
    waiting, tries, lost = deque(tasks), Counter[str](), []
    running: dict[int, tuple[Any, Any, str]] = {}
    try:
        while waiting or running:
            while waiting and len(running) < max(1, workers):
                name = waiting.popleft()
                tries[name] += 1
                answers, sender = context.Pipe(duplex=False)
                process = context.Process(target=_answer, args=(sender, *tasks[name]), daemon=True)
                process.start()
                sender.close()
                running[process.sentinel] = (process, answers, name)
            for sentinel in connection.wait(list(running)):
                process, answers, name = running.pop(sentinel)
                process.join()
                try:
                    problem = answers.recv()
                except EOFError:
                    # It ended without a word.
                    (waiting if tries[name] < TRIES else lost).append(name)
                    continue
                if problem is not None:
                    raise problem
    finally:
        for process, _, _ in running.values():
            process.terminate()
            process.join()
    return lost


def _answer(sender: Any, *task: Any) -> None:
    """What a process does: the task, and to say that it is done or what is wrong."""
    problem: Exception | None = None
    try:
        _repair_file(*task)
    except (OSError, ValueError, TypeError) as error:
        # Errors of libraries may not travel; their words do.
        problem = ValueError(str(error))
    with contextlib.suppress(BrokenPipeError):
        sender.send(problem)


def _repair_file(question: bytes, file: str, made: str, mark: str, batch_rows: int) -> None:
    job, column, into = pickle.loads(question)
    reader = pq.ParquetFile(file)
    if column not in reader.schema_arrow.names:
        raise ValueError(f"{file} has no column {column}; it has {', '.join(reader.schema_arrow.names)}")
    if not holds_texts(kind := reader.schema_arrow.field(column).type):
        raise ValueError(f"the column {column} of {file} must hold strings or bytes, not {kind}")
    kept = [field for field in reader.schema_arrow if field.name != into]
    # Parquet has dictionaries of its own, and pyarrow cannot read those of Arrow within structs across row groups.
    schema = pa.schema([*kept, pa.field(into, job.plain)], metadata={DONE: mark.encode()})
    Path(made).parent.mkdir(parents=True, exist_ok=True)
    # A job that was killed may have left a process that is still at this file: each writes one of its own, and all are equal.
    part = Path(f"{made}.{os.getpid()}.part")
    with pq.ParquetWriter(part, schema) as writer:
        for batch in reader.iter_batches(batch_size=batch_rows):
            columns = [batch.column(batch.schema.get_field_index(field.name)) for field in kept]
            texts = batch.column(batch.schema.get_field_index(column))
            writer.write_batch(pa.RecordBatch.from_arrays([*columns, job.run(texts, is_plain=True)], schema=schema))
    part.replace(made)
    for left in part.parent.glob(f"{glob.escape(Path(made).name)}.*.part"):
        left.unlink(missing_ok=True)


def contract_of(path: str | os.PathLike[str]) -> Any:
    """The contract in a JSON file: the arguments of `jsonseam.Contract` by name."""
    from .._contract import Contract

    return Contract(**json.loads(Path(path).read_text(encoding="utf-8")))
