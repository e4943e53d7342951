//! Prints a problem as a paragraph: what is wrong, the evidence, and what to do.

use crate::packets::seconds::Seconds;
use crate::ui::style::{BOLD, DIM, ERROR, HINT, Styled, WARNING};
use crate::ui::text::{Count, Escaped};
use gamewire::traffic::diagnosis::{
    Diagnosis, Difference, Evidence, Methods, Oversize, Problem, ReceivedState, Severity, Stall,
    StallCause,
};
use std::fmt::{self, Display};
use std::io::{self, Write};
use std::path::PathBuf;

/// Prints a problem. `scripts` are the folders given with `--scripts`. They are part of the paths
/// that show where methods are from.
pub fn print(found: &Diagnosis, scripts: &[PathBuf], out: &mut dyn Write) -> io::Result<()> {
    let severity = found.severity();
    let style = match severity {
        Severity::Error => ERROR,
        Severity::Warning => WARNING,
        Severity::Notice => HINT,
    };
    let label = Styled(style, format_args!("{severity}:"));
    writeln!(out, "{label} {}", Styled(BOLD, Title(found)))?;
    writeln!(out, "  {}", Details { found, scripts })?;
    write!(out, "  {}", Styled(DIM, "evidence: "))?;
    let mut separator = "";
    for (fact, at) in &found.evidence {
        write!(out, "{separator}{fact} {}", At(*at))?;
        separator = ", ";
    }
    if let Some(last) = found.last {
        write!(out, "{separator}last time {}", At(last))?;
    }
    writeln!(out, " ({})", FromTo(found))?;
    writeln!(out, "  {}{}", Styled(DIM, "to do: "), advice(&found.problem))
}

/// Displays where a packet is in the capture: its time and its number.
struct At(Evidence);

impl Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.time {
            Some(time) => write!(f, "at {} (packet {})", Seconds(time), self.0.packet),
            None => write!(f, "in packet {}", self.0.packet),
        }
    }
}

/// Displays the sender and the receiver of the packets that have the problem.
struct FromTo<'d>(&'d Diagnosis);

impl Display for FromTo<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Diagnosis { source, destination, peer, .. } = self.0;
        if source.port() == 0 && destination.port() == 0 {
            return f.write_str("addresses unknown");
        }
        write!(f, "{source} → {destination}")?;
        peer.map_or(Ok(()), |peer| write!(f, ", sent by peer {peer}"))
    }
}

/// Displays the problem in one line.
struct Title<'d>(&'d Diagnosis);

impl Display for Title<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Diagnosis { problem, node, count, .. } = self.0;
        let node = Escaped(node.as_deref().unwrap_or("an unknown node").as_bytes());
        match problem {
            Problem::Checksum { .. } => {
                write!(
                    f,
                    "the rpc node checksum failed for {node}: the sides have different methods"
                )
            }
            Problem::UnknownMethod { method, name, .. } => {
                let calls = Count(*count, "call");
                write!(f, "{calls} of method {method}{} of {node} ignored", Named(name))
            }
            Problem::NotAuthority { method } => {
                let (calls, method) = (Count(*count, "call"), Escaped(method.as_bytes()));
                write!(f, "{calls} of {node}.{method} refused: the sender is not the authority")
            }
            Problem::UnconfirmedPath { .. } => write!(f, "the path {node} was never confirmed"),
            Problem::UnknownNetId { net_id, state, is_delta } => {
                let packets = if *is_delta { "DELTA" } else { "SYNC" };
                let packets = Count(*count, if *is_delta { "DELTA state" } else { packets });
                let id = net_id & !(1 << 31);
                let kind = if *net_id == id { "synchronizer" } else { "the path with number" };
                let history = match state {
                    ReceivedState::NeverSpawned if *net_id != id => "never announced",
                    ReceivedState::NeverSpawned => "never spawned",
                    ReceivedState::NotYetSpawned => "not spawned yet",
                    ReceivedState::Despawned => "already despawned",
                };
                write!(f, "{packets} for {kind} {id}, which was {history}")
            }
            Problem::OverMtu { oversize: Oversize::Unreliable { .. }, packet, .. } => {
                let packets = Count(*count, "unreliable packet");
                write!(f, "{packets} over the MTU{}", Named(packet))
            }
            Problem::OverMtu { oversize: Oversize::Datagram { .. }, .. } => {
                write!(f, "{} larger than an Ethernet frame", Count(*count, "datagram"))
            }
            Problem::OverMtu { oversize: Oversize::IpFragment, .. } => {
                write!(f, "{} of IP packets", Count(*count, "fragment"))
            }
            Problem::Stall(stall) => stall_title(f, stall, *count),
            Problem::Late { channel, packet, .. } => {
                let packets = Count(*count, "unreliable packet");
                write!(f, "{packets} too late on channel {channel}{}", Named(packet))
            }
            _ => f.write_str(problem.name()),
        }
    }
}

