//! The columns of the table of packets, as docs/parquet.md describes them.

use super::capture::Frame;
use super::json_text;
use arrow_array::builder::{
    ArrayBuilder, BinaryBuilder, BooleanBuilder, Float64Builder, Int32Builder, Int64Builder,
    ListBuilder, StringBuilder, TimestampNanosecondBuilder, UInt8Builder, UInt16Builder,
    UInt32Builder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef, TimeUnit};
use gamewire::godot::multiplayer::Run;
use gamewire::traffic::Record;
use gamewire::traffic::json::Members;
use gamewire::traffic::methods::MethodNames;
use std::net::IpAddr;
use std::sync::{Arc, LazyLock};

/// Maximum number of rows of a batch.
const ROWS: usize = 1 << 16;
/// Size of texts, bytes and lists at which a batch ends, in bytes. A single packet can exceed it.
const SIZE: usize = 16 << 20;

/// The schema of all batches.
pub(super) static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let list = |of| DataType::List(element(of));
    let time = DataType::Timestamp(TimeUnit::Nanosecond, Some("UTC".into()));
    let fields = [
        ("time", time, true),
        ("file", DataType::Utf8, false),
        ("src", DataType::Utf8, false),
        ("src_port", DataType::UInt16, false),
        ("dst", DataType::Utf8, false),
        ("dst_port", DataType::UInt16, false),
        ("transport", DataType::Utf8, false),
        ("engine", DataType::Utf8, true),
        ("guessed", DataType::Boolean, false),
        ("channel", DataType::UInt8, true),
        ("delivery", DataType::Utf8, true),
        ("kind", DataType::Utf8, false),
        ("peer", DataType::Int32, true),
        ("relay", DataType::Int32, true),
        ("path", DataType::Utf8, true),
        ("node_id", DataType::UInt32, true),
        ("method", DataType::Utf8, true),
        ("net_id", DataType::UInt32, true),
        ("size", DataType::Int64, false),
        ("frame", DataType::Int64, true),
        ("frame_size", DataType::Int64, true),
        ("args", DataType::Utf8, true),
        ("args_int", list(DataType::Int64), true),
        ("args_float", list(DataType::Float64), true),
        ("args_text", list(DataType::Utf8), true),
        ("value", DataType::Utf8, true),
        ("text", DataType::Utf8, true),
        ("bytes", DataType::Binary, true),
        ("error", DataType::Utf8, true),
        ("offset", DataType::Int64, true),
        ("details", DataType::Utf8, true),
    ];
    let fields = fields.map(|(name, of, nullable)| Field::new(name, of, nullable));
    Arc::new(Schema::new(fields.to_vec()))
});

/// Returns the field of the elements of a list, with the name that Parquet files give it.
fn element(of: DataType) -> Arc<Field> {
    Arc::new(Field::new("element", of, true))
}

/// The rows of the batch that is being filled.
pub(super) struct Columns {
    rows: usize,
    /// JSON before its unprintable characters are escaped.
    json: String,
    time: TimestampNanosecondBuilder,
    files: StringBuilder,
    src: Addresses,
    src_port: UInt16Builder,
    dst: Addresses,
    dst_port: UInt16Builder,
    transport: StringBuilder,
    engine: StringBuilder,
    guessed: BooleanBuilder,
    channel: UInt8Builder,
    delivery: StringBuilder,
    kind: StringBuilder,
    peer: Int32Builder,
    relay: Int32Builder,
    path: StringBuilder,
    node_id: UInt32Builder,
    method: StringBuilder,
    net_id: UInt32Builder,
    size: Int64Builder,
    frame: Int64Builder,
    frame_size: Int64Builder,
    args: StringBuilder,
    args_int: ListBuilder<Int64Builder>,
    args_float: ListBuilder<Float64Builder>,
    args_text: ListBuilder<StringBuilder>,
    value: StringBuilder,
    text: StringBuilder,
    bytes: BinaryBuilder,
    error: StringBuilder,
    offset: Int64Builder,
    details: StringBuilder,
}

