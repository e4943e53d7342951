//! Collects the encrypted conversations, and advises the user how to capture them unencrypted.

use crate::ui::report;
use crate::ui::text::Count;
use gamewire::traffic::{Content, Encryption, Record};
use std::collections::BTreeMap;
use std::net::SocketAddr;

/// Maximum number of conversations that are kept.
const MAX_KEPT: usize = 1024;
/// Maximum number of conversations that are listed.
const MAX_LISTED: usize = 8;

/// The encrypted conversations of a capture, by their pairs of addresses.
#[derive(Debug, Default)]
pub struct Conversations {
    pairs: BTreeMap<[SocketAddr; 2], Seen>,
}

/// The protocols that were seen in a conversation.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    dtls: bool,
    stun: bool,
    tls: bool,
}

impl Conversations {
    pub fn add(&mut self, record: &Record<'_>) {
        let seen = match record.content {
            Content::Encrypted(Encryption::Dtls(_)) => Seen { dtls: true, ..Seen::default() },
            Content::Encrypted(_) => Seen { tls: true, ..Seen::default() },
            Content::Stun => Seen { stun: true, ..Seen::default() },
            _ => return,
        };
        let (from, to) = (record.source, record.destination);
        let has_space = self.pairs.len() < MAX_KEPT;
        let pair = [from.min(to), from.max(to)];
        if has_space || self.pairs.contains_key(&pair) {
            let known = self.pairs.entry(pair).or_default();
            known.dtls |= seen.dtls;
            known.stun |= seen.stun;
            known.tls |= seen.tls;
        }
    }

    /// Prints warnings about the encrypted conversations. Leaves out conversations over TLS, unless
    /// `tls` is `true`, because they are usually the traffic of a browser.
    pub fn report(&self, name: &str, tls: bool) {
        let reported = self.pairs.iter().filter(|(_, seen)| seen.dtls || seen.tls && tls);
        let count = reported.clone().count();
        let mut advice = BTreeMap::new();
        for ([low, high], seen) in reported.take(MAX_LISTED) {
            let protocol = seen.name();
            report::warning(
                name,
                format_args!(
                    "the conversation of {low} and {high} is encrypted ({protocol}): gamewire \
                     cannot read it"
                ),
            );
            advice.insert(protocol, seen.advice());
        }
        if let Some(more) = count.checked_sub(MAX_LISTED).filter(|more| *more > 0) {
            report::warning(name, Count(more as u64, "more encrypted conversation"));
        }
        advice.into_values().for_each(report::hint);
    }
}

impl Seen {
    fn name(self) -> &'static str {
        match self {
            Self { dtls: true, stun: true, .. } => "DTLS, WebRTC",
            Self { dtls: true, .. } => "DTLS",
            _ => "TLS",
        }
    }

    fn advice(self) -> &'static str {
        match self {
            Self { dtls: true, stun: true, .. } => {
                "WebRTC always encrypts; to see the packets, let the game use ENet or a WebSocket"
            }
            Self { dtls: true, .. } => {
                "capture the game without `dtls_server_setup` and `dtls_client_setup` of its ENet \
                 connection"
            }
            _ => "capture the game with `ws://` in place of `wss://`; web pages use TLS, too",
        }
    }
}
