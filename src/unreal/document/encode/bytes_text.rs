//! Reads arrays of bytes that a document contains as strings.

use super::node::{Fault, from_hex};
use alloc::format;
use alloc::vec::Vec;
use data_encoding::BASE64;

/// Returns the bytes that a string stands for. `form` is the key of the member that contains the
/// string: `hex` or `base64`.
pub fn parse(form: &str, text: &str) -> Result<Vec<u8>, Fault> {
    match form {
        "hex" => from_hex(text),
        "base64" => BASE64.decode(text.as_bytes()).map_err(|_| "the string is not base64".into()),
        other => Err(format!("unexpected key `{other}` for an array of bytes").into()),
    }
}
