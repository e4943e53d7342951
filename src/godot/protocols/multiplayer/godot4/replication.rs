//! Replication: creation of nodes on other peers and synchronization of their properties, by
//! `MultiplayerSpawner` and `MultiplayerSynchronizer`.

use super::{
    CompactWriter, Cursor, Dialect, Extent, Fault, HIGH_BIT, Input, Message, Packet, Piece, Result,
    Run, SPAWN, SYNC, Sink, StrRef, ToVariants, U16, U32, Values, fail, id, length, put_text, text,
    text_len,
};
use crate::godot::table::layouts::U64;
use crate::godot::{Error, ErrorKind};
use core::iter::FusedIterator;
use zerocopy::IntoBytes;

/// The flag in the first byte that distinguishes a [`Delta`] from a [`Sync`].
pub(super) const CHANGES: u8 = 1 << 4;

/// The scene index of a node that a spawn function creates.
const CUSTOM: u8 = 0xFF;

/// Creates a node.
///
/// | size | field |
/// |---|---|
/// | 1 | command 4 |
/// | 1 | index of the scene; `FF` for a spawn function |
/// | 4 | number of the spawner's path |
/// | 4 | id of the node |
/// | 4 | S, the number of synchronizers |
/// | 4 | N, the size of the name |
/// | 4 · S | ids of synchronizers |
/// | N | name and a NUL |
/// | 4 + … | only for a spawn function: the size of its argument, and the argument |
/// | … | the state: values to the end |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spawn<'a> {
    /// The scene to create.
    pub scene: Scene<'a>,
    /// The number of the spawner; see [`NodeRef::Cached`](super::NodeRef::Cached).
    pub spawner: u32,
    /// The id by which the node is despawned.
    pub net_id: u32,
    /// The ids of the node's synchronizers, which [`Sync`] and [`Delta`] use.
    pub synchronizers: &'a [U32],
    /// The name of the node. The engine rejects an invalid node name.
    pub name: StrRef<'a>,
    /// The spawn properties of each synchronizer, in the order of its configuration.
    pub state: Run<'a>,
}

/// The source of the node that a [`Spawn`] creates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scene<'a> {
    /// The index of one of the spawner's scenes. It is less than 255.
    Index(u8),
    /// The argument of the spawner's function. Further values of the run are ignored.
    Custom(Run<'a>),
}

impl<'a> Spawn<'a> {
    pub(super) fn read(input: &Input<'a>) -> Result<Self> {
        let mut at = input.at_least(18, Message::Spawn)?;
        let scene = *at.read::<u8>()?;
        let spawner = at.read::<U32>()?.get();
        let net_id = at.read::<U32>()?.get();
        let count = at.read::<U32>()?.get();
        let name_len = at.read::<U32>()?.get();
        let synchronizers = at.slice::<U32>(count)?;
        if name_len == 0 {
            return Err(input.fail(Fault::NoName, at.pos()));
        }
        let name = text(at.slice(name_len)?);
        let scene = match scene {
            CUSTOM => Scene::Custom(sized(input, &mut at, Extent::Count(1))?),
            index => Scene::Index(index),
        };
        let state = run(input, &at, at.rest(), Extent::ToEnd);
        Ok(Self { scene, spawner, net_id, synchronizers, name, state })
    }

    pub(super) fn write<S: Sink>(&self, out: &mut CompactWriter<S>) -> Result<()> {
        let scene = match self.scene {
            Scene::Index(CUSTOM) => return Err(fail(out, Fault::NoId(CUSTOM.into()))),
            Scene::Index(index) => index,
            Scene::Custom(_) => CUSTOM,
        };
        out.put_bytes(&[SPAWN, scene])?;
        out.put_bytes(&self.spawner.to_le_bytes())?;
        out.put_bytes(&self.net_id.to_le_bytes())?;
        out.put_bytes(&length(out, self.synchronizers.len())?.to_le_bytes())?;
        out.put_bytes(&length(out, text_len(self.name))?.to_le_bytes())?;
        out.put_bytes(self.synchronizers.as_bytes())?;
        put_text(out, self.name)?;
        if let Scene::Custom(argument) = self.scene {
            put_sized(out, &argument)?;
        }
        self.state.put_all(out)
    }
}

/// The synchronizer that a record refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NetId {
    /// A synchronizer that is identified by the id that a [`Spawn`] gave it.
    Synchronizer(u32),
    /// A synchronizer that no [`Spawn`] created. It is identified by the number of its path.
    Cached(u32),
}

