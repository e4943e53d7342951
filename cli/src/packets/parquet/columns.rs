//! The columns of the table `packets`, and their values for a record.

use super::addresses::Addresses;
use crate::args::TimeUnit;
use crate::packets::json_text;
use crate::parquet::{Column, Field, Names, NumberLists, Numbers, Rows, Text, TextLists};
use crate::ui::collected::{Buffer, Collected};
use crate::ui::printable::escape_json;
use gamewire::godot::multiplayer::Run;
use gamewire::traffic::Record;
use gamewire::traffic::json::Members;
use gamewire::traffic::methods::MethodNames;
use parquet::basic::TimeUnit as Unit;
use parquet::data_type::{BoolType, DoubleType, Int32Type, Int64Type};
use std::io::{self, Write};

/// The capture and the captured packet of the next rows, and buffers that all rows use.
#[derive(Debug, Default)]
pub struct Context {
    /// Name of the capture.
    pub file: String,
    /// The captured packet from which the record is read: its number, and its length on the wire.
    pub frame: Option<(u64, u32)>,
    addresses: Addresses,
    buffer: Buffer,
}

/// The rows that are not written yet.
pub struct Columns {
    /// `true` if the path of the file contains the kind of all its records. Some readers refuse a
    /// column that is both in the path and in the file.
    is_kind_in_path: bool,
    time_unit: TimeUnit,
    time: Numbers<Int64Type>,
    file: Text,
    src: Text,
    src_port: Numbers<Int32Type>,
    dst: Text,
    dst_port: Numbers<Int32Type>,
    transport: Names,
    engine: Names,
    guessed: Numbers<BoolType>,
    channel: Numbers<Int32Type>,
    delivery: Names,
    kind: Names,
    peer: Numbers<Int32Type>,
    relay: Numbers<Int32Type>,
    path: Text,
    node_id: Numbers<Int32Type>,
    method: Text,
    net_id: Numbers<Int32Type>,
    size: Numbers<Int64Type>,
    frame: Numbers<Int64Type>,
    frame_size: Numbers<Int64Type>,
    args: Text,
    args_int: NumberLists<Int64Type>,
    args_float: NumberLists<DoubleType>,
    args_text: TextLists,
    value: Text,
    text: Text,
    bytes: Text,
    error: Text,
    offset: Numbers<Int64Type>,
    details: Text,
}

impl Columns {
    /// Creates an empty table. Leaves out the column for the kind if `is_kind_in_path`.
    pub fn new(is_kind_in_path: bool, time_unit: TimeUnit) -> Self {
        let unit = match time_unit {
            TimeUnit::Ns => Unit::NANOS,
            TimeUnit::Us => Unit::MICROS,
        };
        let name = |name| Field::new(name).text().dictionary();
        Self {
            is_kind_in_path,
            time_unit,
            time: Numbers::new(Field::new("time").timestamp(unit).nullable().delta()),
            file: Text::new(name("file")),
            src: Text::new(name("src")),
            src_port: Numbers::new(Field::new("src_port").unsigned(16).dictionary()),
            dst: Text::new(name("dst")),
            dst_port: Numbers::new(Field::new("dst_port").unsigned(16).dictionary()),
            transport: Names::new(name("transport").without_statistics()),
            engine: Names::new(name("engine").without_statistics().nullable()),
            guessed: Numbers::new(Field::new("guessed")),
            channel: Numbers::new(Field::new("channel").unsigned(8).nullable().dictionary()),
            delivery: Names::new(name("delivery").without_statistics().nullable()),
            kind: Names::new(name("kind")),
            peer: Numbers::new(Field::new("peer").nullable().dictionary()),
            relay: Numbers::new(Field::new("relay").nullable().dictionary()),
            path: Text::new(name("path").nullable().bloom_filter()),
            node_id: Numbers::new(Field::new("node_id").unsigned(32).nullable().dictionary()),
            method: Text::new(name("method").nullable().bloom_filter()),
            net_id: Numbers::new(Field::new("net_id").unsigned(32).nullable().dictionary()),
            size: Numbers::new(Field::new("size").delta()),
            frame: Numbers::new(Field::new("frame").nullable().delta()),
            frame_size: Numbers::new(Field::new("frame_size").nullable().delta()),
            args: Text::new(Field::new("args").json().nullable()),
            args_int: NumberLists::new(Field::new("args_int").list()),
            args_float: NumberLists::new(Field::new("args_float").list()),
            args_text: TextLists::new(Field::new("args_text").text().list()),
            value: Text::new(Field::new("value").json().nullable()),
            text: Text::new(Field::new("text").text().nullable()),
            bytes: Text::new(Field::new("bytes").nullable()),
            error: Text::new(name("error").nullable()),
            offset: Numbers::new(Field::new("offset").nullable()),
            details: Text::new(Field::new("details").json().nullable()),
        }
    }
}

