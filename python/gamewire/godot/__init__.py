"""The values of Godot: the bytes of `var_to_bytes`, `store_var`, `put_var` and RPC arguments.

`loads` reads a packet into Python objects and `dumps` writes it back, byte for byte if it was not
changed. `View` decodes only what is asked for.

>>> from gamewire.godot import Vector3, dumps, loads
>>> packet = dumps({"hp": 90, "position": Vector3(1, 2, 3)})
>>> state = loads(packet)
>>> state["position"].y
2.0
>>> dumps(state) == packet
True
"""

from gamewire._gamewire import (
    AABB,
    Basis,
    Callable,
    Color,
    Image,
    InputEvent,
    NodePath,
    ObjectID,
    PackedByteArray,
    PackedColorArray,
    PackedFloat32Array,
    PackedFloat64Array,
    PackedInt32Array,
    PackedInt64Array,
    PackedStringArray,
    PackedVector2Array,
    PackedVector3Array,
    PackedVector4Array,
    Plane,
    Projection,
    Quaternion,
    RID,
    Rect2,
    Rect2i,
    Signal,
    Transform2D,
    Transform3D,
    Vector2,
    Vector2i,
    Vector3,
    Vector3i,
    Vector4,
    Vector4i,
    View,
    Wire,
    dumps,
    iter_frames,
    loads,
)
from gamewire.godot._values import (
    Array,
    Bool,
    Dictionary,
    Float,
    FrozenArray,
    FrozenDictionary,
    Int,
    Key,
    Nil,
    Object,
    String,
    StringName,
)

DIALECTS = ("godot2", "godot3", "godot4", "godot4-docs", "godot4-docs-double")
"""The names of the dialects."""

__all__ = sorted(name for name in dir() if name[0].isupper()) + ["dumps", "iter_frames", "loads"]