impl From<u32> for NetId {
    fn from(id: u32) -> Self {
        if id & HIGH_BIT == 0 { Self::Synchronizer(id) } else { Self::Cached(id & !HIGH_BIT) }
    }
}

impl NetId {
    fn wire<S: Sink>(self, out: &CompactWriter<S>) -> Result<u32> {
        match self {
            Self::Synchronizer(number) => id(out, number),
            Self::Cached(number) => Ok(id(out, number)? | HIGH_BIT),
        }
    }
}

/// The properties that one or more synchronizers send at every update.
///
/// | size | field |
/// |---|---|
/// | 1 | command 6 |
/// | 2 | time |
/// | 4 | synchronizer |
/// | 4 | size |
/// | size | values; the next record follows |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sync<'a> {
    /// The sender's counter, which wraps around. Receivers drop older packets.
    pub time: u16,
    /// A record for each synchronizer.
    pub records: SyncRecords<'a>,
}

impl<'a> Sync<'a> {
    pub(super) fn read(input: &Input<'a>) -> Result<Packet<'a>> {
        let mut at = input.at_least(11, Message::Sync)?;
        let time = at.read::<U16>()?.get();
        Ok(Packet::Sync(Self { time, records: SyncRecords(Records::new(input, &at)) }))
    }

    pub(super) fn write<S: Sink>(&self, out: &mut CompactWriter<S>) -> Result<()> {
        let [a, b] = self.time.to_le_bytes();
        out.put_bytes(&[SYNC, a, b])?;
        out.put_bytes(self.records.0.bytes)
    }
}

/// The changed properties of one or more synchronizers (4.1 and later).
///
/// | size | field |
/// |---|---|
/// | 1 | command 6 with bit 4 |
/// | 4 | synchronizer |
/// | 8 | a bit for each property that changed |
/// | 4 | size |
/// | size | values; the next record follows |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delta<'a> {
    /// A record for each synchronizer.
    pub records: DeltaRecords<'a>,
}

impl<'a> Delta<'a> {
    pub(super) fn read(input: &Input<'a>) -> Result<Packet<'a>> {
        let at = input.at_least(11, Message::Delta)?;
        Ok(Packet::Delta(Self { records: DeltaRecords(Records::new(input, &at)) }))
    }

    pub(super) fn write<S: Sink>(&self, out: &mut CompactWriter<S>) -> Result<()> {
        out.put_bytes(&[SYNC | CHANGES])?;
        out.put_bytes(self.records.0.bytes)
    }
}

/// The state of one synchronizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyncRecord<'a> {
    /// The synchronizer.
    pub node: NetId,
    /// The properties, in the order of the configuration. The engine reads one value per property
    /// and ignores any further values.
    pub state: Run<'a>,
}

/// The changes of one synchronizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeltaRecord<'a> {
    /// The synchronizer.
    pub node: NetId,
    /// A set bit for each property that changed. The lowest bit is the first watched property.
    pub changed: u64,
    /// One value for each set bit. Trailing bytes are an error.
    pub state: Run<'a>,
}

/// The bytes of records, and their offset in the input.
#[derive(Clone, Copy, Debug)]
struct Records<'a> {
    bytes: &'a [u8],
    offset: u64,
}

/// Compares only the bytes and not their offset.
impl PartialEq for Records<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for Records<'_> {}

impl<'a> Records<'a> {
    fn new(input: &Input<'a>, at: &Cursor<'a>) -> Self {
        Self { bytes: at.rest(), offset: input.offset(at.pos()) }
    }

