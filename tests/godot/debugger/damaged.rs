//! Checks the laws on damaged debugger messages. Some are valid messages with a few edits; others
//! contain packets of the corpus as values.

use super::message;
use crate::laws;
use crate::support::random::Random;
use crate::support::{corpus, damage};
use gamewire::godot::debugger::Message;
use gamewire::godot::frame::Frames;
use gamewire::godot::{Dialect, Error, Items, Reader};

type Data<'a, 'b> = &'a mut Items<'b, Vec<u8>>;

/// Returns frames with messages of every known kind.
fn bodies() -> [Vec<u8>; 6] {
    let frame = |data: Data<'_, '_>, file, line| -> Result<(), Error> {
        data.entry(file, line)?;
        data.put("f")
    };
    [
        message("debug_enter", 4, |data| {
            data.entry(true, "Breakpoint")?;
            data.entry(true, 7)
        }),
        message("debug_enter", 4, |data| {
            data.entry(false, "")?;
            data.entry(false, "Main")
        }),
        message("stack_dump", 7, |data| {
            data.put(6)?;
            frame(data, "res://a.gd", 1)?;
            frame(data, "res://b.gd", 2)
        }),
        message("stack_frame_var", 4, |data| {
            data.entry("speed", 1)?;
            data.entry(3, 2.5)
        }),
        message("error", 14, |data| {
            (0..4).try_for_each(|part| data.put(part))?;
            data.entry("core/a.cpp", "f")?;
            data.entry(99, "Condition failed")?;
            data.entry("", true)?;
            data.put(3)?;
            data.entry("res://a.gd", "f")?;
            data.put(5)
        }),
        message("output", 2, |data| {
            // These are two lines of output, and the types of the lines.
            let lines = b"\x22\0\0\0\x02\0\0\0\x02\0\0\0a\0\0\0\x01\0\0\0\0\0\0\0";
            let types = b"\x1e\0\0\0\x02\0\0\0\0\0\0\0\x01\0\0\0";
            [&lines[..], types]
                .iter()
                .try_for_each(|bytes| data.put(Reader::new(bytes, Dialect::Godot4).read()?))
        }),
    ]
}

/// Returns a stream of Godot 3: messages from a game, and a command from the editor between them.
fn godot3() -> Vec<u8> {
    corpus::unhex(
        &[
            "0c000000", "04000000", "03000000", "61626300", // "abc"
            "08000000", "02000000", "02000000", // 2 values
            "04000000", "00000000", // null
            "08000000", "01000000", "01000000", // true
            "14000000", "13000000", "01000000", "04000000", "01000000", "64000000", // ["d"]
            "0c000000", "04000000", "01000000", "64000000", // "d"
            "08000000", "02000000", "00000000", // none
        ]
        .concat(),
    )
}

fn frames() -> Vec<Vec<u8>> {
    let mut frames: Vec<_> = bodies().into();
    for stream in [corpus::read("frames/debugger4.bin"), godot3()] {
        frames.extend(Frames::new(&stream).map(|frame| frame.unwrap().bytes.to_vec()));
    }
    frames
}

#[test]
#[ignore = "slow"]
fn messages_with_random_edits_satisfy_the_laws() {
    let frames = frames();
    let mut random = Random::new(11);
    let (mut messages, mut bodies) = (0, 0);
    for _ in 0..20_000 {
        let [frame, other] = [0; 2].map(|_| &frames[random.below(frames.len())]);
        let frame = damage::damaged(frame, other, &mut random);
        laws::godot_debugger(&frame);
        let message = Message::parse(&frame);
        messages += usize::from(message.is_ok());
        bodies += usize::from(message.is_ok_and(|message| message.body().is_ok()));
    }
    // Both outcomes occur: some messages are rejected and some are accepted.
    assert!((1_000..19_000).contains(&messages), "{messages}");
    assert!((500..messages).contains(&bodies), "{bodies}");
}

/// Checks the laws on streams of messages in random order, some of them damaged.
#[test]
#[ignore = "slow"]
fn damaged_streams_satisfy_the_laws() {
    let frames = frames();
    let mut random = Random::new(12);
    for _ in 0..2_000 {
        let mut stream = Vec::new();
        for _ in 0..1 + random.below(8) {
            let [frame, other] = [0; 2].map(|_| &frames[random.below(frames.len())]);
            let frame = match random.below(3) {
                0 => damage::damaged(frame, other, &mut random),
                _ => frame.clone(),
            };
            stream.extend((frame.len() as u32).to_le_bytes());
            stream.extend(frame);
        }
        if random.below(4) == 0 {
            stream = damage::damaged(&stream, &godot3(), &mut random);
        }
        laws::godot_debugger(&stream);
        laws::godot_framer(&[&[random.next() as u8, random.next() as u8], &stream[..]].concat());
    }
    for _ in 0..2_000 {
        let stream = damage::damaged(&godot3(), &godot3(), &mut random);
        laws::godot_debugger(&stream);
        laws::godot_frames(&stream);
    }
}

/// The test runs in a thread with a large stack, because values nested 1,024 deep are dropped
/// recursively.
#[test]
#[ignore = "slow"]
fn messages_with_any_corpus_value_satisfy_the_laws() {
    let run = || {
        for (folder, _) in corpus::WRITTEN.iter().chain([&corpus::HOSTILE]) {
            corpus::packets(folder).iter().for_each(|(_, value)| in_messages(value));
        }
    };
    let thread = std::thread::Builder::new().stack_size(64 << 20);
    thread.spawn(run).unwrap().join().unwrap();
}

fn in_messages(value: &[u8]) {
    let array = |len: u8| [28, 0, 0, 0, len, 0, 0, 0];
    let text = [4, 0, 0, 0, 1, 0, 0, 0, b'a', 0, 0, 0];
    let one = [2, 0, 0, 0, 1, 0, 0, 0];
    let godot3 = [&[19, 0, 0, 0, 2, 0, 0, 0][..], &text, value].concat();
    let values = [12, 0, 0, 0].iter().chain(&text).chain(&[8, 0, 0, 0]).chain(&one);
    let values = values.copied().chain((value.len() as u32).to_le_bytes());
    let game: Vec<_> = values.chain(value.iter().copied()).collect();
    laws::godot_debugger(value);
    laws::godot_debugger(&[&array(3)[..], &text, &one, &array(1), value].concat());
    laws::godot_debugger(&[&array(2)[..], &text, value].concat());
    laws::godot_debugger(&godot3);
    laws::godot_debugger(&game);
}