impl Columns {
    pub(super) fn new() -> Self {
        Self {
            rows: 0,
            json: String::new(),
            time: TimestampNanosecondBuilder::new().with_timezone("UTC"),
            files: StringBuilder::new(),
            src: Addresses::default(),
            src_port: UInt16Builder::new(),
            dst: Addresses::default(),
            dst_port: UInt16Builder::new(),
            transport: StringBuilder::new(),
            engine: StringBuilder::new(),
            guessed: BooleanBuilder::new(),
            channel: UInt8Builder::new(),
            delivery: StringBuilder::new(),
            kind: StringBuilder::new(),
            peer: Int32Builder::new(),
            relay: Int32Builder::new(),
            path: StringBuilder::new(),
            node_id: UInt32Builder::new(),
            method: StringBuilder::new(),
            net_id: UInt32Builder::new(),
            size: Int64Builder::new(),
            frame: Int64Builder::new(),
            frame_size: Int64Builder::new(),
            args: StringBuilder::new(),
            args_int: ListBuilder::new(Int64Builder::new()).with_field(element(DataType::Int64)),
            args_float: ListBuilder::new(Float64Builder::new())
                .with_field(element(DataType::Float64)),
            args_text: ListBuilder::new(StringBuilder::new()).with_field(element(DataType::Utf8)),
            value: StringBuilder::new(),
            text: StringBuilder::new(),
            bytes: BinaryBuilder::new(),
            error: StringBuilder::new(),
            offset: Int64Builder::new(),
            details: StringBuilder::new(),
        }
    }

    /// Adds a record of the capture `file` as a row.
    pub(super) fn add(
        &mut self,
        record: &Record<'_>,
        frame: Option<Frame>,
        names: &MethodNames,
        file: &str,
    ) {
        self.rows += 1;
        self.files.append_value(file);
        self.header(record, frame);
        self.peer.append_option(record.reported_peer());
        self.relay.append_option(record.relay);
        let path = record.node.and_then(|node| node.path);
        self.path.append_option(path.map(|path| path.to_string_lossy()));
        self.node_id.append_option(record.node.and_then(|node| node.id));
        self.method.append_option(record.member(names));
        self.net_id.append_option(record.net_id());
        self.offset.append_option(record.offset().map(u64::cast_signed));
        self.bytes.append_option(record.undecoded());
        self.error.append_option(record.error().map(|reason| reason.to_string()));
        self.text.append_option(record.text());
        match record.arguments_or_state() {
            Some(values) => self.arguments(values, names),
            None => {
                self.args.append_null();
                self.args_int.append_null();
                self.args_float.append_null();
                self.args_text.append_null();
            }
        }
        self.value(record, names);
        let details = printed(&mut self.json, names, |members| members.details(record));
        let details = details.strip_prefix(',').map(|members| format!("{{{members}}}"));
        self.details.append_option(details);
    }

    /// Sets the columns that do not depend on the kind of the packet, such as time and addresses.
    fn header(&mut self, record: &Record<'_>, frame: Option<Frame>) {
        self.time.append_option(record.time);
        self.src.add(record.source.ip());
        self.src_port.append_value(record.source.port());
        self.dst.add(record.destination.ip());
        self.dst_port.append_value(record.destination.port());
        self.transport.append_value(record.transport.name());
        self.engine.append_option(record.engine.map(|engine| engine.dialect().name()));
        self.guessed.append_value(record.guessed);
        self.channel.append_option(record.channel);
        let delivery = record.packet_delivery();
        self.delivery.append_option(delivery.map(|delivery| delivery.name()));
        self.kind.append_value(record.kind().name());
        self.size.append_value(i64::try_from(record.bytes.len()).unwrap_or(i64::MAX));
        self.frame.append_option(frame.map(|(number, _)| number.cast_signed()));
        self.frame_size.append_option(frame.map(|(_, size)| size.into()));
    }