    /// Calls `each` for each record before the first malformed one, with its synchronizer, its
    /// changed properties and its values. This is faster than the iterators, which return the same
    /// records.
    #[cfg(feature = "traffic")]
    #[inline(always)]
    fn for_each<const DELTA: bool>(&self, mut each: impl FnMut(NetId, u64, Run<'a>)) {
        let (mut at, input) =
            (Cursor::new(self.bytes), Input { bytes: self.bytes, origin: self.offset });
        let head = if DELTA { 16 } else { 8 };
        while at.rest().len() > head
            && let Ok(node) = at.read::<U32>()
        {
            let changed =
                if DELTA { at.read::<U64>().map_or(0, |changed| changed.get()) } else { 0 };
            let extent = if DELTA { Extent::Exactly(values_of(changed)) } else { Extent::ToEnd };
            let Ok(state) = sized(&input, &mut at, extent) else { return };
            each(node.get().into(), changed, state);
        }
    }

    /// Reads the next record, if there is one. `head` is the size of a record without values. If at
    /// most `head` bytes are left, they are ignored, as in the engine, even if they are a complete
    /// record without values.
    fn next<T>(
        &mut self,
        head: usize,
        read: impl FnOnce(&Input<'a>, &mut Cursor<'a>) -> Result<T>,
    ) -> Option<Result<T>> {
        if self.bytes.len() <= head {
            return None;
        }
        let input = Input { bytes: self.bytes, origin: self.offset };
        let mut at = Cursor::new(self.bytes);
        let record = read(&input, &mut at).map_err(|error| error.shifted(self.offset));
        // The start of a record after a truncated one is unknown.
        let end = if record.is_ok() { at.pos() } else { self.bytes.len() };
        self.offset = input.offset(end);
        self.bytes = self.bytes.get(end..).unwrap_or_default();
        Some(record)
    }
}

/// Iterator over the records of a [`Sync`]. It ends after a truncated record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyncRecords<'a>(Records<'a>);

impl<'a> Iterator for SyncRecords<'a> {
    type Item = core::result::Result<SyncRecord<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next(8, |input, at| {
            let node = at.read::<U32>()?.get().into();
            Ok(SyncRecord { node, state: sized(input, at, Extent::ToEnd)? })
        })
    }
}

impl FusedIterator for SyncRecords<'_> {}

#[cfg(feature = "traffic")]
impl<'a> SyncRecords<'a> {
    /// Calls `each` with the synchronizer and the values of each record.
    #[inline(always)]
    pub(crate) fn for_each_state(&self, mut each: impl FnMut(NetId, Run<'a>)) {
        self.0.for_each::<false>(|node, _, state| each(node, state));
    }
}

/// Iterator over the records of a [`Delta`]. It ends after a truncated record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeltaRecords<'a>(Records<'a>);

impl<'a> Iterator for DeltaRecords<'a> {
    type Item = core::result::Result<DeltaRecord<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next(16, |input, at| {
            let node = at.read::<U32>()?.get().into();
            let changed = at.read::<U64>()?.get();
            let state = sized(input, at, Extent::Exactly(values_of(changed)))?;
            Ok(DeltaRecord { node, changed, state })
        })
    }
}

impl FusedIterator for DeltaRecords<'_> {}

#[cfg(feature = "traffic")]
impl<'a> DeltaRecords<'a> {
    /// Calls `each` with the synchronizer, the changed properties and the values of each record.
    #[inline(always)]
    pub(crate) fn for_each_state(&self, each: impl FnMut(NetId, u64, Run<'a>)) {
        self.0.for_each::<true>(each);
    }
}

/// Returns the number of values in a record: one for each set bit of `changed`.
fn values_of(changed: u64) -> u8 {
    u8::try_from(changed.count_ones()).unwrap_or(u8::MAX)
}

/// Reads a size in bytes, and then the values, which take exactly this many bytes.
#[inline(always)]
fn sized<'a>(input: &Input<'a>, at: &mut Cursor<'a>, extent: Extent) -> Result<Run<'a>> {
    let size = at.read::<U32>()?.get();
    let start = *at;
    let bytes = at.slice(size)?;
    Ok(run(input, &start, bytes, extent))
}

fn run<'a>(input: &Input<'a>, at: &Cursor<'a>, bytes: &'a [u8], extent: Extent) -> Run<'a> {
    Run::new(bytes, input.offset(at.pos()), Dialect::Godot4, extent)
}

fn put_sized<S: Sink>(out: &mut CompactWriter<S>, values: &impl ToVariants) -> Result<()> {
    let size = Values(values).len(out)?;
    out.put_bytes(&length(out, size)?.to_le_bytes())?;
    values.put_all(out)
}

/// A record to write, with values of any type.
pub(super) struct NewRecord<'v, A> {
    pub node: NetId,
    pub changed: Option<u64>,
    pub state: &'v A,
}

impl<A: ToVariants> Piece for NewRecord<'_, A> {
    fn write<S: Sink>(&self, out: &mut CompactWriter<S>) -> Result<()> {
        out.put_bytes(&self.node.wire(out)?.to_le_bytes())?;
        if let Some(changed) = self.changed {
            let (expected, count) = (usize::from(values_of(changed)), self.state.count());
            if count > expected {
                return Err(fail(out, ErrorKind::TooManyItems));
            }
            let missing = u32::try_from(expected.saturating_sub(count)).unwrap_or(u32::MAX);
            if missing != 0 {
                return Err(fail(out, ErrorKind::MissingItems(missing)));
            }
            out.put_bytes(&changed.to_le_bytes())?;
        }
        put_sized(out, self.state)
    }
}
