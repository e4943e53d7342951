//! Laws of multiplayer packets: all ways of decoding agree, and a decoded packet can be encoded and
//! decoded again.

mod oracle_agreement;

use super::limits;
use crate::support;
use crate::support::godot::values;
use gamewire::godot::multiplayer::godot4::{Packet, PacketReader, PacketWriter, Scene, System};
use gamewire::godot::multiplayer::{Run, godot3, transport};
use gamewire::godot::{
    Deviation, Dialect, Encoded, Error, Kind, Leaf, Level, Open, Property, Target, Visitor,
};

pub fn godot_multiplayer(data: &[u8]) {
    oracle_agreement::agrees(data);
    for target in [Dialect::Godot4.into(), Target::GODOT4_0] {
        godot4(data, target);
    }
    godot3(data);
    transports(data);
}

const ORIGIN: u64 = 1 << 40;

fn inside(error: &Error, start: u64, len: usize) {
    assert!((start..=start + len as u64).contains(&error.offset()), "{error}");
    assert!(!error.to_string().is_empty());
}

fn godot4(data: &[u8], target: Target) {
    let reader = PacketReader::new(data).target(target);
    let far = reader.origin(ORIGIN).read();
    let packet = match reader.read() {
        Err(error) => {
            assert_eq!(far, Err(error.shifted(ORIGIN)));
            return inside(&error, 0, data.len());
        }
        Ok(packet) => packet,
    };
    assert_eq!(far, Ok(packet));
    runs(&packet).iter().for_each(|run| check_values(*run, data));
    if let Packet::System(System::Relay(relay)) = packet {
        match relay.packet() {
            Ok(inner) => runs(&inner).iter().for_each(|run| check_values(*run, data)),
            Err(error) => inside(&error, 6, data.len() - 6),
        }
    }

    let mut written = Vec::new();
    PacketWriter::new(&mut written, Dialect::Godot4).put(&packet).unwrap();
    let again = PacketReader::new(&written).target(target).read().unwrap();
    match (packet, again) {
        // A call without arguments is always written in the raw form.
        (Packet::Call(call), Packet::Call(again)) if call.arguments.announced() == Some(0) => {
            assert_eq!((call.node, call.method), (again.node, again.method));
            assert!(again.arguments.is_raw() && again.arguments.as_bytes().is_empty());
        }
        _ => assert_eq!(again, packet),
    }
    let mut twice = Vec::new();
    PacketWriter::new(&mut twice, Dialect::Godot4).put(&again).unwrap();
    assert_eq!(written, twice);
}

/// Returns all runs of values in a packet.
pub fn runs<'a>(packet: &Packet<'a>) -> Vec<Run<'a>> {
    match packet {
        Packet::Call(call) => vec![call.arguments],
        Packet::Spawn(spawn) => match spawn.scene {
            Scene::Custom(argument) => vec![argument, spawn.state],
            Scene::Index(_) => vec![spawn.state],
        },
        Packet::Sync(sync) => {
            sync.records.filter_map(Result::ok).map(|record| record.state).collect()
        }
        Packet::Delta(delta) => {
            delta.records.filter_map(Result::ok).map(|record| record.state).collect()
        }
        _ => Vec::new(),
    }
}

fn godot3(data: &[u8]) {
    let far = godot3::Packet::parse_at(data, ORIGIN);
    let packet = match godot3::Packet::parse(data) {
        Err(error) => {
            assert_eq!(far, Err(error.shifted(ORIGIN)));
            return inside(&error, 0, data.len());
        }
        Ok(packet) => packet,
    };
    assert_eq!(far, Ok(packet));
    match packet {
        godot3::Packet::Call(call) => check_values(call.arguments, data),
        godot3::Packet::Set(set) => check_values(set.value, data),
        _ => {}
    }
    let mut written = Vec::new();
    godot3::PacketWriter::new(&mut written).put(&packet).unwrap();
    assert_eq!(godot3::Packet::parse(&written), Ok(packet));
}

