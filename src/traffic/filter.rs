//! Conditions that select records: those of `gamewire packets --filter`.

use super::methods::MethodNames;
use super::{Record, RecordKind, Transport};
use crate::godot::multiplayer::godot4::NetId;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::str::FromStr;

/// A condition: `FIELD=VALUE,…`, or its negation with `!=`.
///
/// | field | values |
/// |---|---|
/// | `kind` | names of [`RecordKind`]s |
/// | `path` | paths of nodes; `*` matches any number of characters |
/// | `method` | names of methods or properties; `*` as in paths |
/// | `peer` | ids of peers: of the sender, of a relayed packet, or of an announced peer |
/// | `transport` | names of [`Transport`]s |
///
/// ```
/// use gamewire::traffic::Filter;
///
/// let filter: Filter = "kind=rpc,set".parse()?;
/// assert!(filter.selects_kinds());
/// assert!("knd=rpc".parse::<Filter>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug)]
pub struct Filter {
    negated: bool,
    field: Field,
}

/// A field, with the values that satisfy the condition.
#[derive(Clone, Debug)]
enum Field {
    Kind(Vec<RecordKind>),
    Path(Vec<Pattern>),
    Method(Vec<Pattern>),
    Peer(Vec<i32>),
    Transport(Vec<Transport>),
}

impl FromStr for Filter {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((field, values)) = text.split_once('=') else {
            return Err("expected FIELD=VALUE or FIELD!=VALUE".into());
        };
        let (field, negated) = match field.strip_suffix('!') {
            Some(field) => (field, true),
            None => (field, false),
        };
        let values = values.split(',').map(str::trim);
        let field = match field.trim() {
            "kind" => Field::Kind(values.map(kind).collect::<Result<_, _>>()?),
            "path" => Field::Path(values.map(path).collect()),
            "method" => Field::Method(values.map(Pattern::new).collect()),
            "peer" => Field::Peer(values.map(peer).collect::<Result<_, _>>()?),
            "transport" => Field::Transport(values.map(transport).collect::<Result<_, _>>()?),
            other => {
                let fields = "kind, path, method, peer, transport";
                return Err(format!("unknown field `{other}`; expected one of {fields}"));
            }
        };
        Ok(Self { negated, field })
    }
}

fn kind(name: &str) -> Result<RecordKind, String> {
    let found = RecordKind::ALL.iter().find(|kind| kind.name().eq_ignore_ascii_case(name));
    found
        .copied()
        .ok_or_else(|| format!("unknown kind `{name}`; expected one of {}", Filter::kinds()))
}

fn transport(name: &str) -> Result<Transport, String> {
    const ALL: [Transport; 4] =
        [Transport::Enet, Transport::WebSocket, Transport::Tcp, Transport::Udp];
    let found = ALL.into_iter().find(|transport| transport.to_string().eq_ignore_ascii_case(name));
    found.ok_or_else(|| {
        let names = ALL.map(|transport| transport.to_string()).join(", ");
        format!("unknown transport `{name}`; expected one of {names}")
    })
}

fn peer(id: &str) -> Result<i32, String> {
    id.parse().map_err(|_| format!("`{id}` is not a peer id; expected a number, 1 for the server"))
}

/// The path of the root node of the multiplayer API, unless a script has changed it.
const ROOT: &str = "/root/";

/// Parses a path. Removes the path of the root node from its start. Users often copy absolute paths
/// from scripts, but paths in packets are relative to the root node.
fn path(text: &str) -> Pattern {
    Pattern::new(text.strip_prefix(ROOT).unwrap_or(text))
}

impl Filter {
    /// Returns the names of the kinds that a condition can select, separated by commas.
    pub fn kinds() -> String {
        let kinds = RecordKind::ALL.iter().filter(|kind| **kind != RecordKind::Unknown);
        kinds.map(|kind| kind.name()).collect::<Vec<_>>().join(", ")
    }

    /// Returns `true` if the filter selects packets by their kind. The output then includes the
    /// control packets that it selects.
    pub fn selects_kinds(&self) -> bool {
        matches!(self.field, Field::Kind(_)) && !self.negated
    }

    /// Returns `true` if the filter selects bytes of protocols that are not recognised.
    pub fn selects_bytes(&self) -> bool {
        let Field::Kind(kinds) = &self.field else { return false };
        !self.negated && kinds.contains(&RecordKind::Bytes)
    }

    /// Returns `true` if the record satisfies the condition.
    pub fn accepts(&self, record: &Record<'_>, names: &MethodNames) -> bool {
        self.field.matches(record, names) != self.negated
    }
}

impl Field {
    /// Returns `true` if the record has the field with one of the values.
    fn matches(&self, record: &Record<'_>, names: &MethodNames) -> bool {
        match self {
            Self::Kind(kinds) => kinds.contains(&record.kind()),
            Self::Transport(transports) => transports.contains(&record.transport),
            Self::Peer(peers) => {
                let ids = [record.peer, record.relay, record.announced_peer()];
                ids.into_iter().flatten().any(|peer| peers.contains(&peer))
            }
            Self::Method(patterns) => {
                record.member(names).is_some_and(|method| any(patterns, method.as_bytes()))
            }
            Self::Path(patterns) => any_path(record, |path| any(patterns, path)),
        }
    }
}

fn any(patterns: &[Pattern], text: &[u8]) -> bool {
    patterns.iter().any(|pattern| pattern.matches(text))
}

