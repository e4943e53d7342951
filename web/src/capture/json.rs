//! Packets as JSON and CSV.

use super::cursor::Frame;
use super::line::Line;
use super::text::Seconds;
use crate::json_text;
use gamewire::godot::json::Text;
use gamewire::traffic::json::Members;
use gamewire::traffic::{Content, Record, RecordKind};
use std::fmt::Write;

/// Appends a packet as the JSON object that `gamewire packets --json` prints.
pub fn object(out: &mut String, record: &Record<'_>, line: &Line) {
    out.push('{');
    if let Some(time) = record.time {
        let _ = write!(out, "\"time\":{},", Seconds(time));
    }
    let Record { source, destination, transport, .. } = record;
    let _ = write!(
        out,
        "\"src\":\"{source}\",\"dst\":\"{destination}\",\"transport\":\"{}\"",
        transport.name()
    );
    if let Some(engine) = record.engine {
        let _ = write!(out, ",\"engine\":\"{engine}\"");
    }
    if record.guessed {
        out.push_str(",\"guessed\":true");
    }
    if let Some(channel) = record.channel {
        let _ = write!(out, ",\"channel\":{channel}");
    }
    if let Some(delivery) = record.delivery {
        let _ = write!(out, ",\"delivery\":\"{delivery}\"");
    }
    let _ = write!(out, ",\"kind\":\"{}\"", record.kind().name());
    let mut members = Members::new(&mut *out, &line.names);
    members.record(record);
    if members.finish().is_err() {
        out.push_str(",\"value\":null");
    }
    if let Content::Text(text) = record.content
        && let Some(json) = json_text::compact(text)
    {
        let _ = write!(out, ",\"value\":{json}");
    }
    out.push('}');
}

/// Returns a row of the list. The times in rows are counted from `start`.
pub fn row(record: &Record<'_>, start: i64, line: &mut Line) -> String {
    let mut out = String::from("{");
    if let Some(time) = record.time {
        let _ = write!(out, "\"time\":\"{}\",", Seconds(time.saturating_sub(start)));
    }
    let _ = write!(out, "\"from\":\"{}\",", line.address(&record.source));
    let _ = write!(out, "\"to\":\"{}\",", line.address(&record.destination));
    let _ = write!(
        out,
        "\"kind\":\"{}\",\"size\":{},\"text\":{}}}",
        record.kind().name(),
        record.bytes.len(),
        Text(line.description(record)),
    );
    out
}

/// Returns everything about a packet.
pub fn details(record: &Record<'_>, frame: Option<&Frame<'_>>, start: i64, line: &Line) -> String {
    let mut out = String::from("{");
    if let Some(time) = record.time {
        let _ = write!(out, "\"time\":\"{time}\",");
        let _ = write!(out, "\"passed\":\"{}\",", Seconds(time.saturating_sub(start)));
    }
    if let Some(frame) = frame {
        let Frame { number, offset, data } = frame;
        let _ = write!(out, "\"frame\":{number},\"frameAt\":{offset},\"frameLen\":{},", data.len());
        if let Some(at) = place(data, record.bytes) {
            let _ = write!(out, "\"at\":{},", offset + at as u64);
        }
    }
    let _ = write!(out, "\"len\":{},\"record\":", record.bytes.len());
    object(&mut out, record, line);
    out.push('}');
    out
}

/// Returns the offset of `part` in `whole`. Returns `None` if `part` is elsewhere, because it was
/// reassembled or decompressed.
fn place(whole: &[u8], part: &[u8]) -> Option<usize> {
    let at = part.as_ptr().addr().checked_sub(whole.as_ptr().addr())?;
    (!part.is_empty() && at + part.len() <= whole.len()).then_some(at)
}

/// The first line of a CSV file.
pub const CSV_HEAD: &str = "time,source,destination,transport,channel,delivery,engine,peer,kind,path,\
    method,size,frame,text\n";

/// Appends a packet as a line of CSV.
pub fn csv(out: &mut String, record: &Record<'_>, frame: Option<&Frame<'_>>, line: &mut Line) {
    let mut field = |value: Option<&dyn std::fmt::Display>, end: char| {
        if let Some(value) = value {
            let start = out.len();
            let _ = write!(out, "{value}");
            let is_special = |byte: u8| matches!(byte, b'"' | b',' | b'\n' | b'\r');
            if out[start..].bytes().any(is_special) {
                let text = out[start..].replace('"', "\"\"");
                out.truncate(start);
                let _ = write!(out, "\"{text}\"");
            }
        }
        out.push(end);
    };
    let path = record.node.and_then(|node| node.path);
    let path = path.map(|path| path.to_string_lossy());
    let member = record.member(&line.names);
    let time = record.time.map(Seconds);
    field(time.as_ref().map(|it| it as _), ',');
    field(Some(&record.source), ',');
    field(Some(&record.destination), ',');
    field(Some(&record.transport.name()), ',');
    field(record.channel.as_ref().map(|it| it as _), ',');
    field(record.delivery.as_ref().map(|it| it as _), ',');
    field(record.engine.as_ref().map(|it| it as _), ',');
    field(record.reported_peer().as_ref().map(|it| it as _), ',');
    field(Some(&record.kind().name()), ',');
    field(path.as_ref().map(|it| it as _), ',');
    field(member.as_ref().map(|it| it as _), ',');
    field(Some(&record.bytes.len()), ',');
    field(frame.map(|frame| &frame.number as _), ',');
    field(Some(&line.description(record)), '\n');
}

/// Returns the names of all kinds as a JSON array.
pub fn kinds() -> String {
    let names: Vec<_> = RecordKind::ALL.iter().map(|kind| format!("\"{}\"", kind.name())).collect();
    format!("[{}]", names.join(","))
}
