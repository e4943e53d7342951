//! What `--filter` takes: which packets are wanted.

use super::kind::{self, Kind};
use crate::methods::Methods;
use gamewire::godot::multiplayer::godot4::NetId;
use gamewire::traffic::{Record, Transport};
use std::str::FromStr;

/// One condition: `FIELD=VALUE,…`, or with `!=` its opposite.
#[derive(Clone, Debug)]
pub struct Filter {
    /// Whether the packets that are meant are those that are not wanted.
    unwanted: bool,
    meant: Meant,
}

/// Which packets a condition is about: those that have any of its values.
#[derive(Clone, Debug)]
enum Meant {
    Kinds(Vec<Kind>),
    Paths(Vec<Pattern>),
    Methods(Vec<Pattern>),
    Peers(Vec<i32>),
    Transports(Vec<Transport>),
}

impl FromStr for Filter {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((field, values)) = text.split_once('=') else {
            return Err("FIELD=VALUE or FIELD!=VALUE was expected".into());
        };
        let (field, unwanted) = match field.strip_suffix('!') {
            Some(field) => (field, true),
            None => (field, false),
        };
        let values = values.split(',').map(str::trim);
        let meant = match field.trim() {
            "kind" => Meant::Kinds(values.map(kind).collect::<Result<_, _>>()?),
            "path" => Meant::Paths(values.map(path).collect()),
            "method" => Meant::Methods(values.map(Pattern::new).collect()),
            "peer" => Meant::Peers(values.map(peer).collect::<Result<_, _>>()?),
            "transport" => Meant::Transports(values.map(transport).collect::<Result<_, _>>()?),
            other => {
                let fields = "kind, path, method, peer, transport";
                return Err(format!("no field is called `{other}`; there are {fields}"));
            }
        };
        Ok(Self { unwanted, meant })
    }
}

fn kind(name: &str) -> Result<Kind, String> {
    let named = Kind::ALL.iter().find(|kind| kind.name().eq_ignore_ascii_case(name));
    named.copied().ok_or_else(|| format!("no kind is called `{name}`; there are {}", kinds()))
}

/// The names of all kinds.
pub fn kinds() -> String {
    let names = Kind::ALL.iter().filter(|kind| **kind != Kind::Unknown).map(|kind| kind.name());
    names.collect::<Vec<_>>().join(", ")
}

fn transport(name: &str) -> Result<Transport, String> {
    const ALL: [Transport; 4] =
        [Transport::Enet, Transport::WebSocket, Transport::Tcp, Transport::Udp];
    let named = ALL.into_iter().find(|transport| transport.to_string().eq_ignore_ascii_case(name));
    named.ok_or_else(|| {
        let names = ALL.map(|transport| transport.to_string()).join(", ");
        format!("no transport is called `{name}`; there are {names}")
    })
}

fn peer(number: &str) -> Result<i32, String> {
    number.parse().map_err(|_| format!("`{number}` is not a peer's number, like 1 for the server"))
}

/// Where the multiplayer has its root, unless a script moves it.
const ROOT: &str = "/root/";

/// Packets have paths from the multiplayer's root; scripts mostly have them from the tree's.
fn path(text: &str) -> Pattern {
    Pattern::new(text.strip_prefix(ROOT).unwrap_or(text))
}

impl Filter {
    /// Whether it asks for packets by their kind, so that those of transports are wanted
    /// where it names them.
    pub fn names_kinds(&self) -> bool {
        matches!(self.meant, Meant::Kinds(_)) && !self.unwanted
    }

    /// Whether the packet is wanted.
    pub fn takes(&self, record: &Record<'_>, methods: &Methods) -> bool {
        self.meant.includes(record, methods) != self.unwanted
    }
}

impl Meant {
    fn includes(&self, record: &Record<'_>, methods: &Methods) -> bool {
        match self {
            Self::Kinds(kinds) => kinds.contains(&Kind::of(record)),
            Self::Transports(transports) => transports.contains(&record.transport),
            Self::Peers(peers) => {
                let known = [record.peer, record.relay, kind::announced(record)];
                known.into_iter().flatten().any(|peer| peers.contains(&peer))
            }
            Self::Methods(patterns) => {
                kind::method(record, methods).is_some_and(|method| any(patterns, method.as_bytes()))
            }
            Self::Paths(patterns) => paths(record, |path| any(patterns, path)),
        }
    }
}

