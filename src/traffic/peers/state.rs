//! The state of [`Peers`] in a form that can be stored.

use super::{MessageFormat, Paths, Peers};
use crate::traffic::options::Options;
use crate::traffic::paths::state::PathsState;
use crate::traffic::record::Engine;
use serde::{Deserialize, Serialize};

/// The stored state of [`Peers`].
#[derive(Deserialize, Serialize)]
pub(in super::super) struct PeersState {
    engine: Option<Engine>,
    /// `true` for packets of the multiplayer, `false` for values.
    packets: Option<bool>,
    guessed: bool,
    server: Option<bool>,
    client: Option<i32>,
    id_due: bool,
    connect_id: Option<u32>,
    paths: PathsState,
}

impl Peers {
    pub(in super::super) fn state(&self) -> PeersState {
        let Self { engine, format, guessed, server, client, id_due, connect_id, ref paths } = *self;
        let packets = format.map(|format| format == MessageFormat::Packets);
        let paths = paths.state();
        PeersState { engine, packets, guessed, server, client, id_due, connect_id, paths }
    }

    /// Restores the peers. An engine in the options replaces the one in the state. Returns `None`
    /// if the paths cannot be restored.
    pub(in super::super) fn restore(state: PeersState, options: &Options) -> Option<Self> {
        let PeersState { engine, packets, guessed, server, client, id_due, connect_id, paths } =
            state;
        let format = packets.map(|packets| match packets {
            true => MessageFormat::Packets,
            false => MessageFormat::Values,
        });
        let engine = options.engine.or(engine);
        let guessed = guessed && options.engine.is_none();
        let paths = Paths::restore(paths)?;
        Some(Self { engine, format, guessed, server, client, id_due, connect_id, paths })
    }
}
