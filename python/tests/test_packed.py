"""Packed arrays share the memory of the packet."""

import gc
import mmap
import pickle
import threading

import gamewire
import numpy
import pytest
from gamewire import godot
from gamewire.godot import (
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
    Vector3,
    dumps,
    loads,
)

ARRAYS = [
    (PackedByteArray([1, 2, 255]), "B", (3,)),
    (PackedInt32Array([1, -2]), "i", (2,)),
    (PackedInt64Array([1, -(2**40)]), "q", (2,)),
    (PackedFloat32Array([0.5, -1]), "f", (2,)),
    (PackedFloat64Array([0.1]), "d", (1,)),
    (PackedVector2Array([(1, 2), (3, 4), (5, 6)]), "f", (3, 2)),
    (PackedVector3Array([(1, 2, 3), (4, 5, 6)]), "f", (2, 3)),
    (PackedVector3Array([(1, 2, 3), (4, 5, 6)], double=True), "d", (2, 3)),
    (PackedColorArray([(1, 0, 0, 1)]), "f", (1, 4)),
    (PackedVector4Array([(1, 2, 3, 4)]), "f", (1, 4)),
    (PackedVector3Array(), "f", (0, 3)),
]


def address(array):
    return numpy.asarray(array).__array_interface__["data"][0]


def address_of_bytes(data):
    return numpy.frombuffer(data, "u1").__array_interface__["data"][0]


@pytest.mark.parametrize("array, form, shape", ARRAYS, ids=lambda value: repr(value))
def test_numpy_shares_the_memory_of_the_packet(array, form, shape):
    packet = dumps(["before", array, "after"])
    read = loads(packet)[1]
    assert read == array and type(read) is type(array) and hash(read) == hash(array)
    view = memoryview(read)
    assert (view.format, view.shape, view.readonly, view.c_contiguous) == (form, shape, True, True)
    shared = numpy.asarray(read)
    assert shared.shape == shape and not shared.flags.writeable
    # The elements start after the header and the count.
    start = len(dumps(["before"])) + 8
    if len(read):
        assert address(read) == address_of_bytes(packet) + start
    assert shared.tobytes() == packet[start : start + shared.nbytes]
    assert shared.tolist() == view.tolist() == [
        list(item) if len(shape) == 2 else item for item in read
    ]
    assert type(array)(shared, double=array.double) == array
    assert type(array)(list(array), double=array.double) == array
    assert pickle.loads(pickle.dumps(read)) == array
    assert eval(repr(array), vars(godot)) == array


def test_the_packet_lives_as_long_as_the_array():
    shared = numpy.asarray(loads(dumps(PackedFloat32Array(range(1000)))))
    gc.collect()
    assert shared.sum() == sum(range(1000))


def test_mutable_inputs_are_copied():
    packet = bytearray(dumps(PackedInt32Array([1, 2])))
    for data in (packet, memoryview(packet)):
        array = loads(data)
        packet[-1] = 99
        assert list(array) == [1, 2]
        packet[-1] = 0
    memory = mmap.mmap(-1, len(packet))
    memory[:] = packet
    array = loads(memory)
    memory.close()
    assert list(array) == [1, 2]


def test_elements():
    array = PackedVector3Array([Vector3(1, 2, 3), (4, 5, 6)])
    assert (array[0], array[-1]) == (Vector3(1, 2, 3), Vector3(4, 5, 6))
    assert array[1:] == [Vector3(4, 5, 6)]
    with pytest.raises(IndexError):
        array[2]
    assert PackedFloat32Array([0.1])[0] != 0.1
    doubles = numpy.arange(6, dtype="f8").reshape(2, 3)
    assert PackedVector3Array(doubles)[1] == Vector3(3, 4, 5)
    assert not PackedVector3Array(doubles).double
    assert PackedInt32Array(numpy.array([1, 2], "i8")) == PackedInt32Array([1, 2])
    assert PackedInt32Array(numpy.array([1, 2], "u2")) == PackedInt32Array([1, 2])
    assert PackedFloat32Array(numpy.array([1, 2], "f8")[::-1]) == PackedFloat32Array([2, 1])


def test_wrong_elements():
    for make, error in [
        (lambda: PackedByteArray([256]), OverflowError),
        (lambda: PackedInt32Array([1.5]), TypeError),
        (lambda: PackedInt32Array(["1"]), TypeError),
        (lambda: PackedVector2Array([1, 2, 3]), ValueError),
        (lambda: PackedVector2Array([(1, 2, 3)]), ValueError),
        (lambda: PackedVector2Array([(1, 2), (3,)]), ValueError),
        (lambda: PackedStringArray([1]), TypeError),
        (lambda: PackedStringArray("a"), None),
        (lambda: memoryview(PackedByteArray(b"a")).__setitem__(0, 1), TypeError),
    ]:
        if error:
            with pytest.raises(error):
                make()
        else:
            make()


def test_strings():
    array = PackedStringArray(["a", "", "bcd", "über"])
    packet = dumps([array])
    (read,) = loads(packet)
    assert read == array and hash(read) == hash(array) and dumps([read]) == packet
    assert (read[2], read[-1], read[1:3], len(read)) == ("bcd", "über", ["", "bcd"], 4)
    assert "bcd" in read and list(reversed(read))[0] == "über"
    with pytest.raises(IndexError):
        read[4]
    assert pickle.loads(pickle.dumps(read)) == array


def test_arrays_in_other_dialects():
    array = PackedVector2Array([(1, 2)])
    assert loads(dumps(array, "godot3"), "godot3") == array
    double = loads(dumps(PackedColorArray([(1, 2, 3, 4)]), "godot4-docs-double"), "godot4-docs-double")
    assert double.double
    with pytest.raises(gamewire.Error) as caught:
        dumps(double, "godot4")
    assert caught.value.kind == "Unrepresentable"


def test_other_threads_run_while_a_long_packet_is_checked():
    packet = dumps(list(range(1_000_000)))
    values = []
    threads = [threading.Thread(target=lambda: values.append(loads(packet))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert values[0] == values[1] == list(range(1_000_000))