impl Rows for Columns {
    const NAME: &'static str = "packets";
    const VERSION: u32 = 1;

    fn columns(&mut self) -> Vec<&mut dyn Column> {
        let is_kind_in_path = self.is_kind_in_path;
        let mut columns: Vec<&mut dyn Column> = vec![
            &mut self.time,
            &mut self.file,
            &mut self.src,
            &mut self.src_port,
            &mut self.dst,
            &mut self.dst_port,
            &mut self.transport,
            &mut self.engine,
            &mut self.guessed,
            &mut self.channel,
            &mut self.delivery,
            &mut self.kind,
            &mut self.peer,
            &mut self.relay,
            &mut self.path,
            &mut self.node_id,
            &mut self.method,
            &mut self.net_id,
            &mut self.size,
            &mut self.frame,
            &mut self.frame_size,
            &mut self.args,
            &mut self.args_int,
            &mut self.args_float,
            &mut self.args_text,
            &mut self.value,
            &mut self.text,
            &mut self.bytes,
            &mut self.error,
            &mut self.offset,
            &mut self.details,
        ];
        columns.retain(|column| !is_kind_in_path || column.field().name() != "kind");
        columns
    }
}

impl Columns {
    /// Adds a record as the row with this number. Returns the size in bytes of the columns whose
    /// values can be long.
    pub fn add(
        &mut self,
        row: usize,
        record: &Record<'_>,
        names: &MethodNames,
        context: &mut Context,
    ) -> io::Result<usize> {
        self.header(row, record, context);
        self.peers_and_node(row, record);
        let json = &mut Json { buffer: &mut context.buffer, names };
        self.content(row, record, json)?;
        json.print(&mut self.details, row, |members| members.details(record))?;
        Ok(self.size())
    }

    /// Returns the size in bytes of the columns whose values can be long.
    fn size(&self) -> usize {
        let texts = [&self.file, &self.path, &self.method, &self.args, &self.value];
        let others = [&self.text, &self.bytes, &self.error, &self.details];
        let texts: usize = texts.into_iter().chain(others).map(Column::size).sum();
        let lists = [self.args_int.size(), self.args_float.size(), self.args_text.size()];
        lists.into_iter().fold(texts, usize::saturating_add)
    }

    /// Sets the columns from `time` to `kind`, and those for the size and the captured packet.
    fn header(&mut self, row: usize, record: &Record<'_>, context: &mut Context) {
        let Context { file, frame, addresses, .. } = context;
        let time = record.time.map(|time| match self.time_unit {
            TimeUnit::Ns => time,
            TimeUnit::Us => time.div_euclid(1000),
        });
        self.time.push_some(row, time);
        self.file.push(row, file.as_bytes());
        self.src.push(row, addresses.text(record.source.ip()).as_bytes());
        self.src_port.push(row, record.source.port().into());
        self.dst.push(row, addresses.text(record.destination.ip()).as_bytes());
        self.dst_port.push(row, record.destination.port().into());
        self.transport.push(row, record.transport.name());
        self.engine.push_some(row, record.engine.map(|engine| engine.dialect().name()));
        self.guessed.push(row, record.guessed);
        self.channel.push_some(row, record.channel.map(i32::from));
        let delivery = record.packet_delivery();
        self.delivery.push_some(row, delivery.map(|delivery| delivery.name()));
        if !self.is_kind_in_path {
            self.kind.push(row, record.kind().name());
        }
        self.size.push(row, i64::try_from(record.bytes.len()).unwrap_or(i64::MAX));
        if let Some((number, original_len)) = *frame {
            self.frame.push(row, number.cast_signed());
            self.frame_size.push(row, original_len.into());
        }
    }

