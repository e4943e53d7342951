//! Laws of the state that one capture passes to the next: any bytes are refused or give a state
//! that is safe to use, and a series of captures gives the same records as one capture.

use super::conversation::{self, Damage, Step, max_memory};
use super::ip_fragments;
use gamewire::capture::{LinkType, Packet, Reassembler, ReassemblyLimits, Segment};
use gamewire::traffic::{Conversations, Options, Record};

/// Checks the laws on arbitrary bytes. The first byte selects the options, and the next two are the
/// length of the state that follows. The other bytes are [steps](Step).
pub fn traffic_state(data: &[u8]) {
    let [first, low, high, data @ ..] = data else { return };
    let len = usize::from(u16::from_le_bytes([*low, *high])).min(data.len());
    let (state, data) = data.split_at(len);
    let options = conversation::options(*first);
    let segments = conversation::segments(&Step::all(data), Damage::Kept, options);
    untrusted_conversations(state, &segments, options);
    untrusted_fragments(state, data, u32::from(first % 5));
    series(&segments, options);
}

/// Returns an input of [`traffic_state`]: the state after some steps, and the steps that follow.
pub fn traffic_state_input(first: u8, before: &[Step<'_>], after: &[Step<'_>]) -> Vec<u8> {
    let options = conversation::options(first);
    let mut conversations = Conversations::new(options);
    for segment in conversation::segments(before, Damage::Kept, options) {
        conversations.segment(Some(0), &segment, &mut |_| ());
    }
    let state = save(&conversations);
    let mut input = vec![first];
    input.extend((state.len() as u16).to_le_bytes());
    input.extend(state);
    after.iter().for_each(|step| step.write(&mut input));
    input
}

/// Asserts that a state is refused, or that the conversations stay within their memory limit.
fn untrusted_conversations(state: &[u8], segments: &[Segment<'_>], options: Options) {
    let Ok(mut conversations) = restore(state, options) else { return };
    let saved = save(&conversations);
    assert_eq!(save(&restore(&saved, options).unwrap()), saved, "the same again");
    let max_memory = max_memory(options.limits);
    let mut listener = |record: &Record<'_>| drop(render(record));
    for segment in segments {
        conversations.segment(None, segment, &mut listener);
        assert!(conversations.memory() <= max_memory, "{}", conversations.memory());
        restore(&save(&conversations), options).expect("the state of valid conversations");
    }
    conversations.finish(&mut listener);
}

/// Asserts that a state is refused, or that the reassembler stays within its memory limit.
fn untrusted_fragments(state: &[u8], data: &[u8], packets: u32) {
    let limits = ReassemblyLimits { packets, memory: 100_000 };
    let restore =
        |state: &[u8]| Reassembler::restore(limits, &mut postcard::Deserializer::from_bytes(state));
    let Ok(mut reassembler) = restore(state) else { return };
    for (fragment, time) in ip_fragments::steps(data) {
        let (data, link_type) = (fragment.packet(), LinkType::RAW);
        let packet = Packet { time, link_type, data: &data, original_len: 0, offset: 0 };
        let _ = reassembler.segment(&packet);
        assert!(reassembler.memory() <= 100_000 + packets.max(4) as usize * 400 + 67_000);
        let saved = postcard::to_allocvec(&reassembler).unwrap();
        let again = restore(&saved).expect("the state of a valid reassembler");
        assert_eq!(postcard::to_allocvec(&again).unwrap(), saved, "the same again");
    }
}

/// Asserts that segments give the same records, whether or not the state is stored and restored
/// before each segment.
fn series(segments: &[Segment<'_>], options: Options) {
    let mut whole = Conversations::new(options);
    let mut part = Conversations::new(options);
    for (time, segment) in (0..).zip(segments) {
        let time = Some(time);
        let expected = records(|listener| whole.segment(time, segment, listener));
        part = restore(&save(&part), options).unwrap();
        let found = records(|listener| part.segment(time, segment, listener));
        assert_eq!(found, expected);
    }
    part = restore(&save(&part), options).unwrap();
    let expected = records(|listener| whole.finish(listener));
    assert_eq!(records(|listener| part.finish(listener)), expected);
}

/// Returns the records that `process` passes to its listener, as text.
pub fn records(process: impl FnOnce(&mut Listener<'_>)) -> Vec<String> {
    let mut records = Vec::new();
    let mut listener = |record: &Record<'_>| records.push(render(record));
    process(&mut (&mut listener as Listener<'_>));
    records
}

/// A listener for records.
pub type Listener<'l> = &'l mut dyn FnMut(&Record<'_>);

/// Returns the fields of a record as text, and the paths of the first nodes.
fn render(record: &Record<'_>) -> String {
    let Record { time, source, destination, transport, engine, guessed, .. } = record;
    let Record { channel, delivery, peer, relay, node, content, bytes, .. } = record;
    let path = |id| record.path(id).map(|path| path.to_string());
    let paths: Vec<_> = (0..4).map(path).collect();
    format!(
        "{time:?} {source} {destination} {transport} {engine:?} {guessed} {channel:?} {delivery:?} \
         {peer:?} {relay:?} {node:?} {content:?} {bytes:?} {paths:?}"
    )
}

/// Returns the stored state.
pub fn save(conversations: &Conversations) -> Vec<u8> {
    postcard::to_allocvec(conversations).unwrap()
}

pub fn restore(state: &[u8], options: Options) -> Result<Conversations, postcard::Error> {
    let mut deserializer = postcard::Deserializer::from_bytes(state);
    Conversations::restore(options, &mut deserializer)
}
