//! Arrays of bytes that a document states as strings.

use super::node::{Fault, from_hex};
use alloc::format;
use alloc::vec::Vec;
use data_encoding::BASE64;

/// Reads the bytes of a string in this form, which is the key of the member that holds it.
pub fn parse(form: &str, text: &str) -> Result<Vec<u8>, Fault> {
    match form {
        "hex" => from_hex(text),
        "base64" => BASE64.decode(text.as_bytes()).map_err(|_| "the string is not base64".into()),
        other => Err(format!("unexpected key `{other}` of an array").into()),
    }
}