fn any(patterns: &[Pattern], text: &[u8]) -> bool {
    patterns.iter().any(|pattern| pattern.fits(text))
}

/// Whether one of the nodes that the packet is about has such a path.
fn paths(record: &Record<'_>, mut fits: impl FnMut(&[u8]) -> bool) -> bool {
    let mut fits = |path: &[u8]| fits(path.strip_prefix(ROOT.as_bytes()).unwrap_or(path));
    kind::path(record).is_some_and(|path| fits(path.as_bytes()))
        || kind::states(record).any(|state| match state.node {
            NetId::Cached(id) => record.path(id).is_some_and(|path| fits(path.as_bytes())),
            NetId::Synchronizer(_) => false,
        })
}

/// A text in which each `*` stands for any characters, or none.
#[derive(Clone, Debug)]
struct Pattern {
    /// What is in front of the first `*`.
    start: Vec<u8>,
    /// What follows each `*`; nothing where there is none.
    rest: Vec<Vec<u8>>,
}

impl Pattern {
    fn new(text: &str) -> Self {
        let mut pieces = text.split('*').map(|piece| piece.as_bytes().to_vec());
        Self { start: pieces.next().unwrap_or_default(), rest: pieces.collect() }
    }

    /// Whether the whole of `text` is like this.
    fn fits(&self, text: &[u8]) -> bool {
        let Some(mut text) = text.strip_prefix(&*self.start) else { return false };
        let Some((end, between)) = self.rest.split_last() else { return text.is_empty() };
        // Each piece is taken as early as can be, which leaves the most for the others.
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
    use gamewire::capture::{self, Segment};
    use gamewire::traffic::{Conversations, Options};

    #[track_caller]
    fn refused(text: &str, about: &[&str]) {
        let error = text.parse::<Filter>().unwrap_err();
        assert!(about.iter().all(|part| error.contains(part)), "{text}: {error}");
    }

    #[test]
    fn errors_say_what_there_is() {
        refused("rpc", &["FIELD=VALUE"]);
        refused("", &["FIELD=VALUE"]);
        refused("knd=rpc", &["`knd`", "kind, path, method, peer, transport"]);
        refused("=rpc", &["``"]);
        refused("kind=rcp", &["`rcp`", "rpc, set, raw", "ping", "debugger"]);
        refused("kind=rpc,", &["``"]);
        refused("kind!=nothing", &["`nothing`"]);
        refused("transport=ws", &["`ws`", "enet, websocket, tcp, udp"]);
        refused("peer=server", &["`server`", "1"]);
    }

    #[test]
    fn every_kind_has_its_own_name() {
        for kind in Kind::ALL {
            let name = kind.name();
            let same = Kind::ALL.iter().filter(|other| other.name() == name);
            assert_eq!(same.count(), 1, "{name}");
            let filter: Filter = format!("kind={name}").parse().unwrap();
            assert!(filter.names_kinds());
        }
        let names = |text: &str| text.parse::<Filter>().unwrap().names_kinds();
        assert!(!names("kind!=ping") && !names("path=a"));
    }

    #[test]
    fn patterns_are_of_the_whole_text() {
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
                assert!(pattern.fits(text.as_bytes()), "{pattern:?} {text}");
            }
            for text in others {
                assert!(!pattern.fits(text.as_bytes()), "{pattern:?} {text}");
            }
        }
        assert!(Pattern::new("a*z").fits(b"a\xff\0z"), "names need not be text");
        assert!(path("/root/Main").fits(b"Main"));
        assert!(path("/root/*").fits(b"Main/Sync"));
    }

    /// Whether the value 5 in a datagram is taken.
    fn takes(text: &str) -> bool {
        let filter: Filter = text.parse().unwrap();
        let segment = Segment {
            source: "10.0.0.1:4000".parse().unwrap(),
            destination: "10.0.0.2:5000".parse().unwrap(),
            transport: capture::Transport::Udp { payload: &[2, 0, 0, 0, 5, 0, 0, 0] },
        };
        let mut taken = None;
        Conversations::new(Options::default()).segment(None, &segment, &mut |record| {
            taken = Some(filter.takes(record, &Methods::default()));
        });
        taken.unwrap()
    }

    #[test]
    fn a_packet_without_the_field_is_not_meant() {
        for (text, taken) in [
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
            assert_eq!(takes(text), taken, "{text}");
        }
    }
}
