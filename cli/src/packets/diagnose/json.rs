//! Prints a problem as a JSON object on one line.

use crate::packets::seconds::Seconds;
use gamewire::godot::json::Text;
use gamewire::traffic::diagnosis::{
    Diagnosis, Difference, Evidence, Methods, Oversize, Problem, ReceivedState, Stall, StallCause,
};
use std::io::{self, Write};
use std::path::PathBuf;

/// Prints the problem, followed by a line feed.
pub fn print(found: &Diagnosis, scripts: &[PathBuf], out: &mut dyn Write) -> io::Result<()> {
    let mut object = Object { out, scripts };
    object.head(found)?;
    object.problem(&found.problem)?;
    object.evidence(found)?;
    object.out.write_all(b"}\n")
}

struct Object<'o> {
    out: &'o mut dyn Write,
    scripts: &'o [PathBuf],
}

impl Object<'_> {
    fn head(&mut self, found: &Diagnosis) -> io::Result<()> {
        let (severity, name) = (found.severity(), found.problem.name());
        write!(self.out, "{{\"severity\":\"{severity}\",\"problem\":\"{name}\"")?;
        write!(self.out, ",\"src\":\"{}\",\"dst\":\"{}\"", found.source, found.destination)?;
        if let Some(peer) = found.peer {
            write!(self.out, ",\"peer\":{peer}")?;
        }
        self.text("node", found.node.as_deref())?;
        write!(self.out, ",\"count\":{}", found.count)
    }

    fn problem(&mut self, problem: &Problem) -> io::Result<()> {
        match problem {
            Problem::Checksum { difference } => self.difference(difference),
            Problem::UnknownMethod { method, name, known } => {
                self.number("method_id", Some(u64::from(*method)))?;
                self.text("method", name.as_deref())?;
                self.number("known_methods", Some(known))
            }
            Problem::NotAuthority { method } => self.text("method", Some(method)),
            Problem::UnconfirmedPath { calls } => self.number("calls", Some(calls)),
            Problem::UnknownNetId { net_id, state, is_delta } => {
                self.number("net_id", Some(net_id))?;
                self.text("state", Some(state_name(*state)))?;
                self.text("kind", Some(if *is_delta { "delta" } else { "sync" }))
            }
            Problem::OverMtu { len, packet, oversize } => {
                self.number("bytes", Some(len))?;
                self.text("packet", packet.as_deref())?;
                self.oversize(*oversize)
            }
            Problem::Stall(stall) => self.stall(stall),
            Problem::Late { channel, packet, behind } => {
                self.number("channel", Some(channel))?;
                self.text("packet", packet.as_deref())?;
                self.seconds("behind", *behind)
            }
            _ => Ok(()),
        }
    }

    fn difference(&mut self, difference: &Difference) -> io::Result<()> {
        let Difference { sender, receiver, only_sender, only_receiver, .. } = difference;
        self.methods("sender", sender)?;
        self.methods("receiver", receiver)?;
        self.names("only_sender", only_sender)?;
        self.names("only_receiver", only_receiver)
    }

    /// Prints how the methods of one side were found, and the script that they are from.
    fn methods(&mut self, side: &str, methods: &Methods) -> io::Result<()> {
        let (known_by, origin, project) = match methods {
            Methods::Announced { origin, project } => ("checksum", Some(origin), *project),
            Methods::SameFileName { origin, project } => ("file name", Some(origin), *project),
            Methods::Searched { origin } => ("search", Some(origin), None),
            _ => ("unknown", None, None),
        };
        write!(self.out, ",\"{side}\":{{\"known_by\":\"{known_by}\"")?;
        let folder = project.and_then(|project| self.scripts.get(project as usize));
        self.text("scripts", folder.map(|folder| folder.to_string_lossy()).as_deref())?;
        self.text("origin", origin.map(String::as_str))?;
        self.out.write_all(b"}")
    }

    fn names(&mut self, key: &str, names: &[String]) -> io::Result<()> {
        write!(self.out, ",\"{key}\":[")?;
        for (index, name) in names.iter().enumerate() {
            let separator = if index > 0 { "," } else { "" };
            write!(self.out, "{separator}{}", Text(name))?;
        }
        self.out.write_all(b"]")
    }

    fn oversize(&mut self, oversize: Oversize) -> io::Result<()> {
        match oversize {
            Oversize::Unreliable { mtu, fragments } => {
                self.text("kind", Some("unreliable"))?;
                self.number("mtu", mtu)?;
                self.number("fragments", Some(fragments))
            }
            Oversize::Datagram { limit } => {
                self.text("kind", Some("datagram"))?;
                self.number("limit", Some(limit))
            }
            Oversize::IpFragment => self.text("kind", Some("ip fragment")),
        }
    }

    fn stall(&mut self, stall: &Stall) -> io::Result<()> {
        self.number("channel", Some(stall.channel))?;
        self.number("sequence", Some(stall.sequence))?;
        self.number("bytes", Some(stall.len))?;
        self.text("packet", stall.packet.as_deref())?;
        let cause = match stall.cause {
            StallCause::Lost => "lost",
            StallCause::LostOrUnacknowledged => "lost or unacknowledged",
            StallCause::Overtaken => "overtaken",
        };
        self.text("cause", Some(cause))?;
        write!(self.out, ",\"arrived\":{}", stall.arrived)?;
        self.number("waiting", Some(stall.waiting))?;
        self.seconds("delay", stall.delay)
    }

    fn evidence(&mut self, found: &Diagnosis) -> io::Result<()> {
        self.out.write_all(b",\"evidence\":[")?;
        let last = found.last.map(|last| ("last time".to_owned(), last));
        let all = found.evidence.iter().map(|(fact, at)| (fact.to_string(), *at)).chain(last);
        for (index, (fact, Evidence { packet, time })) in all.enumerate() {
            let separator = if index > 0 { "," } else { "" };
            write!(self.out, "{separator}{{\"fact\":\"{fact}\",\"packet\":{packet}")?;
            self.seconds("time", time)?;
            self.out.write_all(b"}")?;
        }
        self.out.write_all(b"]")
    }

    fn text(&mut self, key: &str, text: Option<&str>) -> io::Result<()> {
        text.map_or(Ok(()), |text| write!(self.out, ",\"{key}\":{}", Text(text)))
    }

    fn number(&mut self, key: &str, number: Option<impl std::fmt::Display>) -> io::Result<()> {
        number.map_or(Ok(()), |number| write!(self.out, ",\"{key}\":{number}"))
    }

    fn seconds(&mut self, key: &str, nanoseconds: Option<i64>) -> io::Result<()> {
        self.number(key, nanoseconds.map(Seconds))
    }
}

fn state_name(state: ReceivedState) -> &'static str {
    match state {
        ReceivedState::NeverSpawned => "never spawned",
        ReceivedState::NotYetSpawned => "not spawned yet",
        ReceivedState::Despawned => "despawned",
    }
}
