//! The readers that allocate. The collections of the standard library panic if their own checks
//! fail. Therefore, linking cannot show that no panic is reachable. `./check` searches for calls to
//! a panic instead.

use core::hint::black_box;
use gamewire::capture::{self, Transport};
use gamewire::compression::{Compression, Compressor, Decompressor};
use gamewire::godot::debugger::godot3::Messages;
use gamewire::godot::diff::diff;
use gamewire::godot::frame::{Framer, Framing};
use gamewire::godot::json::{Document, Printer};
use gamewire::godot::notation::Reading;
use gamewire::godot::schema::Schema;
use gamewire::godot::{Dialect, Encoded, Limits, Reader, Variant, Writer};
use gamewire::rems::{BinaryReader, Dialect as Dialogue, Era, Tables, TextReader, TextWriter};
use gamewire::rems::{decompress, rewrite};
use gamewire::traffic::{Conversations, Options, Record};
use gamewire::transport::enet::{self, CompressionMode, DatagramCodec, RangeCoder, Session};
use gamewire::transport::tcp::{self, Segment, Stream};
use gamewire::transport::websocket::{self, Decoder};
use gamewire::unreal::compression::{Compressed, Method, standard_codec};
use gamewire::unreal::{Package, PackageEditor, Save};
use std::io::Cursor;

/// A limit, in bytes, that is higher than any reasonable input needs.
const LIMIT: usize = 1 << 20;

fn text(data: &[u8]) -> &str {
    core::str::from_utf8(data).unwrap_or_default()
}

