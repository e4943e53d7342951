"""The examples in the documentation run."""

import doctest
import importlib.util
import inspect
from pathlib import Path

import gamewire
import pytest
from gamewire import _error, files, godot
from gamewire.godot import _values

README = Path(__file__).resolve().parents[1] / "README.md"


@pytest.fixture(autouse=True)
def repository(monkeypatch):
    """The examples have paths in the repository."""
    monkeypatch.chdir(README.parents[1])


def run(text, name):
    globs = {"gamewire": gamewire}
    test = doctest.DocTestParser().get_doctest(text, globs, name, name, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(test)
    assert runner.failures == 0, name
    return runner.tries


def test_docstrings():
    tried = {name: run(getattr(godot, name).__doc__, name) for name in godot.__all__ if name != "DIALECTS"}
    assert sum(1 for count in tried.values() if count) > 30
    assert run(godot.__doc__, "godot") and run(_error.Error.__doc__, "Error")
    for name in ["packets", "Packets", "Packet", "open"]:
        assert run(getattr(gamewire, name).__doc__, name)
    for name in ["Archive", "Config", "Locres", "Mappings", "Package", "Registry", "Rems", "Save", "Values"]:
        assert run(getattr(files, name).__doc__, name)


def test_readme():
    text = README.read_text()
    blocks = [block.split("```")[0] for block in text.split("```python\n")[1:]]
    libraries = ["duckdb", "polars", "pyarrow"]
    missing = [name for name in libraries if importlib.util.find_spec(name) is None]
    blocks = [block for block in blocks if not any(f"import {name}" in block for name in missing)]
    assert len(blocks) > 3
    assert run("\n".join(blocks), "README.md")


def test_everything_public_is_documented():
    for name in godot.__all__:
        value = getattr(godot, name)
        if inspect.isclass(value) or callable(value):
            assert inspect.getdoc(value), name
    classes = [getattr(files, name) for name in files.__all__ if inspect.isclass(getattr(files, name))]
    for class_ in [gamewire.Packets, gamewire.Packet, gamewire.NodeState, gamewire.Batch, *classes]:
        assert inspect.getdoc(class_), class_
        for name, member in vars(class_).items():
            # The docstring of the class describes its attributes.
            assert name.startswith("_") or inspect.ismemberdescriptor(member) or inspect.getdoc(member), name
    for function in (godot.loads, godot.dumps, godot.iter_frames):
        assert "dialect" in inspect.signature(function).parameters
    assert _values.Array.__module__ == "gamewire.godot._values"
