"""Access to the corpus of the repository."""

import re
from pathlib import Path

import pytest
from gamewire import godot

CORPUS = Path(__file__).resolve().parents[2] / "corpus"

FOLDERS = {
    "godot4": "godot4",
    "godot4-double": "godot4",
    "godot3": "godot3",
    "derived/godot2": "godot2",
    "derived/godot4-docs": "godot4-docs",
    "derived/godot4-docs-double": "godot4-docs-double",
    "hostile": "godot4",
    "bench": "godot4",
}
"""Folders of packets, with their dialects."""


def packets():
    """Yields the name, the bytes and the dialect of each packet that is a file of its own."""
    for folder, dialect in FOLDERS.items():
        for path in sorted((CORPUS / folder).rglob("*.bin")):
            yield str(path.relative_to(CORPUS)), path.read_bytes(), dialect


def listed_packets():
    """Yields each packet that a list of the corpus has in hex, once for every dialect."""
    for folder in ["godot4", "godot3", "godot4-double", "hostile", "notation"]:
        for path in sorted((CORPUS / folder).glob("*.jsonl")):
            for number, found in enumerate(re.findall(rb'"hex": ?"([0-9a-f]*)"', path.read_bytes())):
                for dialect in godot.DIALECTS:
                    name = f"{path.relative_to(CORPUS)}:{number}"
                    yield name, bytes.fromhex(found.decode()), dialect


@pytest.fixture
def corpus():
    """The folder of the corpus."""
    return CORPUS


@pytest.fixture
def state():
    """The state of a game, in one packet."""
    return (CORPUS / "bench/state_simple.bin").read_bytes()
