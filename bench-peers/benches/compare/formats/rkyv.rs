//! A compiled schema, read and written by `rkyv`. The bytes are those of the struct, so reading
//! does little work. The format is not a competitor of the others, because only a program with the
//! same struct can read the bytes. Its times are lower bounds.

use crate::contents::{Content, STATE};
use crate::eye::{Census, Checksum, Eye};
use crate::flushed::Before;
use crate::rows::{Peer, Row};
use crate::state::{self, State};
use rkyv::Archived;
use rkyv::api::high::to_bytes_in_with_alloc;
use rkyv::rancor::Panic;
use rkyv::ser::allocator::Arena;
use rkyv::util::AlignedVec;
use std::hint::black_box;

type Root = Archived<State>;

pub fn rows(content: &'static Content, rows: &mut Vec<Row>) {
    if content.name != STATE {
        return;
    }
    let state = State::from(state::sample());
    let aligned: &'static AlignedVec =
        Box::leak(Box::new(rkyv::to_bytes::<Panic>(&state).unwrap()));
    let bytes = &aligned[..];
    assert_eq!(with_keys(bytes), content.census, "rkyv");
    let mut peer = Peer::new(rows, content, "rkyv", bytes.len());
    peer.add("typed_decode", || traverse::<Checksum>(black_box(bytes)).0);
    peer.also_after(&[Before::OtherWork]);
    peer.add("validate", || black_box(access(black_box(bytes))).ping_ms.to_native() as u64);
    peer.get(content, |_| Some(access(black_box(bytes)).ping_ms.to_native()));
    let (mut arena, mut out) = (Arena::new(), AlignedVec::<16>::with_capacity(4096));
    peer.add("typed_encode", move || {
        out.clear();
        to_bytes_in_with_alloc::<_, _, Panic>(black_box(&state), &mut out, arena.acquire())
            .unwrap();
        black_box(&out).len() as u64
    });
}

fn access(bytes: &[u8]) -> &Root {
    rkyv::access::<Root, Panic>(bytes).unwrap()
}

/// Accesses the bytes with checks and reads every field.
fn traverse<E: Eye>(bytes: &[u8]) -> E {
    let mut eye = E::default();
    let state = access(bytes);
    eye.text(&state.match_id);
    eye.int(state.tick.to_native());
    eye.int(state.server_time.to_native());
    eye.float(state.delta.to_native());
    eye.text(&state.map);
    eye.int(state.round.to_native());
    eye.bool(state.paused);
    eye.bool(state.ranked);
    eye.int(state.seed.to_native());
    eye.text(&state.weather);
    eye.float(state.gravity.to_native());
    state.wind.iter().for_each(|part| eye.float(part.to_native().into()));
    state.camera.iter().for_each(|part| eye.float(part.to_native().into()));
    eye.int(state.score_red.to_native());
    eye.int(state.score_blue.to_native());
    eye.float(state.time_left.to_native());
    eye.text(&state.host);
    eye.text(&state.region);
    eye.text(&state.version);
    eye.int(state.ping_ms.to_native());
    eye.float(state.loss.to_native());
    eye.int(state.max_players.to_native());
    eye.int(state.flags.to_native());
    eye.text(&state.chat);
    for player in &state.players {
        eye.text(&player.key);
        eye.text(&player.name);
        eye.int(player.hp.to_native());
        player.pos.iter().for_each(|part| eye.float(part.to_native().into()));
        player.vel.iter().for_each(|part| eye.float(part.to_native().into()));
        player.aim.iter().for_each(|part| eye.float(part.to_native().into()));
        eye.int(player.ammo.to_native());
        eye.bool(player.alive);
        eye.float(player.yaw.to_native());
    }
    eye
}

/// Returns a census of the values in `bytes` and of the names of their fields. A missing field
/// changes the census. The names come from the schema, since the bytes do not contain them.
fn with_keys(bytes: &[u8]) -> Census {
    struct Keys(Census);
    impl state::Fields for Keys {
        fn int(&mut self, key: &str, _: i64) {
            self.0.text(key);
        }
        fn float(&mut self, key: &str, _: f64) {
            self.0.text(key);
        }
        fn bool(&mut self, key: &str, _: bool) {
            self.0.text(key);
        }
        fn text(&mut self, key: &str, _: &str) {
            self.0.text(key);
        }
        fn vector<const N: usize>(&mut self, key: &str, _: &[f32; N]) {
            self.0.text(key);
        }
        fn players(&mut self, key: &str, players: &[state::Player; 4]) {
            self.0.text(key);
            players.iter().for_each(|player| state::player(player, self));
        }
    }
    let mut keys = Keys(traverse(bytes));
    state::state(&State::from(state::sample()), &mut keys);
    keys.0
}
