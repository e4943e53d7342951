//! The state of a [`UdpFlow`] in a form that can be stored.

use super::{Connection, Peers, Protocol, Session, UdpFlow, Unread};
use crate::traffic::options::Options;
use crate::traffic::other::UnreadState;
use crate::traffic::peers::state::PeersState;
use crate::traffic::record::Engine;
use crate::transport::enet::SessionState;
use alloc::boxed::Box;
use serde::{Deserialize, Serialize};

/// The stored state of a [`UdpFlow`].
#[derive(Deserialize, Serialize)]
pub(in super::super) struct UdpState {
    protocol: ProtocolState,
    unread: UnreadState,
}

#[derive(Deserialize, Serialize)]
enum ProtocolState {
    Unknown,
    Enet(Box<ConnectionState>),
    Values(Engine),
}

#[derive(Deserialize, Serialize)]
struct ConnectionState {
    sessions: [SessionState; 2],
    peers: PeersState,
}

impl UdpFlow {
    pub(in super::super) fn state(&self) -> UdpState {
        let protocol = match &self.protocol {
            Protocol::Unknown => ProtocolState::Unknown,
            Protocol::Enet(connection) => ProtocolState::Enet(Box::new(connection.state())),
            Protocol::Values(engine) => ProtocolState::Values(*engine),
        };
        UdpState { protocol, unread: self.unread.state() }
    }

    /// Restores a flow. Returns `None` if its state contradicts itself or exceeds the limits.
    pub(in super::super) fn restore(state: UdpState, options: &Options) -> Option<Self> {
        let UdpState { protocol, unread } = state;
        let protocol = match protocol {
            ProtocolState::Unknown => Protocol::Unknown,
            ProtocolState::Enet(connection) => {
                Protocol::Enet(Box::new(Connection::restore(*connection, options)?))
            }
            ProtocolState::Values(engine) => Protocol::Values(options.engine.unwrap_or(engine)),
        };
        Some(Self { protocol, unread: Unread::restore(unread) })
    }
}

impl Connection {
    fn state(&self) -> ConnectionState {
        let [low, high] = &self.sessions;
        ConnectionState { sessions: [low, high].map(Session::state), peers: self.peers.state() }
    }

    fn restore(state: ConnectionState, options: &Options) -> Option<Self> {
        let ConnectionState { sessions: [low, high], peers } = state;
        let Self { sessions: [new_low, new_high], .. } = Self::new(options);
        let sessions = [new_low.restored(low)?, new_high.restored(high)?];
        Some(Self { sessions, peers: Peers::restore(peers, options)? })
    }
}