fn stall_title(f: &mut fmt::Formatter<'_>, stall: &Stall, count: u64) -> fmt::Result {
    let Stall { channel, waiting, arrived, .. } = stall;
    let packets = Count(count, "reliable packet");
    let what = match (arrived, stall.cause) {
        (false, _) => "never arrived",
        (true, StallCause::Overtaken) => "overtaken",
        (true, _) => "sent again",
    };
    let held_up = if *waiting > 0 { ", which held up others" } else { "" };
    write!(f, "{packets} {what} on channel {channel}{held_up}")
}

/// Displays a name in brackets, or nothing if there is no name.
struct Named<'n>(&'n Option<String>);

impl Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(name) => write!(f, " ({})", Escaped(name.as_bytes())),
            None => Ok(()),
        }
    }
}

/// Displays the details of a problem in full sentences.
struct Details<'d> {
    found: &'d Diagnosis,
    scripts: &'d [PathBuf],
}

impl Display for Details<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.found.problem {
            Problem::Checksum { difference } => self.difference(f, difference),
            Problem::UnknownMethod { known, .. } => write!(
                f,
                "The receiver has {} for this node, numbered from 0, so the call does nothing.",
                Count(*known as u64, "RPC method")
            ),
            Problem::NotAuthority { .. } => f.write_str(
                "The method has the mode \"authority\". No script changes the authority, so the \
                 server is the authority, and the receiver refuses calls from other peers.",
            ),
            Problem::UnconfirmedPath { calls } => write!(
                f,
                "The receiver confirms a path when it finds the node. It has not confirmed this \
                 path, so calls of this node do nothing ({} with the whole path).",
                Count(*calls, "call")
            ),
            Problem::UnknownNetId { is_delta: true, .. } => {
                f.write_str("The receiver ignores the state. A DELTA is not sent again.")
            }
            Problem::UnknownNetId { state: ReceivedState::NotYetSpawned, .. } => {
                f.write_str("The receiver ignores the state. The next SYNC replaces it.")
            }
            Problem::UnknownNetId { .. } => f.write_str("The receiver ignores the state."),
            Problem::OverMtu { len, oversize, .. } => oversized(f, *len, *oversize),
            Problem::Stall(stall) => stalled(f, stall, self.found.count),
            Problem::Late { behind, .. } => {
                f.write_str("The receiver drops them, since it has a newer packet of the channel")?;
                match behind {
                    Some(behind) => write!(f, " (up to {} earlier).", Milliseconds(*behind)),
                    None => f.write_str("."),
                }
            }
            _ => Ok(()),
        }
    }
}

impl Details<'_> {
    fn difference(&self, f: &mut fmt::Formatter<'_>, difference: &Difference) -> fmt::Result {
        let Difference { sender, receiver, only_sender, only_receiver, .. } = difference;
        let (first, second) = (self.origin(sender), self.origin(receiver));
        match (only_sender.is_empty(), only_receiver.is_empty()) {
            (true, true) => write!(
                f,
                "The names that differ are not known: give the scripts of both sides with \
                 `--scripts`. The methods of the sender are {}, those of the receiver are {}.",
                known(&first),
                known(&second)
            ),
            (false, true) => write!(
                f,
                "Only the sender{first} has {}. The receiver{second} does not.",
                Names(only_sender)
            ),
            (true, false) => write!(
                f,
                "Only the receiver{second} has {}. The sender{first} does not.",
                Names(only_receiver)
            ),
            (false, false) => write!(
                f,
                "The sender{first} has {}, the receiver{second} has {} instead.",
                Names(only_sender),
                Names(only_receiver)
            ),
        }
    }

    /// Formats the origin of methods, in brackets.
    fn origin(&self, methods: &Methods) -> String {
        let (origin, project) = match methods {
            Methods::Announced { origin, project } => (origin, *project),
            Methods::SameFileName { origin, project } => (origin, *project),
            Methods::Searched { origin } => {
                return format!(
                    " (inferred from its checksum and the methods of {})",
                    Escaped(origin.as_bytes())
                );
            }
            _ => return UNKNOWN.into(),
        };
        let folder = project.and_then(|project| self.scripts.get(project as usize));
        let name = match folder {
            Some(folder) => folder.join(origin).display().to_string(),
            None if origin.is_empty() => return String::new(),
            None => origin.clone(),
        };
        let guess = if matches!(methods, Methods::SameFileName { .. }) {
            ", assumed because of its name"
        } else {
            ""
        };
        format!(" ({}{guess})", Escaped(name.as_bytes()))
    }
}

