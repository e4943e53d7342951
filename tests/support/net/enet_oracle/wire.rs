//! Datagrams and commands. All numbers are big-endian.

use crate::support::fields::Fields;

#[derive(Clone, Debug, PartialEq)]
pub struct Datagram {
    pub peer: u16,
    pub session: u8,
    pub compressed: bool,
    pub sent_time: Option<u16>,
    pub checksum: Option<u32>,
    pub body: Vec<u8>,
}

pub fn datagram(bytes: &[u8], checksums: bool) -> Option<Datagram> {
    let mut fields = Fields::big(bytes);
    let first = fields.u16()?;
    let sent_time = if first >> 15 != 0 { Some(fields.u16()?) } else { None };
    let checksum = if checksums { Some(fields.u32()?) } else { None };
    Some(Datagram {
        peer: first & 0x0fff,
        session: (first >> 12 & 3) as u8,
        compressed: first >> 14 & 1 != 0,
        sent_time,
        checksum,
        body: fields.rest().to_vec(),
    })
}

#[derive(Clone, Debug, PartialEq)]
pub struct Command {
    pub acknowledge: bool,
    pub unsequenced: bool,
    pub channel: u8,
    pub sequence: u16,
    pub body: Body,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// A command without a packet: its type, and the numbers that follow.
    Control {
        kind: u8,
        numbers: Vec<u32>,
    },
    Reliable(Vec<u8>),
    Unreliable {
        number: u16,
        payload: Vec<u8>,
    },
    Fragment(Fragment),
    Unsequenced {
        group: u16,
        payload: Vec<u8>,
    },
    UnreliableFragment(Fragment),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Fragment {
    pub start: u16,
    pub count: u32,
    pub number: u32,
    pub total: u32,
    pub offset: u32,
    pub payload: Vec<u8>,
}

/// The largest packet in sessions with default limits.
const LARGEST_PACKET: u64 = 4 << 20;

/// Returns the commands up to the first malformed one, and the offset of the malformed command, if
/// there is one.
pub fn commands(body: &[u8]) -> (Vec<Command>, Option<usize>) {
    let mut fields = Fields::big(body);
    let mut commands = Vec::new();
    while fields.left() > 0 {
        let start = fields.at();
        match command(&mut fields) {
            Some(command) => commands.push(command),
            None => return (commands, Some(start)),
        }
    }
    (commands, None)
}

fn command(fields: &mut Fields<'_>) -> Option<Command> {
    let first = fields.u8()?;
    let (channel, sequence) = (fields.u8()?, fields.u16()?);
    let body = match first & 15 {
        1 => control(1, &[2, 2], fields)?,
        2 => control(2, &[2, 1, 1, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4], fields)?,
        3 => control(3, &[2, 1, 1, 4, 4, 4, 4, 4, 4, 4, 4, 4], fields)?,
        4 => control(4, &[4], fields)?,
        5 => control(5, &[], fields)?,
        6 => {
            let len = fields.u16()?;
            Body::Reliable(payload(fields, len)?)
        }
        7 => {
            let (number, len) = (fields.u16()?, fields.u16()?);
            Body::Unreliable { number, payload: payload(fields, len)? }
        }
        8 => Body::Fragment(fragment(fields)?),
        9 => {
            let (group, len) = (fields.u16()?, fields.u16()?);
            Body::Unsequenced { group, payload: payload(fields, len)? }
        }
        10 => control(10, &[4, 4], fields)?,
        11 => control(11, &[4, 4, 4], fields)?,
        12 => Body::UnreliableFragment(fragment(fields)?),
        _ => return None,
    };
    let (acknowledge, unsequenced) = (first & 0x80 != 0, first & 0x40 != 0);
    Some(Command { acknowledge, unsequenced, channel, sequence, body })
}

/// Reads the numbers of a command without a packet. `sizes` contains the size of each in bytes.
fn control(kind: u8, sizes: &[u8], fields: &mut Fields<'_>) -> Option<Body> {
    let mut numbers = Vec::new();
    for size in sizes {
        numbers.push(match size {
            1 => fields.u8()?.into(),
            2 => fields.u16()?.into(),
            _ => fields.u32()?,
        });
    }
    Some(Body::Control { kind, numbers })
}

fn fragment(fields: &mut Fields<'_>) -> Option<Fragment> {
    let (start, len) = (fields.u16()?, fields.u16()?);
    Some(Fragment {
        start,
        count: fields.u32()?,
        number: fields.u32()?,
        total: fields.u32()?,
        offset: fields.u32()?,
        payload: payload(fields, len)?,
    })
}

fn payload(fields: &mut Fields<'_>, len: u16) -> Option<Vec<u8>> {
    fields.take(len.into()).map(<[u8]>::to_vec)
}

impl Fragment {
    /// Returns `true` if the numbers are consistent, as ENet requires.
    pub fn is_valid(&self) -> bool {
        self.number < self.count
            && self.count <= self.total
            && self.offset < self.total
            && self.end() <= u64::from(self.total)
    }

    /// Returns `true` if a receiver can accept this fragment. The packet must not be too large, a
    /// first fragment must be at the start of the packet, and a last fragment must end at its end.
    pub fn has_valid_position(&self) -> bool {
        let total = u64::from(self.total);
        (self.number > 0 || self.offset == 0)
            && (self.number + 1 < self.count || self.end() == total)
            && total <= LARGEST_PACKET
    }

    fn end(&self) -> u64 {
        u64::from(self.offset) + self.payload.len() as u64
    }

    /// Returns `true` if both fragments can belong to one packet. Neighbours must leave no gap
    /// between them.
    pub fn is_consistent_with(&self, other: &Self) -> bool {
        let [before, after] =
            if self.number < other.number { [self, other] } else { [other, self] };
        let neighbours = before.number + 1 == after.number;
        (self.start, self.count, self.total) == (other.start, other.count, other.total)
            && !(neighbours && u64::from(after.offset) > before.end())
    }
}

/// Joins the fragments, which are in order, into a packet. Returns `None` if bytes are missing. If
/// fragments overlap, the bytes of the first one are kept.
pub fn reassembled(parts: &[&Fragment]) -> Option<Vec<u8>> {
    let mut packet = Vec::new();
    for part in parts {
        let repeated = packet.len().checked_sub(part.offset as usize)?;
        packet.extend(part.payload.iter().skip(repeated));
    }
    (packet.len() as u64 == u64::from(parts.first()?.total)).then_some(packet)
}
