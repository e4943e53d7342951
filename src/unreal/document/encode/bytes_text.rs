//! Arrays of bytes that a document states as strings.

use super::node::{Fault, from_hex};
use crate::unreal::document::bytes_text::from_base64;
use alloc::format;
use alloc::vec::Vec;

/// Reads the bytes of a string in this form, which is the key of the member that holds it.
pub fn parse(form: &str, text: &str) -> Result<Vec<u8>, Fault> {
    match form {
        "hex" => from_hex(text),
        "base64" => from_base64(text).ok_or_else(|| "the string is not base64".into()),
        other => Err(format!("unexpected key `{other}` of an array").into()),
    }
}
