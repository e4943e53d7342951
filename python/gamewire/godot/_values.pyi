from gamewire.godot import (
    Array as Array,
    Bool as Bool,
    Dictionary as Dictionary,
    Float as Float,
    FrozenArray as FrozenArray,
    FrozenDictionary as FrozenDictionary,
    Int as Int,
    Key as Key,
    Nil as Nil,
    Object as Object,
    String as String,
    StringName as StringName,
)
