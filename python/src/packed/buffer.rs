//! The buffer protocol, which hands out pointers to the elements of a packed array.

use super::numbers::{Elements, Number};
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::{CStr, c_int};
use std::ptr;

/// The shape and strides of a buffer, which live until the buffer is released.
struct Dimensions {
    shape: [ffi::Py_ssize_t; 2],
    strides: [ffi::Py_ssize_t; 2],
}

/// Returns the format of a number, in the language of the module `struct`. Big-endian machines see
/// little-endian numbers, which `memoryview` itself cannot decode there.
const fn format(number: Number) -> &'static CStr {
    match (number, cfg!(target_endian = "little")) {
        (Number::U8, _) => c"B",
        (Number::I32, true) => c"i",
        (Number::I32, false) => c"<i",
        (Number::I64, true) => c"q",
        (Number::I64, false) => c"<q",
        (Number::F32, true) => c"f",
        (Number::F32, false) => c"<f",
        (Number::F64, true) => c"d",
        (Number::F64, false) => c"<d",
    }
}

/// Fills a buffer with the elements in `data`. Vectors have two dimensions.
///
/// # Safety
/// `view` must be null or point to a buffer that may be overwritten. `owner` must keep the memory
/// of `data` alive and unchanged.
pub(super) unsafe fn fill(
    view: *mut ffi::Py_buffer,
    flags: c_int,
    data: *const [u8],
    elements: Elements,
    owner: &Bound<'_, PyAny>,
) -> PyResult<()> {
    if view.is_null() {
        return Err(PyBufferError::new_err("there is no buffer to fill"));
    }
    // SAFETY: the caller states that `view` may be overwritten. The protocol requires a null object
    // after an error.
    unsafe { (*view).obj = ptr::null_mut() };
    if flags & ffi::PyBUF_WRITABLE == ffi::PyBUF_WRITABLE {
        return Err(PyBufferError::new_err("packed arrays are read-only"));
    }
    let size = elements.number.size() as ffi::Py_ssize_t;
    let each = elements.each as ffi::Py_ssize_t;
    let len = data.len() as ffi::Py_ssize_t;
    let rows = len / (size * each);
    let dimensions = if each == 1 {
        Dimensions { shape: [rows, 1], strides: [size, size] }
    } else {
        Dimensions { shape: [rows, each], strides: [size * each, size] }
    };
    let has = |flag: c_int| flags & flag == flag;
    // A consumer that asks for no shape sees one dimension of bytes.
    let ndim = if each == 1 || !has(ffi::PyBUF_ND) { 1 } else { 2 };
    let dimensions = Box::into_raw(Box::new(dimensions));
    // SAFETY: the caller states that `view` may be overwritten. The dimensions live until `release`
    // frees them, and the reference to `owner` keeps the data alive until then.
    unsafe {
        (*view).obj = owner.clone().into_ptr();
        (*view).buf = data.cast_mut().cast();
        (*view).len = len;
        (*view).readonly = 1;
        (*view).itemsize = size;
        (*view).format = match has(ffi::PyBUF_FORMAT) {
            true => format(elements.number).as_ptr().cast_mut(),
            false => ptr::null_mut(),
        };
        (*view).ndim = ndim;
        (*view).shape = match has(ffi::PyBUF_ND) {
            true => (&raw mut (*dimensions).shape).cast(),
            false => ptr::null_mut(),
        };
        (*view).strides = match has(ffi::PyBUF_STRIDES) {
            true => (&raw mut (*dimensions).strides).cast(),
            false => ptr::null_mut(),
        };
        (*view).suboffsets = ptr::null_mut();
        (*view).internal = dimensions.cast();
    }
    Ok(())
}

/// Frees the dimensions of a buffer.
///
/// # Safety
/// [`fill`] must have filled the buffer, and it must not have been released before.
pub(super) unsafe fn release(view: *mut ffi::Py_buffer) {
    // SAFETY: `fill` stored a pointer that it got from a box.
    drop(unsafe { Box::from_raw((*view).internal.cast::<Dimensions>()) });
}
