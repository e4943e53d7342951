//! The head of an HTTP/1.1 message that upgrades to a WebSocket.

use super::error::ErrorKind;

/// The side of a connection that sent the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The client, which requests the upgrade.
    Client,
    /// The server, which accepts the upgrade.
    Server,
}

/// The head of the request or response that upgrades to a WebSocket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head<'a> {
    bytes: &'a [u8],
    side: Side,
}

const REQUEST: &[u8] = b"GET ";
const RESPONSE: &[u8] = b"HTTP/1.1 ";

impl<'a> Head<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, ErrorKind> {
        let side = if bytes.starts_with(REQUEST) { Side::Client } else { Side::Server };
        let head = Self { bytes, side };
        match side {
            Side::Client if !head.first_line().ends_with(b" HTTP/1.1") => {
                return Err(ErrorKind::NotHttp);
            }
            Side::Client => {}
            Side::Server => match head.status().ok_or(ErrorKind::NotHttp)? {
                101 => {}
                status => return Err(ErrorKind::Refused { status }),
            },
        }
        match head.field("upgrade") {
            Some(upgrade) if upgrade.eq_ignore_ascii_case(b"websocket") => Ok(head),
            _ => Err(ErrorKind::NotAnUpgrade),
        }
    }

    /// Returns the sender.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Returns all bytes of the head, including the empty line at its end.
    pub fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the request line or the status line.
    pub fn first_line(&self) -> &'a [u8] {
        self.lines().next().unwrap_or_default()
    }

    /// Returns the value of the first field with this name, without surrounding whitespace.
    pub fn field(&self, name: &str) -> Option<&'a [u8]> {
        self.lines().skip(1).find_map(|line| {
            let colon = line.iter().position(|byte| *byte == b':')?;
            let (found, value) = line.split_at_checked(colon)?;
            let same = found.eq_ignore_ascii_case(name.as_bytes());
            same.then(|| value.get(1..).unwrap_or_default().trim_ascii())
        })
    }

    fn lines(&self) -> impl Iterator<Item = &'a [u8]> {
        self.bytes.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// Returns the status code of a response.
    fn status(&self) -> Option<u16> {
        let digits = self.bytes.get(RESPONSE.len()..)?.first_chunk::<3>()?;
        str::from_utf8(digits).ok()?.parse().ok()
    }
}

/// Returns the length of the head, including the empty line at its end, or `None` if it is not
/// complete. The first `known` bytes are known not to contain its end.
pub(super) fn find_end(
    bytes: &[u8],
    known: usize,
    limit: usize,
) -> Result<Option<usize>, ErrorKind> {
    let bounded = bytes.get(..limit).unwrap_or(bytes);
    if !begins(bounded, REQUEST) && !begins(bounded, RESPONSE) {
        return Err(ErrorKind::NotHttp);
    }
    let from = known.saturating_sub(3);
    let unknown = bounded.get(from..).unwrap_or_default();
    match unknown.windows(4).position(|four| four == b"\r\n\r\n") {
        Some(at) => Ok(Some(from.saturating_add(at).saturating_add(4))),
        None if bytes.len() < limit => Ok(None),
        None => Err(ErrorKind::HeadTooLong { limit: u32::try_from(limit).unwrap_or(u32::MAX) }),
    }
}

/// Returns `true` if one of the slices is a prefix of the other.
fn begins(bytes: &[u8], with: &[u8]) -> bool {
    bytes.iter().zip(with).all(|(a, b)| a == b)
}
