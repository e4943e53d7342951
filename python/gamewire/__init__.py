"""Reads and writes the bytes that Godot games send and save.

`gamewire.packets` reads captured traffic of Godot games. `gamewire.godot` has the values of Godot.
Malformed bytes raise `gamewire.Error`.
"""

from gamewire._error import Error
from gamewire._gamewire import Batch, NodeState, Packet, Packets, packets
from gamewire import godot

__all__ = ["Batch", "Error", "NodeState", "Packet", "Packets", "godot", "packets"]
