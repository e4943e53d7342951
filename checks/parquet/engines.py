"""Compares what several programs read from Parquet files of gamewire. Called by `check`."""

import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import duckdb
import polars
import pyarrow.compute as compute
import pyarrow.parquet as parquet
from datafusion import SessionContext

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/parquet.md").read_text()
CAPTURES = sorted((ROOT / "corpus").glob("**/*.pcap*"))


HAS_SPARK = importlib.util.find_spec("pyspark") is not None
CONTROL = ["connect", "accept", "disconnect", "ping", "acknowledge", "configure", "lost"]


def gamewire(*args):
    result = subprocess.run(["gamewire", "packets", *map(str, args)], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout


def statistics(captures):
    """Returns the number of packets and bytes of each kind, as `--stats --json` counts them."""
    kinds = json.loads(gamewire("--all", "--stats", "--json", *captures))["kinds"]
    return {kind["kind"]: (kind["packets"], kind["bytes"]) for kind in kinds}


def by_kind(rows):
    return {kind: (packets, size) for kind, packets, size in rows}


def readers(path):
    """Returns the figures that each program reads from a file."""
    query = "SELECT kind, count(*), sum(size) FROM {} GROUP BY kind"
    yield "duckdb", duckdb.sql(query.format(f"'{path}'")).fetchall()
    frame = polars.read_parquet(path).group_by("kind")
    yield "polars", frame.agg(polars.len(), polars.col("size").sum()).rows()
    context = SessionContext()
    context.register_parquet("packets", str(path))
    table = context.sql(query.format("packets")).to_arrow_table()
    yield "datafusion", list(zip(*(column.to_pylist() for column in table.columns)))
    table = parquet.read_table(path)
    sums = table.group_by("kind").aggregate([([], "count_all"), ("size", "sum")])
    yield "pyarrow", [(row["kind"], row["count_all"], row["size_sum"]) for row in sums.to_pylist()]


def compare_statistics(folder):
    path = folder / "all.parquet"
    gamewire("--all", "--parquet", path, *CAPTURES)
    expected = statistics(CAPTURES)
    for name, rows in readers(path):
        assert by_kind(rows) == expected, (name, by_kind(rows), expected)
    print(f"{len(CAPTURES)} captures: the programs count the same packets and bytes of {len(expected)} kinds")


def compare_times(folder):
    """Checks that every program reads the time as a timestamp, to the nanosecond."""
    path = folder / "all.parquet"
    lines = gamewire("--all", "--json", *CAPTURES).splitlines()
    texts = [json.loads(line, parse_float=str).get("time") for line in lines]
    times = [int(re.sub(r"\.(\d*)$", lambda match: match[1].ljust(9, "0"), text)) for text in texts if text]
    first, last = min(times), max(times)
    column = parquet.read_table(path)["time"]
    assert str(column.type) == "timestamp[ns, tz=UTC]", column.type
    extremes = compute.min_max(column.cast("int64")).as_py()
    assert (extremes["min"], extremes["max"]) == (first, last)
    assert column.null_count == len(texts) - len(times)
    column = polars.read_parquet(path)["time"]
    assert column.dtype == polars.Datetime("ns", "UTC"), column.dtype
    assert (column.dt.epoch("ns").min(), column.dt.epoch("ns").max()) == (first, last)
    described, times = duckdb.sql(f"""
        SELECT typeof(any_value(time)), [epoch_ns(min(time)), epoch_ns(max(time))] FROM '{path}'
    """).fetchall()[0]
    assert "WITH TIME ZONE" in described or "TIMESTAMPTZ" in described, described
    assert times == [first, last], times
    print("times are timestamps in nanoseconds")


def compare_json(folder):
    """Checks that DuckDB reads the JSON of all rows, and that its functions find the typed arguments."""
    path = folder / "all.parquet"
    for column in ["args", "value", "details"]:
        (invalid,) = duckdb.sql(f"SELECT count(*) FROM '{path}' WHERE NOT json_valid({column})").fetchall()[0]
        assert invalid == 0, (column, invalid)
    (different,) = duckdb.sql(f"""
        SELECT count(*) FROM '{path}'
        WHERE starts_with(args->>'$[0]', 'i:') AND args_int[1] IS DISTINCT FROM (args->>'$[0]')[3:]::BIGINT
           OR starts_with(args->>'$[1]', 's:') AND args_text[2] IS DISTINCT FROM (args->>'$[1]')[3:]
    """).fetchall()[0]
    assert different == 0, different
    print("all JSON is valid, and the typed arguments are those of the JSON")


def normalised(rows):
    return [tuple(str(value).replace("T", " ")[:19] if hasattr(value, "year") else value for value in row) for row in rows]


def rows_of(result):
    """Returns the rows of a result of Polars, DataFusion or Spark."""
    if isinstance(result, polars.DataFrame):
        return result.rows()
    if hasattr(result, "to_arrow_table"):
        return polars.from_arrow(result.to_arrow_table()).rows()
    return [tuple(row) for row in result.collect()]


def run_examples(folder):
    """Runs the examples of the page in their order."""
    results = []
    for language, code in re.findall(r"^```(\w+)\n(.*?)^```", PAGE[PAGE.index("## Examples"):], re.M | re.S):
        if language == "sh":
            command = code.replace("corpus/", f"{ROOT}/corpus/")
            subprocess.run(command, shell=True, check=True, cwd=folder)
        elif language == "sql":
            rows = duckdb.sql(code).fetchall()
            assert rows, code
            results.append(normalised(rows))
        elif "pyspark" not in code or HAS_SPARK:
            names = {}
            exec(code, names)
            results.append(normalised(rows_of(names["result"])))
    programs = ["DuckDB", "Polars", "DataFusion", "Spark"][: 4 if HAS_SPARK else 3]
    question = results[: len(programs)]
    assert len(question[0]) == 10 and all(answer == question[0] for answer in question), question
    print(f"{len(results)} examples ran; {', '.join(programs)} give the same answer:")
    for row in question[0][:3]:
        print("  ", *row)


def compare_partitions(folder):
    """Checks that all programs read the folders of `--partition-by`."""
    query = "SELECT kind, count(*), sum(size) FROM read_parquet('lake/**/*.parquet', hive_partitioning = true) GROUP BY kind"
    captures = (ROOT / "corpus/captures").glob("*.pcap")
    expected = {kind: figures for kind, figures in statistics(captures).items() if kind not in CONTROL}
    assert by_kind(duckdb.sql(query).fetchall()) == expected
    lake = polars.scan_parquet("lake/**/*.parquet", hive_partitioning=True)
    rows = lake.group_by("kind").agg(polars.len(), polars.col("size").sum()).collect().rows()
    assert by_kind(rows) == expected
    table = parquet.read_table("lake")
    sums = table.group_by("kind").aggregate([([], "count_all"), ("size", "sum")]).to_pylist()
    assert by_kind([(row["kind"], row["count_all"], row["size_sum"]) for row in sums]) == expected
    print("the programs read partitioned folders")


def main():
    folder = pathlib.Path(sys.argv[1]).resolve() / "files"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    os.chdir(folder)
    os.environ["TZ"] = "UTC"  # Spark returns local times
    time.tzset()
    compare_statistics(folder)
    compare_times(folder)
    compare_json(folder)
    run_examples(folder)
    compare_partitions(folder)


main()
