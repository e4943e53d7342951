//! Prints a record as a JSON object on a line (`--json`).

use super::flow::{Cache, Flow};
use super::json_text;
use super::seconds::Seconds;
use crate::ui::collected::{Buffer, Collected};
use gamewire::traffic::json::Members;
use gamewire::traffic::methods::MethodNames;
use gamewire::traffic::{Content, Record};
use std::io::{self, Write};

/// A printer of JSON objects, one on each line.
#[derive(Debug, Default)]
pub struct JsonLines {
    /// Texts of the members between `time` and `kind`.
    flows: Cache,
    buffer: Buffer,
}

impl JsonLines {
    /// Prints the record as a JSON object, followed by a line feed.
    pub fn print(
        &mut self,
        record: &Record<'_>,
        names: &MethodNames,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut out = Collected::new(&mut self.buffer, out);
        header(&mut out, record, &mut self.flows);
        let mut members = Members::new(&mut out, names);
        members.record(record);
        let printed = members.finish();
        out.check(printed);
        if let Content::Text(text) = record.content
            && let Some(json) = json_text::Json::new(text)
        {
            out.push(",\"value\":");
            out.display(json);
        }
        out.push("}\n");
        out.finish()
    }
}

/// Prints the members for time, addresses, transport, engine, channel, delivery and kind.
fn header(out: &mut Collected<'_>, record: &Record<'_>, flows: &mut Cache) {
    out.push("{");
    if let Some(time) = record.time {
        out.push("\"time\":");
        let _ = Seconds(time).write(out); // `Collected` stores the error
        out.push(",");
    }
    print_flow(out, Flow::of(record), flows);
    out.push(record.kind().name());
    out.push("\"");
}

/// Prints the members from `src` to the key of `kind`.
fn print_flow(out: &mut Collected<'_>, flow: Flow, flows: &mut Cache) {
    if let Some(known) = flows.get(&flow) {
        return out.push(known);
    }
    let Flow { source, destination, transport, .. } = flow;
    let mut text =
        format!("\"src\":\"{source}\",\"dst\":\"{destination}\",\"transport\":\"{transport}\"");
    if let Some(engine) = flow.engine {
        text.push_str(&format!(",\"engine\":\"{engine}\""));
    }
    if flow.guessed {
        text.push_str(",\"guessed\":true");
    }
    if let Some(channel) = flow.channel {
        text.push_str(&format!(",\"channel\":{channel}"));
    }
    if let Some(delivery) = flow.delivery {
        text.push_str(&format!(",\"delivery\":\"{delivery}\""));
    }
    text.push_str(",\"kind\":\"");
    out.push(&text);
    flows.insert(flow, text);
}
