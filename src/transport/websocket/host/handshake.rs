//! The HTTP messages that open a WebSocket (RFC 6455, section 4).

use super::output::Output;
use crate::buffer::Sink;
use crate::transport::websocket::head::Head;
use data_encoding::BASE64;
use sha1::{Digest, Sha1};

/// Length of a key in base64.
const KEY: usize = 24;

/// Returns the value of `Sec-WebSocket-Accept` with which a server answers the value of
/// `Sec-WebSocket-Key`: base64 of the SHA-1 of the key and a constant.
///
/// ```
/// use gamewire::transport::websocket::host::accept_key;
///
/// let key = accept_key(b"dGhlIHNhbXBsZSBub25jZQ=="); // the example of RFC 6455, 1.3
/// assert_eq!(&key, b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
/// ```
pub fn accept_key(key: &[u8]) -> [u8; 28] {
    let mut hash = Sha1::new();
    hash.update(key);
    hash.update(b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
    let mut accept = [0; 28];
    // `encode_mut` panics if the lengths differ: 20 bytes are 28 characters.
    BASE64.encode_mut(&hash.finalize(), &mut accept);
    accept
}

/// Returns the value of `Sec-WebSocket-Key` for 16 random bytes.
pub(super) fn key(random: [u64; 2]) -> [u8; KEY] {
    let mut key = [0; KEY];
    // `encode_mut` panics if the lengths differ: 16 bytes are 24 characters.
    BASE64.encode_mut(random.map(u64::to_le_bytes).as_flattened(), &mut key);
    key
}

/// The reason why a server refuses a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    BadRequest,
    /// A version other than 13, the only one that was ever published.
    Version,
}

/// Checks the fields of a request, and returns its key.
pub(super) fn check_request<'a>(head: &Head<'a>) -> Result<&'a [u8], Refusal> {
    let connection = head.field("connection").unwrap_or_default();
    if head.field("host").is_none() || !has_token(connection, b"upgrade") {
        return Err(Refusal::BadRequest);
    }
    if head.field("sec-websocket-version") != Some(b"13") {
        return Err(Refusal::Version);
    }
    let key = head.field("sec-websocket-key").filter(|key| is_key(key));
    key.ok_or(Refusal::BadRequest)
}

/// Checks the fields of a response. `accept` is the answer to the client's key.
pub(super) fn check_response(head: &Head<'_>, accept: &[u8; 28], protocol: Option<&str>) -> bool {
    let connection = head.field("connection").unwrap_or_default();
    let answer = head.field("sec-websocket-protocol");
    has_token(connection, b"upgrade")
        && head.field("sec-websocket-accept") == Some(accept)
        && answer.is_none_or(|answer| protocol.is_some_and(|own| own.as_bytes() == answer))
}

/// Returns `true` for 16 bytes in base64.
fn is_key(key: &[u8]) -> bool {
    key.len() == KEY && BASE64.decode_mut(key, &mut [0; 18]) == Ok(16)
}

/// Returns `true` if the list contains the token, in any case.
fn has_token(list: &[u8], token: &[u8]) -> bool {
    list.split(|byte| *byte == b',').any(|item| item.trim_ascii().eq_ignore_ascii_case(token))
}

/// Queues the response that opens the WebSocket, with the fields in the order of Godot's server.
pub(super) fn respond(out: &mut Output, head: &Head<'_>, key: &[u8], protocol: Option<&str>) {
    out.put(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n");
    put_field(out, b"Sec-WebSocket-Accept: ", &accept_key(key));
    let offered = head.field("sec-websocket-protocol").unwrap_or_default();
    let protocol = protocol.map(str::as_bytes).filter(|own| has_token(offered, own));
    if let Some(protocol) = protocol {
        put_field(out, b"Sec-WebSocket-Protocol: ", protocol);
    }
    out.put(b"\r\n");
}

/// Queues the response to a request that is not accepted.
pub(super) fn refuse(out: &mut Output, refusal: Refusal) {
    let status: &[u8] = match refusal {
        Refusal::BadRequest => b"HTTP/1.1 400 Bad Request\r\n",
        Refusal::Version => b"HTTP/1.1 426 Upgrade Required\r\nSec-WebSocket-Version: 13\r\n",
    };
    out.put(status);
    out.put(b"Connection: close\r\nContent-Length: 0\r\n\r\n");
}

/// A host name or path that cannot stand in an HTTP request: it is empty, too long (256 bytes at
/// most), or has a space, a control character or a character outside of ASCII. A path starts with a
/// slash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the host or path cannot stand in an HTTP request")]
pub struct InvalidRequest;

/// Queues a request for a WebSocket.
pub(super) fn request(
    out: &mut Output,
    host: &str,
    path: &str,
    key: &[u8; KEY],
    protocol: Option<&str>,
) -> Result<(), InvalidRequest> {
    let is_valid = |text: &str| {
        (1..=256).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
    };
    if !is_valid(host) || !is_valid(path) || !path.starts_with('/') {
        return Err(InvalidRequest);
    }
    out.put(b"GET ");
    out.put(path.as_bytes());
    out.put(b" HTTP/1.1\r\n");
    put_field(out, b"Host: ", host.as_bytes());
    out.put(b"Upgrade: websocket\r\nConnection: Upgrade\r\n");
    put_field(out, b"Sec-WebSocket-Key: ", key);
    out.put(b"Sec-WebSocket-Version: 13\r\n");
    if let Some(protocol) = protocol {
        put_field(out, b"Sec-WebSocket-Protocol: ", protocol.as_bytes());
    }
    out.put(b"\r\n");
    Ok(())
}

fn put_field(out: &mut Output, name: &[u8], value: &[u8]) {
    out.put(name);
    out.put(value);
    out.put(b"\r\n");
}
