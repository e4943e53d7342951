//! A record as a line for people.

use super::kind;
use super::object::Seconds;
use crate::json::print_by;
use crate::methods::Methods;
use crate::style::{DIM, ERROR, Styled, TYPE};
use crate::text::Plain;
use gamewire::godot::Dialect;
use gamewire::godot::multiplayer::Run;
use gamewire::net::conversation::{Content, Record};
use std::io::{self, Write};

/// How many characters of arguments are shown.
const SHORT: usize = 100;

/// Prints the record on one line.
pub fn print(record: &Record<'_>, methods: &Methods, out: &mut impl Write) -> io::Result<()> {
    let Record { source, destination, .. } = record;
    let addresses = format!("{source} → {destination}");
    write!(out, "{}  {addresses:<33}  ", Styled(DIM, Seconds(record.time.unwrap_or_default())))?;
    let channel = record.channel.map(|channel| format!("/{channel}")).unwrap_or_default();
    let carrier = format!("{}{channel}", record.transport);
    let delivery = record.delivery.map_or("", kind::delivery);
    write!(out, "{carrier:<9}  {delivery:<11}  ")?;
    let name = kind::name(record);
    let style = if name == "malformed" { ERROR } else { TYPE };
    write!(out, "{}  ", Styled(style, format_args!("{name:<13}")))?;
    if let Some(peer) = record.relay {
        write!(out, "relayed {peer}  ")?;
    }
    about(record, methods, out)?;
    writeln!(out)
}

fn about(record: &Record<'_>, methods: &Methods, out: &mut impl Write) -> io::Result<()> {
    if let Some(node) = record.node {
        match (node.path, node.id) {
            (Some(path), _) => write!(out, "{}", Plain(path.as_bytes()))?,
            (None, Some(id)) => write!(out, "node {id}")?,
            (None, None) => {}
        }
    }
    if let Some(method) = kind::method(record, methods) {
        write!(out, ".{}", Plain(method.as_bytes()))?;
    }
    if let Some(arguments) = kind::arguments(record) {
        return write!(out, "({})", short(&values(arguments)?));
    }
    if let Some(bytes) = kind::bytes(record) {
        let hex: String = bytes.iter().take(SHORT / 2).map(|byte| format!("{byte:02x}")).collect();
        return write!(out, "{} bytes  {}", bytes.len(), Styled(DIM, hex));
    }
    match record.content {
        Content::Value(bytes) | Content::Debugger(bytes) => {
            let dialect = record.engine.map_or(Dialect::Godot4, |engine| engine.dialect());
            let mut text = Vec::new();
            crate::json::print(bytes, dialect, false, &mut text)?;
            write!(out, "{}", short(&String::from_utf8_lossy(&text)))
        }
        Content::AddPeer(peer) | Content::DelPeer(peer) => write!(out, "peer {peer}"),
        Content::Malformed { reason, offset } => write!(out, "{reason}, at offset {offset}"),
        _ => Ok(()),
    }
}

fn values(values: Run<'_>) -> io::Result<String> {
    let mut text = Vec::new();
    let mut reader = values.iter();
    while print_by(&mut text, false, |printer| reader.visit(printer))? {
        if text.len() > SHORT * 4 {
            break;
        }
        text.extend_from_slice(b", ");
    }
    Ok(String::from_utf8_lossy(text.strip_suffix(b", ").unwrap_or(&text)).into_owned())
}

fn short(text: &str) -> String {
    let mut short: String = text.chars().take(SHORT).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
