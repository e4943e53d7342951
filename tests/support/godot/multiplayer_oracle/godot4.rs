//! Decodes the packets of Godot 4's `SceneMultiplayer`.

use super::{Amount, Node, Run, node, text};
use crate::support::fields::Fields;

#[derive(Clone, Debug, PartialEq)]
pub enum Packet {
    Call { node: Node, method: u16, arguments: Run },
    SimplifyPath { checksum: Vec<u8>, id: u32, path: Vec<u8> },
    ConfirmPath { checksum_ok: bool, node: Node },
    Raw(Vec<u8>),
    Spawn(Spawn),
    Despawn(u32),
    Sync { time: u16, records: Records },
    Delta(Records),
    Auth(Vec<u8>),
    AddPeer(i32),
    DelPeer(i32),
    Relay { peer: i32, bytes: Vec<u8>, packet: Option<Box<Packet>> },
}

#[derive(Clone, Debug, PartialEq)]
pub struct Spawn {
    /// The index of the scene to spawn, or `None` if a spawn function is called instead.
    pub scene: Option<u8>,
    pub spawner: u32,
    pub net_id: u32,
    pub synchronizers: Vec<u32>,
    pub name: Vec<u8>,
    /// The argument of the spawn function.
    pub argument: Option<Run>,
    pub state: Run,
}

/// The complete records, and `true` in `cut` if a truncated record follows them.
#[derive(Clone, Debug, PartialEq)]
pub struct Records {
    pub whole: Vec<Record>,
    pub cut: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    pub net_id: NetId,
    /// The mask of the changed properties, in a delta packet.
    pub changed: Option<u64>,
    pub state: Run,
}

#[derive(Clone, Debug, PartialEq)]
pub enum NetId {
    Synchronizer(u32),
    Cached(u32),
}

/// Decodes a packet. With `paths`, the packet is from Godot 4.0 to 4.2, where a confirmation
/// contains a path.
pub fn decode(packet: &[u8], paths: bool) -> Option<Packet> {
    let first = *packet.first()?;
    let mut fields = Fields::little(packet);
    fields.u8();
    match first & 7 {
        0 => call(packet, first, fields),
        1 => simplify(fields),
        2 if paths => confirm_by_path(fields),
        2 => confirm(fields),
        3 => (packet.len() >= 2).then(|| Packet::Raw(fields.rest().to_vec())),
        4 => spawn(packet, fields),
        5 => fields.u32().map(Packet::Despawn),
        6 => synchronized(packet, first, fields),
        _ => system(packet, fields, paths),
    }
}

fn call(packet: &[u8], first: u8, mut fields: Fields<'_>) -> Option<Packet> {
    let id = match first >> 4 & 3 {
        0 => fields.u8()?.into(),
        1 => fields.u16()?.into(),
        2 => fields.u32()?,
        _ => return None,
    };
    let method = if first & 0x40 == 0 { fields.u8()?.into() } else { fields.u16()? };
    let (node, path) = node(packet, id)?;
    // The path is not part of the arguments. If it starts before them, the arguments have no bytes.
    let start = fields.at();
    let area = packet.get(start..path.unwrap_or(packet.len())).unwrap_or_default();
    let arguments = if first & 0x80 == 0 {
        let (&count, values) = area.split_first()?;
        Run { at: start + 1, bytes: values.to_vec(), amount: Amount::Count(count.into()) }
    } else {
        Run { at: start, bytes: area.to_vec(), amount: Amount::Raw }
    };
    Some(Packet::Call { node, method, arguments })
}

/// Decodes a packet that assigns an id to a path. The packet contains an MD5 in hex that ends with
/// a NUL, the id, and the path.
fn simplify(mut fields: Fields<'_>) -> Option<Packet> {
    let checksum = fields.take(32)?.to_vec();
    fields.u8()?;
    let id = fields.u32()?;
    Some(Packet::SimplifyPath { checksum, id, path: text(fields.rest()) })
}

fn confirm(mut fields: Fields<'_>) -> Option<Packet> {
    let checksum_ok = fields.u8()? != 0;
    let node = Node::Cached(fields.u32()?);
    // The packet must be exactly six bytes long.
    (fields.left() == 0).then_some(Packet::ConfirmPath { checksum_ok, node })
}

fn confirm_by_path(mut fields: Fields<'_>) -> Option<Packet> {
    let checksum_ok = fields.u8()? != 0;
    if fields.left() == 0 {
        return None;
    }
    Some(Packet::ConfirmPath { checksum_ok, node: Node::Path(text(fields.rest())) })
}

