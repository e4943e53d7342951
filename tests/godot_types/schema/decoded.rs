//! The checked-in generated types decode the packets that they were generated from, and encode them
//! to the same bytes.

#[path = "kinds.rs"]
#[allow(dead_code)]
mod kinds;
#[path = "players.rs"]
#[allow(dead_code)]
mod players;
#[path = "state.rs"]
#[allow(dead_code)]
mod state;

use super::every_kind;
use crate::support::corpus;
use gamewire::godot::{from_bytes, to_vec};

#[test]
fn generated_types_decode_a_game_state() {
    let packet = corpus::read("bench/state_simple.bin");
    let state: state::State<'_> = from_bytes(&packet).unwrap();
    assert_eq!((state.tick, state.players["p1"].hp), (184_467, 93));
    assert!(to_vec(&state).unwrap() == packet);
}

#[test]
fn generated_types_decode_engine_states() {
    for players in [1, 16] {
        let packet = corpus::read(&format!("godot4/game_state_{players}.bin"));
        let game: players::Game<'_> = from_bytes(&packet).unwrap();
        assert_eq!((game.players.len(), game.events.0), (players, "spawn"));
        assert!(to_vec(&game).unwrap() == packet);
    }
}

#[test]
fn generated_types_decode_all_kinds() {
    let packet = every_kind();
    let kinds: kinds::Kinds<'_> = from_bytes(&packet).unwrap();
    assert!(to_vec(&kinds).unwrap() == packet);
}
