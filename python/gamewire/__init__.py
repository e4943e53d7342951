"""Reads and writes the bytes that game engines send and save.

`gamewire.godot` has the values of Godot. All errors are `gamewire.Error`.
"""

from gamewire._error import Error
from gamewire import godot

__all__ = ["Error", "godot"]