    /// Sets the arguments of a call, or the state of a spawned node.
    fn arguments(&mut self, values: Run<'_>, names: &MethodNames) {
        let args = printed(&mut self.json, names, |members| members.array(values));
        self.args.append_value(args);
        // Lists are null if no argument has their type.
        let (mut ints, mut floats, mut texts) = (false, false, false);
        let mut values = values.iter();
        while let Ok(Some(value)) = values.read() {
            let (int, float) = (value.as_i64(), value.as_f64());
            let text = value.as_str().map(|text| text.to_string_lossy());
            ints |= int.is_some();
            floats |= float.is_some();
            texts |= text.is_some();
            self.args_int.values().append_option(int);
            self.args_float.values().append_option(float);
            self.args_text.values().append_option(text);
        }
        self.args_int.append(ints);
        self.args_float.append(floats);
        self.args_text.append(texts);
    }

    fn value(&mut self, record: &Record<'_>, names: &MethodNames) {
        if let Some(text) = record.text() {
            let mut json = json_text::compact(text);
            json.iter_mut().for_each(json_text::escape);
            return self.value.append_option(json);
        }
        let json = &mut self.json;
        let value = match (record.value(), record.new_value()) {
            (Some(bytes), _) => printed(json, names, |to| to.value(bytes, record.dialect())),
            (None, Some(value)) => printed(json, names, |to| to.first(value)),
            (None, None) => return self.value.append_null(),
        };
        self.value.append_value(value);
    }

    /// Returns `true` if the rows must be taken before the next one is added.
    pub(super) fn is_full(&self) -> bool {
        self.rows >= ROWS || self.texts() >= SIZE
    }

    /// Returns the size in bytes of the columns whose values can be long.
    fn texts(&self) -> usize {
        let columns = [&self.files, &self.path, &self.method, &self.args, &self.value, &self.text];
        let texts = columns.into_iter().map(|column| column.values_slice().len()).sum::<usize>();
        // An element takes 8 bytes for an int, 8 for a float, and 4 for the offset of a text.
        let elements = self.args_int.values_ref().len() * 20;
        let details = self.details.values_slice().len();
        texts + elements + self.bytes.values_slice().len() + details
    }

    /// Takes the rows, if there are any.
    pub(super) fn take(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        if self.rows == 0 {
            return None;
        }
        self.rows = 0;
        let columns: [&mut dyn ArrayBuilder; 31] = [
            &mut self.time,
            &mut self.files,
            &mut self.src.column,
            &mut self.src_port,
            &mut self.dst.column,
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
        let columns: Vec<ArrayRef> = columns.into_iter().map(|column| column.finish()).collect();
        Some(RecordBatch::try_new(Arc::clone(&SCHEMA), columns))
    }
}

/// A column of IP addresses. Keeps the text of a few addresses, because most rows repeat a recent
/// one.
#[derive(Default)]
struct Addresses {
    column: StringBuilder,
    known: Vec<(IpAddr, String)>,
}

impl Addresses {
    fn add(&mut self, address: IpAddr) {
        if let Some((_, text)) = self.known.iter().find(|(known, _)| *known == address) {
            return self.column.append_value(text);
        }
        let text = address.to_string();
        self.column.append_value(&text);
        self.known.truncate(7);
        self.known.insert(0, (address, text));
    }
}

/// Prints JSON into `json`, with unprintable characters escaped. The library has checked the values.
/// If one cannot be printed all the same, the JSON ends there.
fn printed<'j>(
    json: &'j mut String,
    names: &MethodNames,
    print: impl FnOnce(&mut Members<'_, &mut String>),
) -> &'j str {
    json.clear();
    let mut members = Members::new(&mut *json, names);
    print(&mut members);
    let _ = members.finish();
    json_text::escape(json);
    json
}
