//! The state of a [`TcpFlow`] in a form that can be stored.

use super::{Direction, Stream, StreamContent, TcpFlow, Unread};
use crate::traffic::options::Options;
use crate::traffic::other::UnreadState;
use crate::traffic::peers::Peers;
use crate::traffic::peers::state::PeersState;
use crate::traffic::stream::state::ContentState;
use crate::transport::tcp::state::StreamState;
use serde::{Deserialize, Serialize};

/// The stored state of a [`TcpFlow`].
#[derive(Deserialize, Serialize)]
pub(in super::super) struct TcpState {
    directions: [(StreamState, ContentState); 2],
    peers: PeersState,
    unread: UnreadState,
}

impl TcpFlow {
    pub(in super::super) fn state(&self) -> TcpState {
        let [low, high] = &self.directions;
        TcpState {
            directions: [low, high].map(|at| (at.stream.state(), at.content.state())),
            peers: self.peers.state(),
            unread: self.unread.state(),
        }
    }

    /// Restores a flow. Returns `None` if its state contradicts itself or exceeds the limits.
    pub(in super::super) fn restore(state: TcpState, options: &Options) -> Option<Self> {
        let TcpState { directions: [low, high], peers, unread } = state;
        let directions = [Direction::restore(low, options)?, Direction::restore(high, options)?];
        let peers = Peers::restore(peers, options)?;
        let mut flow = Self { directions, peers, unread: Unread::restore(unread) };
        flow.restart_count(); // counts the held bytes
        Some(flow)
    }
}

impl Direction {
    fn restore((stream, content): (StreamState, ContentState), options: &Options) -> Option<Self> {
        let stream = Stream::restore(stream, options.limits.tcp)?;
        Some(Self { stream, content: StreamContent::restore(content, options)? })
    }
}