fn spawn(packet: &[u8], mut fields: Fields<'_>) -> Option<Packet> {
    let scene = fields.u8()?;
    let (spawner, net_id) = (fields.u32()?, fields.u32()?);
    let (synchronizer_count, name_len) = (fields.u32()?, fields.u32()?);
    let mut synchronizers = Vec::new();
    for _ in 0..synchronizer_count {
        synchronizers.push(fields.u32()?);
    }
    // The length of the name includes the NUL.
    let name = fields.take(name_len as usize).filter(|name| !name.is_empty())?;
    let custom = scene == 0xff;
    let argument = if custom { Some(sized(&mut fields, Amount::Count(1))?) } else { None };
    let at = fields.at();
    Some(Packet::Spawn(Spawn {
        scene: (!custom).then_some(scene),
        spawner,
        net_id,
        synchronizers,
        name: text(name),
        argument,
        state: Run { at, bytes: packet[at..].to_vec(), amount: Amount::ToEnd },
    }))
}

/// Reads a size in bytes, and a run of values of this total size.
fn sized(fields: &mut Fields<'_>, amount: Amount) -> Option<Run> {
    let size = fields.u32()? as usize;
    let at = fields.at();
    Some(Run { at, bytes: fields.take(size)?.to_vec(), amount })
}

fn synchronized(packet: &[u8], first: u8, mut fields: Fields<'_>) -> Option<Packet> {
    if packet.len() < 11 {
        return None;
    }
    if first & 0x10 != 0 {
        return Some(Packet::Delta(records(fields, 16, true)));
    }
    let time = fields.u16()?;
    Some(Packet::Sync { time, records: records(fields, 8, false) })
}

/// Reads records. Like the engine, it continues while the rest of the packet is longer than the
/// header of a record.
fn records(mut fields: Fields<'_>, head: usize, delta: bool) -> Records {
    let mut whole = Vec::new();
    while fields.left() > head {
        match record(&mut fields, delta) {
            Some(record) => whole.push(record),
            None => return Records { whole, cut: true },
        }
    }
    Records { whole, cut: false }
}

fn record(fields: &mut Fields<'_>, delta: bool) -> Option<Record> {
    let id = fields.u32()?;
    let net_id = match id >> 31 {
        0 => NetId::Synchronizer(id),
        _ => NetId::Cached(id & 0x7fff_ffff),
    };
    let changed = if delta { Some(fields.u64()?) } else { None };
    // A delta has one value for each set bit of the mask, and no trailing bytes.
    let amount =
        changed.map_or(Amount::ToEnd, |changed| Amount::Exactly(changed.count_ones() as usize));
    Some(Record { net_id, changed, state: sized(fields, amount)? })
}

fn system(packet: &[u8], mut fields: Fields<'_>, paths: bool) -> Option<Packet> {
    match fields.u8()? {
        0 => Some(Packet::Auth(fields.rest().to_vec())),
        1 => fields.i32().map(Packet::AddPeer),
        2 => fields.i32().map(Packet::DelPeer),
        3 => {
            let peer = fields.i32()?;
            let bytes = fields.rest();
            let inner = relayed(packet, bytes, paths);
            let relay = Packet::Relay { peer, bytes: bytes.to_vec(), packet: inner };
            (!bytes.is_empty()).then_some(relay)
        }
        _ => None,
    }
}

/// Decodes a relayed packet. Returns `None` for a system packet, which cannot be relayed.
fn relayed(packet: &[u8], bytes: &[u8], paths: bool) -> Option<Box<Packet>> {
    let inner = decode(bytes, paths)?;
    let start = packet.len() - bytes.len();
    (bytes[0] & 7 != 7).then(|| Box::new(inner.moved(start)))
}

impl Packet {
    /// Returns all runs of values in the packet.
    pub fn runs(&self) -> Vec<&Run> {
        match self {
            Self::Call { arguments, .. } => vec![arguments],
            Self::Spawn(spawn) => spawn.argument.iter().chain([&spawn.state]).collect(),
            Self::Sync { records, .. } | Self::Delta(records) => {
                records.whole.iter().map(|record| &record.state).collect()
            }
            Self::Relay { packet: Some(packet), .. } => packet.runs(),
            _ => Vec::new(),
        }
    }

    /// Adds `by` to the offset of each run, so that offsets in a relayed packet become offsets in
    /// the packet around it.
    fn moved(mut self, by: usize) -> Self {
        let moved = |run: &mut Run| run.at += by;
        match &mut self {
            Self::Call { arguments, .. } => moved(arguments),
            Self::Spawn(spawn) => {
                spawn.argument.iter_mut().chain([&mut spawn.state]).for_each(moved);
            }
            Self::Sync { records, .. } | Self::Delta(records) => {
                records.whole.iter_mut().for_each(|record| moved(&mut record.state));
            }
            _ => {}
        }
        self
    }
}
