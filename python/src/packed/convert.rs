//! Converts Python objects to the elements of a packed array: a whole buffer, or one by one.

use super::numbers::{Elements, Number};
use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyString};

/// Appends the bytes of the elements in `items`, which is a buffer of numbers or an iterable of
/// elements. A vector is an iterable of numbers.
pub(super) fn append(
    items: &Bound<'_, PyAny>,
    elements: Elements,
    out: &mut Vec<u8>,
) -> PyResult<()> {
    if !append_buffer(items, elements.number, out)? {
        append_items(items, elements, 2, out)?;
    }
    if !out.len().is_multiple_of(elements.size()) {
        let message = format!("expected elements of {} numbers", elements.each);
        return Err(PyValueError::new_err(message));
    }
    Ok(())
}

/// Appends the numbers in a buffer. Returns `false` if `items` exports no buffer of `u8`, `i32`,
/// `i64`, `f32` or `f64`.
fn append_buffer(items: &Bound<'_, PyAny>, number: Number, out: &mut Vec<u8>) -> PyResult<bool> {
    if let Ok(bytes) = items.cast::<PyBytes>()
        && number == Number::U8
    {
        out.extend_from_slice(bytes.as_bytes());
        return Ok(true);
    }
    Ok(numbers_in::<u8>(items, |value| push_int(number, value.into(), out))?
        || numbers_in::<i32>(items, |value| push_int(number, value.into(), out))?
        || numbers_in::<i64>(items, |value| push_int(number, value, out))?
        || numbers_in::<f32>(items, |value| push_single(number, value, out))?
        || numbers_in::<f64>(items, |value| push_float(number, value, out))?)
}

/// Calls `push` with each number of a buffer, in C order. Returns `false` if `items` exports no
/// buffer of this type.
fn numbers_in<T: Element>(
    items: &Bound<'_, PyAny>,
    push: impl FnMut(T) -> PyResult<()>,
) -> PyResult<bool> {
    match PyBuffer::<T>::get(items) {
        Ok(buffer) => {
            buffer.to_vec(items.py())?.into_iter().try_for_each(push)?;
            Ok(true)
        }
        Err(_) => Ok(false),
    }
}

fn append_items(
    items: &Bound<'_, PyAny>,
    elements: Elements,
    depth: u32,
    out: &mut Vec<u8>,
) -> PyResult<()> {
    for item in items.try_iter()? {
        let item = item?;
        if item.is_instance_of::<PyInt>() || item.hasattr("__index__")? {
            push_int(elements.number, item.call_method0("__index__")?.extract()?, out)?;
        } else if let Ok(value) = item.extract::<f64>() {
            push_float(elements.number, value, out)?;
        } else if depth > 0 && elements.each > 1 && !item.is_instance_of::<PyString>() {
            let start = out.len();
            append_items(&item, elements, 0, out)?;
            if out.len() - start != elements.size() {
                let message = format!("expected elements of {} numbers", elements.each);
                return Err(PyValueError::new_err(message));
            }
        } else {
            return Err(PyTypeError::new_err("expected numbers"));
        }
    }
    Ok(())
}

fn push_int(number: Number, value: i64, out: &mut Vec<u8>) -> PyResult<()> {
    let overflow = |_| PyOverflowError::new_err("the integer does not fit in an element");
    match number {
        Number::U8 => out.push(u8::try_from(value).map_err(overflow)?),
        Number::I32 => {
            out.extend_from_slice(&i32::try_from(value).map_err(overflow)?.to_le_bytes());
        }
        Number::I64 => out.extend_from_slice(&value.to_le_bytes()),
        Number::F32 => out.extend_from_slice(&(value as f32).to_le_bytes()),
        Number::F64 => out.extend_from_slice(&(value as f64).to_le_bytes()),
    }
    Ok(())
}

/// Appends an `f32`, whose bits stay as they are if the elements are `f32`, too.
fn push_single(number: Number, value: f32, out: &mut Vec<u8>) -> PyResult<()> {
    if number == Number::F32 {
        out.extend_from_slice(&value.to_le_bytes());
        return Ok(());
    }
    push_float(number, value.into(), out)
}

fn push_float(number: Number, value: f64, out: &mut Vec<u8>) -> PyResult<()> {
    match number {
        Number::F32 => out.extend_from_slice(&(value as f32).to_le_bytes()),
        Number::F64 => out.extend_from_slice(&value.to_le_bytes()),
        _ => return Err(PyTypeError::new_err("expected integers")),
    }
    Ok(())
}
