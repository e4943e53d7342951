"""Reads and writes files of game engines, and the bytes that Godot games send.

`gamewire.open` opens a file of any format that the library reads. `gamewire.packets` reads captured
traffic of Godot games. `gamewire.godot` reads and writes values of Godot. Malformed bytes raise
`gamewire.Error`.
"""

from gamewire._error import Error
from gamewire._gamewire import Batch, NodeState, Packet, Packets, packets
from gamewire import files, godot
from gamewire.files import open

__all__ = ["Batch", "Error", "NodeState", "Packet", "Packets", "files", "godot", "open", "packets"]
