from typing import final

from gamewire.godot import (
    AABB as AABB,
    Basis as Basis,
    Callable as Callable,
    Color as Color,
    Image as Image,
    InputEvent as InputEvent,
    NodePath as NodePath,
    ObjectID as ObjectID,
    PackedByteArray as PackedByteArray,
    PackedColorArray as PackedColorArray,
    PackedFloat32Array as PackedFloat32Array,
    PackedFloat64Array as PackedFloat64Array,
    PackedInt32Array as PackedInt32Array,
    PackedInt64Array as PackedInt64Array,
    PackedStringArray as PackedStringArray,
    PackedVector2Array as PackedVector2Array,
    PackedVector3Array as PackedVector3Array,
    PackedVector4Array as PackedVector4Array,
    Plane as Plane,
    Projection as Projection,
    Quaternion as Quaternion,
    RID as RID,
    Rect2 as Rect2,
    Rect2i as Rect2i,
    Signal as Signal,
    Transform2D as Transform2D,
    Transform3D as Transform3D,
    Vector2 as Vector2,
    Vector2i as Vector2i,
    Vector3 as Vector3,
    Vector3i as Vector3i,
    Vector4 as Vector4,
    Vector4i as Vector4i,
    View as View,
    Wire as Wire,
    dumps as dumps,
    iter_frames as iter_frames,
    loads as loads,
)

@final
class FrameIterator:
    """An iterator over the values of a stream."""

    def __iter__(self) -> FrameIterator: ...
    def __next__(self) -> object: ...

__all__: list[str]
