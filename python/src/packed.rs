//! Packed arrays. An array from a packet shares the memory of the packet. Arrays of numbers and of
//! vectors export their elements as a buffer.

#[allow(unsafe_code, reason = "the buffer protocol hands out pointers")]
mod buffer;
mod convert;
#[allow(unsafe_code, unsafe_op_in_unsafe_fn, reason = "PyO3 generates the calls of buffer methods")]
mod numbers;
mod strings;

use gamewire::godot::{Dialect, Kind, Leaf};
use numbers::Packed;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

pub(crate) use numbers::packed_of;
pub(crate) use strings::PackedStringArray;

/// Creates the object of a packed array in a packet.
pub(crate) fn from_packet<'py>(
    input: &Bound<'py, PyBytes>,
    leaf: &Leaf<'_>,
    dialect: Dialect,
) -> PyResult<Bound<'py, PyAny>> {
    let bytes = leaf.encoded.as_bytes();
    // The bytes of the leaf are a part of the input.
    let start = bytes.as_ptr().addr().saturating_sub(input.as_bytes().as_ptr().addr());
    let range = start..start + bytes.len();
    match leaf.value.kind() {
        Kind::PackedStringArray => {
            let array = PackedStringArray::new(input.clone().unbind(), range, dialect);
            Ok(Bound::new(input.py(), array)?.into_any())
        }
        _ => Packed::from_packet(input, range, leaf, dialect)?.object(input.py()),
    }
}

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    numbers::add_to(module)?;
    strings::add_to(module)
}