fn values(data: &[u8], mut each: impl FnMut(Encoded<'_>)) {
    for &dialect in Dialect::ALL {
        let limits = Limits { objects: true, ..Limits::default() };
        let mut reader = Reader::new(data, dialect).limits(limits);
        while let Ok(value) = reader.read_encoded() {
            each(value);
        }
    }
}

pub fn json_read(data: &[u8]) {
    let Ok(document) = Document::parse(text(data)) else { return };
    for &dialect in Dialect::ALL {
        let mut out = Vec::new();
        _ = black_box(document.write(&mut Writer::new(&mut out, dialect)));
        black_box(out);
    }
}

pub fn json_print(data: &[u8]) {
    for &dialect in Dialect::ALL {
        let mut out = String::new();
        let mut printer = Printer::new(&mut out).exact(data.len() & 1 == 0);
        _ = black_box(Reader::new(data, dialect).visit(&mut printer));
        black_box(out);
    }
}

pub fn notation_read(data: &[u8]) {
    for reading in [Reading::default(), Reading::default().as_the_engine()] {
        _ = black_box(reading.read(text(data)));
        _ = black_box(reading.read_first(text(data)));
    }
}

pub fn notation_print(data: &[u8]) {
    use core::fmt::Write;
    values(data, |value| {
        let mut out = String::new();
        _ = black_box(write!(out, "{}{:?}", value.decode(), value.decode()));
        black_box(out);
    });
}

pub fn owned(data: &[u8]) {
    values(data, |value| {
        let Ok(owned) = Variant::try_from(value) else { return };
        let mut out = Vec::new();
        _ = black_box(Writer::new(&mut out, Dialect::Godot4).put(&owned));
        black_box((owned, out));
    });
}

pub fn differences(data: &[u8]) {
    let mut last = None;
    for &dialect in Dialect::ALL {
        let mut reader = Reader::new(data, dialect);
        while let Ok(value) = reader.read_encoded() {
            if let Some(last) = last.replace(value) {
                _ = black_box(diff(last, value, |change| {
                    black_box(change);
                    Ok::<(), ()>(())
                }));
            }
        }
    }
}

pub fn schema(data: &[u8]) {
    let mut schema = Schema::new();
    values(data, |value| _ = black_box(schema.add(value)));
    black_box(schema.shape());
}

pub fn framer(mut data: &[u8]) {
    let mut framer = Framer::new(Framing::default());
    let mut messages = Messages::new();
    while let Ok(Some(frame)) = framer.next(&mut data) {
        _ = black_box(messages.feed(frame.bytes));
    }
    _ = black_box(framer.finish());
}

pub fn enet(data: &[u8]) {
    let mut session = Session::new(enet::Limits::default()).checksums(data.len() & 1 == 0);
    let mut codec = DatagramCodec::new();
    for datagram in data.chunks(512) {
        session.feed(datagram, &mut codec, |event| _ = black_box(event));
    }
    session.flush(|event| _ = black_box(event));
}

pub fn compression(data: &[u8]) {
    let mut out = [0; 4096];
    let mut decompressor = Decompressor::new();
    for mode in Compression::ALL {
        _ = black_box(decompressor.decompress(mode, data, &mut out));
    }
    let (mut codec, mut compressor) = (DatagramCodec::new(), Compressor::new());
    for mode in CompressionMode::ALL {
        _ = black_box(codec.decompress(mode, data, 4));
        _ = black_box(codec.compress(mode, data));
    }
    for mode in Compression::ALL {
        let mut block = Vec::new();
        _ = black_box(compressor.compress(mode, data, &mut block));
        black_box(block);
    }
}

pub fn range_coder(data: &[u8]) {
    let mut coder = RangeCoder::new();
    let mut out = [0; 4096];
    _ = black_box(coder.decode(data, &mut out));
    _ = black_box(coder.encode(data, &mut out));
}

pub fn tcp(data: &[u8]) {
    let mut stream = Stream::new().limits(tcp::Limits::default());
    for payload in data.chunks(64) {
        let Some((number, payload)) = payload.split_first_chunk() else { continue };
        let sequence = u32::from_le_bytes(*number);
        stream.feed(Segment { sequence, payload, ..Segment::default() }, |event| {
            black_box(event);
        });
    }
}

pub fn websocket(data: &[u8]) {
    for decoder in [Decoder::new(), Decoder::frames()] {
        let mut decoder = decoder.limits(websocket::Limits::default());
        for piece in data.chunks(64) {
            _ = black_box(decoder.feed(piece, |event| _ = black_box(event)));
        }
    }
}

pub fn conversation(data: &[u8]) {
    let mut capture = capture::Reader::new(Cursor::new(data));
    let mut conversations = Conversations::new(Options::default());
    let mut each = |record: &Record<'_>| _ = black_box(record);
    while let Ok(Some(packet)) = capture.next_packet() {
        let time = packet.time;
        let Ok(segment) = packet.segment() else { continue };
        if let Transport::Udp { payload } = segment.transport {
            black_box(payload);
        }
        conversations.segment(time, &segment, &mut each);
    }
    conversations.finish(&mut each);
}

pub fn unreal_edit(data: &[u8]) {
    let Ok(package) = Package::open(data) else { return };
    let Ok(editor) = PackageEditor::new(&package) else { return };
    _ = black_box(editor.write());
}

pub fn unreal_compressed(data: &[u8]) {
    let Ok(compressed) = Compressed::open(data, Method::Zlib) else { return };
    _ = black_box(compressed.decompress(LIMIT, standard_codec));
}

pub fn unreal_save(data: &[u8]) {
    _ = black_box(Save::open(data));
}

pub fn rems_binary(data: &[u8]) {
    for era in [Era::December2020, Era::October2021, Era::October2024] {
        let mut tables = Tables::new();
        let mut reader = BinaryReader::new(data, era, &mut tables);
        while let Ok(Some(item)) = reader.next() {
            black_box(item);
        }
    }
}

pub fn rems_container(data: &[u8]) {
    _ = black_box(decompress(data, LIMIT));
}

pub fn rems_rewrite(data: &[u8]) {
    let mut writer = TextWriter::new(Vec::new(), Dialogue::Engine2026);
    let mut warn = |warning| _ = black_box(warning);
    _ = black_box(rewrite(&mut TextReader::new(data), &mut writer, &mut warn));
    _ = black_box(writer.finish());
}
