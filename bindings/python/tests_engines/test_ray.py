"""Ray Data with two processors: functions, actors, batch sizes, a worker that is killed."""

import os
import signal
from pathlib import Path

import pyarrow as pa
import pytest
import ray
from rows import all_expected, all_typed_expected, contract, key, texts, typed_key, typed_texts

from jsonseam.arrow import RayRepair


@pytest.fixture(scope="module", autouse=True)
def cluster():
    environment = {"env_vars": {"PYTHONPATH": str(Path(__file__).parent)}}
    ray.init(num_cpus=2, object_store_memory=200 << 20, include_dashboard=False, runtime_env=environment, log_to_driver=False)
    yield
    ray.shutdown()


def found(dataset):
    rows = [row["jsonseam"] for row in dataset.take_all()]
    return sorted(key(None if row is None or row["status"] is None else row) for row in rows)


def dataset(blocks):
    return ray.data.from_arrow(pa.table({"completion": texts()})).repartition(blocks)


@pytest.mark.parametrize(("blocks", "size"), [(1, 10_000), (2, 3), (7, 100)])
def test_ray_gives_what_the_library_gives(blocks, size):
    asked = dataset(blocks).map_batches(RayRepair("completion"), batch_format="pyarrow", batch_size=size)
    assert found(asked) == all_expected()


def test_actors_build_the_pipeline_once_and_give_the_same():
    asked = dataset(4).map_batches(
        RayRepair,
        fn_constructor_args=("completion",),
        fn_constructor_kwargs={"preset": "standard"},
        batch_format="pyarrow",
        batch_size=50,
        compute=ray.data.ActorPoolStrategy(size=1),
    )
    assert found(asked) == all_expected()


def test_a_killed_worker_loses_nothing(tmp_path):
    marker = str(tmp_path / "killed")
    repair = RayRepair("completion")

    def dying(batch):
        try:
            os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            pass
        else:
            os.kill(os.getpid(), signal.SIGKILL)
        return repair(batch)

    assert found(dataset(4).map_batches(dying, batch_format="pyarrow", batch_size=50)) == all_expected()
    assert os.path.exists(marker), "a worker was killed"


@pytest.mark.parametrize("blocks", [1, 4])
def test_ray_gives_typed_outputs_beside_other_columns(blocks):
    given = ray.data.from_arrow(pa.table({"id": range(len(typed_texts())), "completion": typed_texts()})).repartition(blocks)
    rows = given.map_batches(RayRepair("completion", contract=contract()), batch_format="pyarrow").take_all()
    assert sorted(typed_key(row["jsonseam"]) for row in rows) == all_typed_expected()
    assert sorted(row["id"] for row in rows) == list(range(len(typed_texts())))