/// Returns `true` if `matches` returns `true` for the path of any node in the record.
fn any_path(record: &Record<'_>, mut matches: impl FnMut(&[u8]) -> bool) -> bool {
    let mut matches = |path: &[u8]| matches(path.strip_prefix(ROOT.as_bytes()).unwrap_or(path));
    let path = record.node.and_then(|node| node.path);
    path.is_some_and(|path| matches(path.as_bytes()))
        || record.node_states().any(|state| match state.node {
            NetId::Cached(id) => record.path(id).is_some_and(|path| matches(path.as_bytes())),
            NetId::Synchronizer(_) => false,
        })
}

/// A pattern in which `*` matches any number of characters, including none.
#[derive(Clone, Debug)]
struct Pattern {
    /// The text before the first `*`.
    start: Vec<u8>,
    /// The text after each `*`.
    rest: Vec<Vec<u8>>,
}

impl Pattern {
    fn new(text: &str) -> Self {
        let mut pieces = text.split('*').map(|piece| piece.as_bytes().to_vec());
        Self { start: pieces.next().unwrap_or_default(), rest: pieces.collect() }
    }

    /// Returns `true` if the pattern matches the whole text.
    fn matches(&self, text: &[u8]) -> bool {
        let Some(mut text) = text.strip_prefix(&*self.start) else { return false };
        let Some((end, between)) = self.rest.split_last() else { return text.is_empty() };
        // The leftmost match of each piece leaves the most text for the following pieces.
        for piece in between {
            match memchr::memmem::find(text, piece) {
                Some(at) => text = text.get(at.saturating_add(piece.len())..).unwrap_or_default(),
                None => return false,
            }
        }
        text.ends_with(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::{self, Segment};
    use crate::traffic::{Conversations, Options};

    #[track_caller]
    fn check_error(text: &str, parts: &[&str]) {
        let error = text.parse::<Filter>().unwrap_err();
        assert!(parts.iter().all(|part| error.contains(part)), "{text}: {error}");
    }

    #[test]
    fn errors_list_the_alternatives() {
        check_error("rpc", &["FIELD=VALUE"]);
        check_error("", &["FIELD=VALUE"]);
        check_error("knd=rpc", &["`knd`", "kind, path, method, peer, transport"]);
        check_error("=rpc", &["``"]);
        check_error("kind=rcp", &["`rcp`", "rpc, set, raw", "ping", "debugger"]);
        check_error("kind=rpc,", &["``"]);
        check_error("kind!=nothing", &["`nothing`"]);
        check_error("transport=ws", &["`ws`", "enet, websocket, tcp, udp"]);
        check_error("peer=server", &["`server`", "1"]);
    }

    #[test]
    fn names_of_kinds_are_unique() {
        for kind in RecordKind::ALL {
            let name = kind.name();
            let same = RecordKind::ALL.iter().filter(|other| other.name() == name);
            assert_eq!(same.count(), 1, "{name}");
            let filter: Filter = format!("kind={name}").parse().unwrap();
            assert!(filter.selects_kinds());
        }
        let names = |text: &str| text.parse::<Filter>().unwrap().selects_kinds();
        assert!(!names("kind!=ping") && !names("path=a"));
    }

    #[test]
    fn patterns_match_the_whole_text() {
        for (pattern, fitting, others) in [
            ("Main", &["Main"][..], &["", "Main/Sync", "xMain", "main"][..]),
            ("", &[""], &["x"]),
            ("*", &["", "Main", "a/b"], &[]),
            ("Main/*", &["Main/", "Main/a/b"], &["Main", "xMain/"]),
            ("*/Sync", &["/Sync", "Main/Sync", "a/Sync/Sync"], &["Sync", "Main/Sync2"]),
            ("a*b", &["ab", "a/b", "abb"], &["a", "b", "ba", "abc"]),
            ("a*a", &["aa", "aaa"], &["a"]),
            ("*a*b*", &["ab", "xaybz"], &["ba", "a"]),
            ("**", &["", "x"], &[]),
            ("ü*", &["üx"], &["u"]),
        ] {
            let pattern = Pattern::new(pattern);
            for text in fitting {
                assert!(pattern.matches(text.as_bytes()), "{pattern:?} {text}");
            }
            for text in others {
                assert!(!pattern.matches(text.as_bytes()), "{pattern:?} {text}");
            }
        }
        assert!(Pattern::new("a*z").matches(b"a\xff\0z"), "names need not be text");
        assert!(path("/root/Main").matches(b"Main"));
        assert!(path("/root/*").matches(b"Main/Sync"));
    }

    /// Applies the filter to a datagram with the value 5.
    fn accepts(text: &str) -> bool {
        let filter: Filter = text.parse().unwrap();
        let segment = Segment {
            source: "10.0.0.1:4000".parse().unwrap(),
            destination: "10.0.0.2:5000".parse().unwrap(),
            transport: capture::Transport::Udp { payload: &[2, 0, 0, 0, 5, 0, 0, 0] },
        };
        let mut accepted = None;
        Conversations::new(Options::default()).segment(None, &segment, &mut |record| {
            accepted = Some(filter.accepts(record, &MethodNames::default()));
        });
        accepted.unwrap()
    }

    #[test]
    fn a_packet_without_the_field_matches_no_value() {
        for (text, expected) in [
            ("kind=var", true),
            ("kind=rpc, var", true),
            ("kind=VAR", true),
            ("kind!=var", false),
            ("kind!=rpc,sync", true),
            ("transport=udp", true),
            ("transport!=enet,udp", false),
            ("path=*", false),
            ("path!=*", true),
            ("method=*", false),
            ("peer=1", false),
            ("peer!=1,-5", true),
        ] {
            assert_eq!(accepts(text), expected, "{text}");
        }
    }
}
