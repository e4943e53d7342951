//! Counts bytes of protocols other than those of games.

use super::options::Options;
use super::values;

/// Bytes that are in no record, because no protocol of a game was recognised in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OtherProtocols {
    /// Bytes of datagrams and streams, without headers. Repeated bytes of a stream are counted
    /// once.
    pub bytes: u64,
    /// Pairs of addresses with such bytes.
    pub conversations: u64,
}

impl OtherProtocols {
    /// Counts the bytes between two addresses.
    pub(super) fn add(&mut self, bytes: u64) {
        self.bytes = self.bytes.saturating_add(bytes);
        self.conversations = self.conversations.saturating_add(u64::from(bytes > 0));
    }
}

/// Counts the bytes of unknown protocols between two addresses, and determines whether the
/// addresses belong to a game.
#[derive(Clone, Debug)]
pub(super) struct Unread {
    /// `true` if the addresses are those of a game, so that its unread bytes are reported.
    pub is_game: bool,
    /// Number of bytes that were not reported.
    pub bytes: u64,
    /// Number of segments or datagrams that are still to be searched for values.
    searches: u8,
}

/// Number of segments or datagrams between two addresses that are searched for values. The search
/// takes more time than everything else that is done with traffic of other programs.
const SEARCHES: u8 = 64;

impl Default for Unread {
    fn default() -> Self {
        Self { is_game: false, bytes: 0, searches: SEARCHES }
    }
}

/// The stored state of [`Unread`]. It contains no number of bytes: counts start anew after the
/// state is restored.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize, serde::Serialize)]
pub(super) struct UnreadState {
    is_game: bool,
    searches: u8,
}

#[cfg(feature = "serde")]
impl Unread {
    pub(super) fn state(&self) -> UnreadState {
        UnreadState { is_game: self.is_game, searches: self.searches }
    }

    pub(super) fn restore(state: UnreadState) -> Self {
        let UnreadState { is_game, searches } = state;
        Self { is_game, bytes: 0, searches: searches.min(SEARCHES) }
    }
}

impl Unread {
    /// Searches bytes of an unknown protocol for a value. If a value is certain, the addresses
    /// belong to a game.
    pub(super) fn search(&mut self, bytes: &[u8], options: &Options) {
        if !self.is_game
            && let Some(searches) = self.searches.checked_sub(1)
        {
            self.searches = searches;
            self.is_game = values::has_value(bytes, options);
        }
    }

    pub(super) fn add(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes as u64);
    }

    /// Removes bytes that were counted and are now reported.
    pub(super) fn remove(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_sub(bytes as u64);
    }
}
