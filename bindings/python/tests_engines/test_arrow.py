"""`jsonseam.arrow.repair_array`: types, nulls, slices, partitions, contracts, bad input."""

import json
import os
import pickle
import subprocess

import pyarrow as pa
import pytest
from rows import CANARY, all_expected, expected, texts

import jsonseam
from jsonseam import Contract, Pipeline
from jsonseam.arrow import Job, repair_array, schema_of

TEXTS = texts()
EXPECTED = [expected(text) for text in TEXTS]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.dictionary(pa.int32(), pa.string()), pa.dictionary(pa.uint32(), pa.string_view())])
@pytest.mark.parametrize("threads", [1, 3])
def test_a_column_gives_what_each_row_gives_by_itself(kind, threads):
    column = pa.array(TEXTS, pa.string())
    if pa.types.is_dictionary(kind):
        column = column.dictionary_encode()
        column = pa.DictionaryArray.from_arrays(column.indices.cast(kind.index_type), column.dictionary.cast(kind.value_type))
    else:
        column = column.cast(pa.binary() if pa.types.is_binary(kind) else pa.string()).cast(kind)
    result = repair_array(column, threads=threads)
    result.validate(full=True)
    assert list(result.type) == list(schema_of())
    assert result.to_pylist() == EXPECTED


@pytest.mark.parametrize("size", [1, 3, 7, 10_000])
def test_the_result_is_the_same_however_the_rows_are_split(size):
    column = pa.array(TEXTS)
    parts = [repair_array(column.slice(start, size)) for start in range(0, len(column), size)]
    assert [row for part in parts for row in part.to_pylist()] == EXPECTED
    chunked = pa.chunked_array([column.slice(start, size) for start in range(0, len(column), size)])
    assert repair_array(chunked).to_pylist() == EXPECTED


def test_empty_and_null_columns_are_taken():
    assert len(repair_array(pa.array([], pa.string()))) == 0
    assert repair_array(pa.chunked_array([], pa.string())).to_pylist() == []
    nulls = repair_array(pa.nulls(5))
    assert (nulls.to_pylist(), nulls.null_count) == ([None] * 5, 5)
    for child in nulls.flatten():
        assert child.null_count == 5


def test_any_object_that_exports_an_arrow_array_is_taken():
    class Array:
        def __arrow_c_array__(self, requested_schema=None):
            return pa.array(TEXTS).__arrow_c_array__(requested_schema)

    class Stream:
        def __arrow_c_stream__(self, requested_schema=None):
            return pa.chunked_array([TEXTS[:50], TEXTS[50:]]).__arrow_c_stream__(requested_schema)

    assert repair_array(Array()).to_pylist() == repair_array(Stream()).to_pylist() == EXPECTED


def test_bytes_that_are_no_utf_8_are_refused_row_by_row():
    rows = repair_array(pa.array([b"{a: 1}", b'{"a": "\xff"}', b"[1]"])).to_pylist()
    assert [row["status"] for row in rows] == ["repaired", "refused", "valid"]
    assert (rows[1]["reason"], rows[1]["position"]) == ("invalid_utf8", 7)


@pytest.mark.parametrize("column", [pa.array([1, 2]), pa.array([[1]]), ["{}"], "{}", None, 7])
def test_a_column_of_another_kind_is_a_type_error(column):
    with pytest.raises(TypeError):
        repair_array(column)


def test_settings_that_contradict_each_other_are_refused():
    column = pa.array(["{}"])
    with pytest.raises(TypeError):
        repair_array(column, Pipeline(), Contract(["a"]))
    with pytest.raises(TypeError):
        repair_array(column, "standard")
    with pytest.raises(jsonseam.ConfigError):
        repair_array(column, threads=0)


def test_a_pipeline_sets_the_rules():
    rows = repair_array(pa.array(["{a: 1}"]), Pipeline("strict")).to_pylist()
    assert (rows[0]["status"], rows[0]["reason"]) == ("refused", "syntax")


