"""Makes the tables beside this file, as data sets are published: with pyarrow (25.0.1 was used).

    pip install pyarrow && python3 make.py

All tasks are made up.
"""

import datetime
import os

import pyarrow as pa
import pyarrow.parquet as pq

HERE = os.path.dirname(os.path.abspath(__file__))


def write(name, table, **options):
    pq.write_table(table, os.path.join(HERE, name), **options)


def human_eval(count):
    numbers = range(count)
    return pa.table(
        {
            "task_id": [f"Made/{n}" for n in numbers],
            "prompt": [
                f'def add_{n}(x):\n    """Adds {n} to x. Größe.\n\n    >>> add_{n}(1)\n    {n + 1}\n    """\n' for n in numbers
            ],
            "canonical_solution": [f"    return x + {n}\n" for n in numbers],
            "test": [f"def check(candidate):\n    assert candidate(5) == {n + 5}\n" for n in numbers],
            "entry_point": [f"add_{n}" for n in numbers],
        }
    )


def mbpp(count):
    numbers = range(11, 11 + count)
    strings = pa.list_(pa.string())
    return pa.table(
        {
            "source_file": ["made up"] * count,
            "task_id": pa.array(numbers, pa.int32()),
            "prompt": [f"Write a function that multiplies by {n}." for n in numbers],
            "code": [f"def times_{n}(x):\n    return x * {n}" for n in numbers],
            "test_imports": pa.array([[] for _ in numbers], strings),
            "test_list": pa.array(
                [[f"assert times_{n}(1) == {n}", f"assert times_{n}(3) == {3 * n}"] for n in numbers], strings
            ),
        }
    )


def kinds():
    moment = datetime.datetime(2025, 4, 1, 12, 30, tzinfo=datetime.timezone.utc)
    return pa.table(
        {
            "text": ["a", None],
            "whole": pa.array([2**53 - 1, 2**53], pa.int64()),
            "real": pa.array([0.5, None], pa.float32()),
            "yes": [True, False],
            "day": pa.array([datetime.date(2025, 4, 1), None], pa.date32()),
            "moment": pa.array([moment, None], pa.timestamp("us", tz="UTC")),
            "lists": [[[1], []], None],
            "tests": [{"input": ["1\n", "2\n"], "output": ["2\n", "4\n"]}, {"input": [], "output": None}],
        }
    )


for codec in ("none", "snappy", "gzip", "brotli", "zstd", "lz4"):
    write(f"humaneval-{codec}.parquet", human_eval(5), compression=codec, row_group_size=2)
write("mbpp.parquet", mbpp(4))
write("kinds.parquet", kinds(), data_page_version="2.0")
not_utf8 = [None, pa.array([0, 1], pa.int32()).buffers()[1], pa.py_buffer(b"\xe9")]
write("latin1.parquet", pa.table({"task_id": pa.Array.from_buffers(pa.string(), 1, not_utf8)}))
write(
    "samples.parquet",
    pa.table(
        {
            "task_id": [f"Made/{n}" for n in (0, 0, 1, 4)],
            "completion": [f"    return x + {n}\n" for n in (0, 1, 1, 4)],
        }
    ),
)
# A text of 64 kB that 20,000 rows share: the file has it once, packed.
write("repeats.parquet", pa.table({"task_id": ["a" * 2**16] * 20_000}), compression="zstd")
