//! JSON: text messages that contain it, and its conversion to Python objects.

use gamewire::printable::escape_json;
use pyo3::exceptions::PyRecursionError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde::de::IgnoredAny;

/// Escapes the characters of JSON that a terminal does not print, as the command line does.
pub(super) fn escape(json: &mut String) {
    let mut bytes = std::mem::take(json).into_bytes();
    // Writing to a vector cannot fail, and the result is UTF-8.
    let _ = escape_json(&mut bytes, 0);
    *json = String::from_utf8(bytes).unwrap_or_default();
}

/// Converts JSON without white space to Python objects, like the function `json.loads` of Python.
/// The depth is not limited.
pub(super) fn loads<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyAny>> {
    let loads = py.import("json")?.getattr("loads")?;
    match loads.call1((json,)) {
        Err(error) if error.is_instance_of::<PyRecursionError>(py) => nested(py, json, &loads),
        loaded => loaded,
    }
}

/// A list or dictionary that is not complete yet. A dictionary has the key whose value is missing.
enum Open<'py> {
    List(Bound<'py, PyList>),
    Dict(Bound<'py, PyDict>, Option<Bound<'py, PyAny>>),
}

/// Does the same as [`loads`], without recursion.
fn nested<'py>(
    py: Python<'py>,
    json: &str,
    loads: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let (mut open, mut rest) = (Vec::<Open<'py>>::new(), json);
    loop {
        let len = match rest.as_bytes() {
            [] => return Err(pyo3::exceptions::PyValueError::new_err("the JSON is cut off")),
            [b'"', ..] => string_len(rest),
            [b'{' | b'[' | b'}' | b']' | b',' | b':', ..] => 1,
            _ => rest.find([',', '}', ']']).unwrap_or(rest.len()),
        };
        let (token, after) = rest.split_at(len);
        rest = after;
        let value = match token {
            "," | ":" => continue,
            "{" => {
                open.push(Open::Dict(PyDict::new(py), None));
                continue;
            }
            "[" => {
                open.push(Open::List(PyList::empty(py)));
                continue;
            }
            "}" | "]" => match open.pop() {
                Some(Open::List(list)) => list.into_any(),
                Some(Open::Dict(dict, _)) => dict.into_any(),
                None => continue,
            },
            leaf => loads.call1((leaf,))?,
        };
        match open.last_mut() {
            None => return Ok(value),
            Some(Open::List(list)) => list.append(value)?,
            Some(Open::Dict(dict, key)) => match key.take() {
                Some(key) => dict.set_item(key, value)?,
                None => *key = Some(value),
            },
        }
    }
}

/// Returns the length of the string at the start of the JSON, including its quotes.
fn string_len(json: &str) -> usize {
    let mut escaped = false;
    let end = json.bytes().skip(1).position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.map_or(json.len(), |end| end + 2)
}

/// Returns the JSON without white space between its tokens. Returns `None` if the text is not JSON.
/// Its depth is not limited.
pub(super) fn compact(text: &str) -> Option<String> {
    serde_json::from_str::<IgnoredAny>(text).ok()?;
    let (mut in_string, mut escaped) = (false, false);
    let kept = text.chars().filter(|char| {
        let is_kept = in_string || !matches!(char, ' ' | '\t' | '\r' | '\n');
        in_string ^= *char == '"' && !escaped;
        escaped = in_string && *char == '\\' && !escaped;
        is_kept
    });
    Some(kept.collect())
}