def test_a_contract_gives_outputs_and_keeps_the_status_of_the_repair():
    contract = Contract(["city"], schemas={"population": {"type": "integer"}})
    column = pa.array(["{city: 'Oslo', population: 717710}", "{city: 'Oslo'}", None, "prose", '{"city": "Oslo", "population": 1'])
    result = repair_array(column, contract=contract, report=True, typed=False)
    result.validate(full=True)
    assert list(result.type) == list(schema_of(contract, report=True, typed=False))
    rows = result.to_pylist()
    assert json.loads(rows[0]["outputs"]) == {"city": "Oslo", "population": 717710}
    assert (rows[1]["status"], rows[1]["reason"], rows[1]["outputs"]) == ("repaired", "missing_output_keys", None)
    assert rows[2] is None
    assert (rows[3]["status"], rows[3]["reason"]) == ("refused", "no_json_object_found")
    assert (rows[4]["status"], rows[4]["reason"], rows[4]["outputs"]) == ("repaired", "truncated", None)
    assert json.loads(rows[1]["report"])["error"]["missing"] == ["population"]


def test_reports_are_the_records_of_the_command(tmp_path):
    """The binary named by JSONSEAM_COMMAND is the one of this workspace; `cargo xtask python` sets it."""
    binary = os.environ["JSONSEAM_COMMAND"]
    file = tmp_path / "rows.jsonl"
    rows = [text for text in TEXTS if text is not None]
    file.write_text("".join(json.dumps({"completion": text}) + "\n" for text in rows))
    command = [binary, "batch", "--preset", "standard", "--root", "any", str(file)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    reports = repair_array(pa.array(rows), report=True).field("report").to_pylist()
    assert [json.loads(line)["jsonseam"] for line in lines] == [json.loads(report) for report in reports]


def test_reports_may_be_longer_than_their_column():
    rows = ["{a: 1,}"] * 200_000
    reports = repair_array(pa.array(rows), report=True).field("report")
    assert pa.compute.all(pa.compute.equal(reports, reports[0])).as_py()
    assert reports.nbytes > 20 * len(rows) * len(rows[0])


def test_a_huge_row_harms_only_itself():
    pipeline = Pipeline(config={"limits": {"max-input-bytes": 1 << 20}})
    rows = ["{a: 1}"] * 5000
    rows[2500] = "{a: '" + "x" * (60 << 20) + "'}"
    result = repair_array(pa.array(rows), pipeline)
    status = result.field("status").to_pylist()
    assert status.count("repaired") == 4999
    assert (status[2500], result.field("reason")[2500].as_py()) == ("refused", "limit_exceeded")


def test_buffers_that_do_not_fit_are_refused_and_not_read():
    engine = Pipeline()._engine
    good = {"data": b"{}", "offsets": (0).to_bytes(4, "little") + (2).to_bytes(4, "little"), "validity": None, "length": 1, "wide": False}
    assert engine.repair_buffers(good, False, 1)["value"][1] == b"{}"
    for wrong in (
        {"offsets": (0).to_bytes(4, "little") + (3).to_bytes(4, "little")},
        {"offsets": (2).to_bytes(4, "little") + (0).to_bytes(4, "little")},
        {"offsets": (-1).to_bytes(4, "little", signed=True) + (2).to_bytes(4, "little")},
        {"length": 2},
        {"length": 2**64 - 1},
        {"validity": b""},
        {"wide": True},
    ):
        with pytest.raises((ValueError, OverflowError)):
            engine.repair_buffers({**good, **wrong}, False, 1)


def test_settings_travel_and_another_version_is_refused():
    job = Job(preset="strict")
    again = pickle.loads(pickle.dumps(job))
    assert again.run(pa.array(["[1,]"])).to_pylist() == job.run(pa.array(["[1,]"])).to_pylist()
    job.version = "0.0.0"
    with pytest.raises(RuntimeError, match="install the same"):
        pickle.loads(pickle.dumps(job))
    with pytest.raises(jsonseam.ConfigError):
        Job(presett="strict")


def test_nothing_quotes_a_row():
    with pytest.raises(TypeError) as caught:
        repair_array([CANARY])
    assert CANARY not in str(caught.value)


def test_the_expected_rows_cover_every_status():
    assert {row["status"] for row in EXPECTED if row} == {"valid", "repaired", "refused"}
    assert len(all_expected()) == len(TEXTS)