fn transports(data: &[u8]) {
    if let Ok((prefix, packet)) = transport::EnetPrefix::split(data) {
        let mut written = Vec::new();
        prefix.write(&mut written).unwrap();
        written.extend(packet);
        assert_eq!(written, data);
    }
    if let Ok(config) = transport::EnetConfig::parse(data) {
        let mut written = Vec::new();
        config.write(&mut written).unwrap();
        assert_eq!(written, data[..8]);
    }
    if let Ok(message) = transport::WebSocketMessage::parse(data) {
        let mut written = Vec::new();
        message.write(&mut written).unwrap();
        assert!(data.starts_with(&written));
        assert_eq!(transport::WebSocketMessage::parse(&written), Ok(message));
    }
    assert_eq!(transport::peer_id(data).is_ok(), data.len() == 4);
}

/// Asserts that the values can be read, read as bytes and visited with the same results and the
/// same end.
fn check_values(run: Run<'_>, data: &[u8]) {
    let start = run.offset() as usize;
    assert_eq!(&data[start..][..run.as_bytes().len()], run.as_bytes(), "borrowed from its place");
    for level in [Level::Structure, Level::Engine, Level::Strict] {
        for objects in [false, true] {
            let limits = limits(level, objects);
            let mut readers = [run.iter().limits(limits), run.iter().limits(limits)];
            let mut values = Vec::new();
            let error = loop {
                let [values_of, bytes_of] = &mut readers;
                let (value, bytes) = (values_of.read(), bytes_of.read_encoded());
                assert_eq!(value.is_ok(), bytes.is_ok());
                assert_eq!(values_of.offset(), bytes_of.offset());
                match (value, bytes) {
                    (Ok(Some(value)), Ok(Some(bytes))) => {
                        assert_eq!(value.kind(), bytes.decode().kind());
                        assert_eq!(value.kind(), bytes.kind());
                        let end = bytes_of.offset() as usize;
                        assert_eq!(&data[end - bytes.as_bytes().len()..end], bytes.as_bytes());
                        bytes.deviations(|deviation| {
                            let allowed = deviation == Deviation::NodePathPad;
                            assert!(level != Level::Strict || allowed, "{deviation}");
                        });
                        values.push(bytes);
                    }
                    (Ok(value), _) => {
                        assert!(value.is_none());
                        break None;
                    }
                    (Err(error), other) => {
                        assert_eq!(other, Err(error));
                        inside(&error, run.offset(), run.as_bytes().len());
                        break Some(error);
                    }
                }
            };
            let items: Vec<_> = run.iter().limits(limits).collect();
            assert_eq!(items.iter().filter(|item| item.is_ok()).count(), values.len());
            assert_eq!(items.iter().any(Result::is_err), error.is_some());
            if level == Level::Structure {
                visits(run, limits, &values, error);
            }
        }
    }
}

fn visits(
    run: Run<'_>,
    limits: gamewire::godot::Limits,
    values: &[Encoded<'_>],
    error: Option<Error>,
) {
    let mut visited = run.iter().limits(limits);
    for value in values {
        let mut first = FirstEvent { offset: None, leaf: None };
        assert_eq!(visited.visit(&mut first), Ok(true));
        let start = visited.offset() - value.as_bytes().len() as u64;
        assert_eq!(first.offset, Some(start));
        if let Some(leaf) = first.leaf {
            assert_eq!(leaf, *value);
            assert_eq!(values::view_value(leaf), values::view_value(*value));
        }
    }
    let mut first = FirstEvent { offset: None, leaf: None };
    assert_eq!(visited.visit(&mut first).err(), error);
}

/// Records the offset of the first event. If the event is a leaf, also records the leaf.
struct FirstEvent<'a> {
    offset: Option<u64>,
    leaf: Option<Encoded<'a>>,
}

impl<'a> Visitor<'a> for FirstEvent<'a> {
    type Error = Error;

    fn leaf(&mut self, leaf: Leaf<'a>) -> Result<(), Error> {
        if self.offset.is_none() {
            (self.offset, self.leaf) = (Some(leaf.offset), Some(leaf.encoded));
        }
        Ok(())
    }

    fn open(&mut self, open: Open<'a>) -> Result<(), Error> {
        self.offset = self.offset.or(Some(open.offset));
        Ok(())
    }

    fn property(&mut self, _: Property<'a>) -> Result<(), Error> {
        Ok(())
    }

    fn close(&mut self, _: Kind) -> Result<(), Error> {
        Ok(())
    }
}
