"""Everything travels between processes, and stays what it was."""

import copy
import multiprocessing
import operator
import pickle
from concurrent.futures import ProcessPoolExecutor

import pytest

import jsonseam
from jsonseam import Contract, ContractError, Pipeline, RepairError

COMPLETION = "Sure! {\"café\": 'x', \"tags\": [\"a\",]}"


def _refusal():
    with pytest.raises(RepairError) as caught:
        jsonseam.repair('{"a": "b" c}', preset="strict")
    return caught.value


def _unmet():
    with pytest.raises(ContractError) as caught:
        Contract(["a", "b"]).parse('{"a": 1, "c": 2}')
    return caught.value


def test_a_repair_says_the_same_after_pickling():
    repaired = jsonseam.repair(COMPLETION)
    for again in (pickle.loads(pickle.dumps(repaired)), pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(repaired))))):
        assert again == repaired
        assert (again.edits, again.payload, again.revert()) == (repaired.edits, repaired.payload, repaired.revert())
        assert (repr(again), again.report()) == (repr(repaired), repaired.report())


def test_errors_say_the_same_after_pickling():
    for error in (_refusal(), _unmet()):
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), repr(again)) == (type(error), str(error), repr(error))
        names = [name for name in vars(error) if name not in ("partial", "_record")]
        assert {name: getattr(again, name) for name in names} == {name: getattr(error, name) for name in names}
    assert dict(pickle.loads(pickle.dumps(_unmet())).partial) == {"a": 1}


def test_a_pipeline_travels_as_its_configuration():
    pipeline = Pipeline("strict", root="array", config={"limits": {"max-depth": 9}})
    again = pickle.loads(pickle.dumps(pipeline))
    assert (again.rules, again.loads("[1,]")) == (pipeline.rules, [1])
    contract = pickle.loads(pickle.dumps(Contract(["a"], schemas={"b": {"type": "integer"}})))
    assert dict(contract.parse("{a: 1, b: 2}")) == {"a": 1, "b": 2}


def test_all_classes_travel_to_a_spawned_process():
    # Functions that the new process can import by itself.
    again, repair = copy.copy, operator.methodcaller("repair", COMPLETION)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        for value in (jsonseam.repair(COMPLETION), jsonseam.repair(COMPLETION).edits[0]):
            assert pool.submit(again, value).result() == value
        assert pool.submit(again, _refusal()).result().reason == "syntax"
        assert pool.submit(again, _unmet()).result().missing == ["b"]
        assert dict(pool.submit(again, Contract(["a"]).parse("{a: 1}")).result()) == {"a": 1}
        assert pool.submit(repair, Pipeline()).result() == jsonseam.repair(COMPLETION)
        with pytest.raises(RepairError):
            pool.submit(operator.methodcaller("repair", "no JSON here"), Pipeline("strict")).result()


def test_pipelines_and_contracts_of_the_same_settings_are_equal():
    pipeline = jsonseam.Pipeline("lenient", root="object")
    assert pickle.loads(pickle.dumps(pipeline)) == pipeline == jsonseam.Pipeline("lenient", root="object")
    assert pipeline != jsonseam.Pipeline("lenient") and pipeline != "lenient"
    assert len({pipeline, jsonseam.Pipeline("lenient", root="object")}) == 1
    contract = jsonseam.Contract(["a"], schemas={"b": {"type": "integer"}})
    assert pickle.loads(pickle.dumps(contract)) == contract and contract != jsonseam.Contract(["a"])
    assert len({contract, pickle.loads(pickle.dumps(contract))}) == 1