    fn peers_and_node(&mut self, row: usize, record: &Record<'_>) {
        self.peer.push_some(row, record.reported_peer());
        self.relay.push_some(row, record.relay);
        let Some(node) = record.node else { return };
        if let Some(path) = node.path {
            self.path.push(row, path.to_string_lossy().as_bytes());
        }
        self.node_id.push_some(row, node.id.map(u32::cast_signed));
    }

    fn content(&mut self, row: usize, record: &Record<'_>, json: &mut Json<'_>) -> io::Result<()> {
        if let Some(method) = record.member(json.names) {
            self.method.push(row, method.as_bytes());
        }
        if let Some(values) = record.arguments_or_state() {
            self.arguments(row, values, json)?;
        }
        self.net_id.push_some(row, record.net_id().map(u32::cast_signed));
        self.offset.push_some(row, record.offset().map(u64::cast_signed));
        self.bytes.push_some(row, record.undecoded());
        if let Some(reason) = record.error() {
            self.error.print(row, |out| write!(out, "{reason}"))?;
        }
        self.value(row, record, json)
    }

    fn value(&mut self, row: usize, record: &Record<'_>, json: &mut Json<'_>) -> io::Result<()> {
        if let Some(bytes) = record.value() {
            let dialect = record.dialect();
            return json.print(&mut self.value, row, |members| members.value(bytes, dialect));
        }
        if let Some(value) = record.new_value() {
            return json.print(&mut self.value, row, |members| members.first(value));
        }
        let Some(text) = record.text() else { return Ok(()) };
        self.text.push(row, text.as_bytes());
        let Some(value) = json_text::Json::new(text) else { return Ok(()) };
        self.value.print(row, |out| {
            let start = out.len();
            write!(out, "{value}")?;
            escape_json(out, start)
        })
    }

    /// Sets the arguments of a call, or the state of a spawned node.
    fn arguments(&mut self, row: usize, values: Run<'_>, json: &mut Json<'_>) -> io::Result<()> {
        json.print(&mut self.args, row, |members| members.array(values))?;
        let mut values = values.iter();
        while let Ok(Some(value)) = values.read() {
            self.args_int.push(row, value.as_i64());
            self.args_float.push(row, value.as_f64());
            let text = value.as_str().map(|text| text.to_string_lossy());
            self.args_text.push(row, text.as_ref().map(|text| text.as_bytes()));
        }
        self.args_int.end(row);
        self.args_float.end(row);
        self.args_text.end(row);
        Ok(())
    }
}

/// A printer of JSON into columns.
struct Json<'c> {
    buffer: &'c mut Buffer,
    names: &'c MethodNames,
}

impl Json<'_> {
    /// Sets the value of a row to the JSON that `print` prints.
    fn print(
        &mut self,
        column: &mut Text,
        row: usize,
        print: impl FnOnce(&mut Members<'_, &mut Collected<'_>>),
    ) -> io::Result<()> {
        column.print(row, |json| {
            let start = json.len();
            let mut out = Collected::new(self.buffer, json);
            let mut members = Members::new(&mut out, self.names);
            print(&mut members);
            let printed = members.finish();
            out.check(printed);
            out.finish()?;
            // The members of an object are printed after commas.
            if let Some(comma) = json.get_mut(start).filter(|first| **first == b',') {
                *comma = b'{';
                json.push(b'}');
            }
            escape_json(json, start)
        })
    }
}
