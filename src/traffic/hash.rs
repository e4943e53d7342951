//! The hash function of all hash tables of captured traffic.

/// Hashes with a random seed, so that senders cannot choose keys that collide.
///
/// The variant `fast` of the same crate is not used: with one seed in a thousand, consecutive
/// numbers collide ten times as often as random numbers, and with a few seeds 500 times as often.
pub(super) type RandomState = foldhash::quality::RandomState;
