//! The text that the records of a flow have in common.

use gamewire::traffic::{Delivery, Engine, Record, Transport};
use std::net::SocketAddr;

/// Properties that records have in common if they are sent in the same direction between the same
/// addresses, on the same channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    pub source: SocketAddr,
    pub destination: SocketAddr,
    pub transport: Transport,
    pub engine: Option<Engine>,
    pub guessed: bool,
    pub channel: Option<u8>,
    /// `None` also for control packets, whose delivery is not printed.
    pub delivery: Option<Delivery>,
}

impl Flow {
    pub fn of(record: &Record<'_>) -> Self {
        Self {
            source: record.source,
            destination: record.destination,
            transport: record.transport,
            engine: record.engine,
            guessed: record.guessed,
            channel: record.channel,
            delivery: record.packet_delivery(),
        }
    }

    /// Returns the index of the flow in a [`Cache`].
    fn index(&self) -> usize {
        let ports = self.source.port() ^ self.destination.port().rotate_left(4);
        let channel = self.channel.unwrap_or_default();
        usize::from(ports.wrapping_add(channel.into())) % SIZE
    }
}

/// Number of flows whose text is kept.
const SIZE: usize = 256;

/// Texts of the latest flows. Most records belong to few flows, so their texts are formatted once
/// and then copied.
#[derive(Debug, Default)]
pub struct Cache(Vec<Option<(Flow, String)>>);

impl Cache {
    /// Returns the text of a flow, if it is known.
    pub fn get(&self, flow: &Flow) -> Option<&str> {
        match self.0.get(flow.index()) {
            Some(Some((known, text))) if known == flow => Some(text),
            _ => None,
        }
    }

    /// Stores the text of a flow in place of that of another flow.
    pub fn insert(&mut self, flow: Flow, text: String) {
        self.0.resize_with(SIZE, || None);
        if let Some(entry) = self.0.get_mut(flow.index()) {
            *entry = Some((flow, text));
        }
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }
}