/// Displays the names of methods, separated by commas.
struct Names<'n>(&'n [String]);

impl Display for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, name) in self.0.iter().enumerate() {
            let separator = if index > 0 { ", " } else { "" };
            write!(f, "{separator}`{}`", Escaped(name.as_bytes()))?;
        }
        Ok(())
    }
}

fn oversized(f: &mut fmt::Formatter<'_>, len: u64, oversize: Oversize) -> fmt::Result {
    match oversize {
        Oversize::Unreliable { mtu, fragments } => {
            let len = Count(len, "byte");
            write!(f, "The largest has {len} and is sent in {fragments} datagrams")?;
            if let Some(mtu) = mtu {
                write!(f, " of up to {mtu} bytes")?;
            }
            f.write_str(". If one datagram is lost, the whole packet is lost.")
        }
        Oversize::Datagram { limit } => write!(
            f,
            "The largest has a payload of {}; an Ethernet frame has room for {limit}. Routers may \
             fragment or drop such datagrams.",
            Count(len, "byte")
        ),
        Oversize::IpFragment => f.write_str("If one fragment is lost, the whole packet is lost."),
    }
}

fn stalled(f: &mut fmt::Formatter<'_>, stall: &Stall, count: u64) -> fmt::Result {
    let Stall { sequence, len, packet, cause, waiting, delay, .. } = stall;
    let worst = if count > 1 { "The worst" } else { "It" };
    write!(f, "{worst} has the sequence number {sequence}")?;
    if *len > 0 {
        write!(f, " and {}{}", Count((*len).into(), "byte"), Named(packet))?;
    }
    f.write_str(match (cause, stall.arrived) {
        (StallCause::Lost, true) => ". It was lost",
        (StallCause::Lost, false) => ". It is missing",
        (StallCause::LostOrUnacknowledged, _) => ". It or its acknowledgement was lost",
        (StallCause::Overtaken, _) => ". It came after later packets",
    })?;
    match (waiting, delay) {
        (0, Some(delay)) => {
            write!(f, ", which took {}. No other packet waited.", Milliseconds(*delay))
        }
        (0, None) => f.write_str(". No other packet waited."),
        (_, delay) => {
            write!(f, ", and {} after it had to wait", Count((*waiting).into(), "packet"))?;
            match delay {
                Some(delay) => write!(f, ", up to {}.", Milliseconds(*delay)),
                None => f.write_str("."),
            }
        }
    }
}

/// Displays a number of nanoseconds in milliseconds.
struct Milliseconds(i64);

impl Display for Milliseconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} ms", self.0 as f64 / 1e6)
    }
}

/// Returns advice on how to solve a problem.
fn advice(problem: &Problem) -> &'static str {
    match problem {
        Problem::Checksum { .. } | Problem::UnknownMethod { .. } => {
            "give both sides the same @rpc methods for this node, such as the same version of the game"
        }
        Problem::NotAuthority { .. } => {
            "mark the method with @rpc(\"any_peer\"), or make the caller the authority of the node"
        }
        Problem::UnconfirmedPath { .. } => {
            "add the node to the receiver's tree under the same path before it is called"
        }
        Problem::UnknownNetId { state: ReceivedState::NeverSpawned, .. } => {
            "spawn the node with a MultiplayerSpawner at this peer, or hide it from this peer"
        }
        Problem::UnknownNetId { .. } => {
            "nothing if it is rare: unreliable state can overtake the reliable SPAWN and DESPAWN"
        }
        Problem::OverMtu { oversize: Oversize::Unreliable { .. }, .. } => {
            "send less in each packet, or make the packet reliable"
        }
        Problem::OverMtu { .. } => "send less in each datagram",
        Problem::Stall(Stall { waiting: 0, arrived: true, .. }) => "nothing if it is rare",
        Problem::Stall(_) => {
            "send packets whose order does not matter on a different channel, or unreliably"
        }
        Problem::Late { .. } => "nothing if it is rare: a later packet has newer state",
        _ => "",
    }
}

/// The text that stands for the origin of methods if the methods are not known.
const UNKNOWN: &str = " (methods not known)";

/// Returns text that states whether methods are known, followed by their origin if they are.
fn known(origin: &str) -> String {
    if origin == UNKNOWN { "not known".into() } else { format!("known{origin}") }
}
