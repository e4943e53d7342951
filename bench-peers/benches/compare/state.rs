//! The state of `state_simple.bin` as structs, from which other formats are written.

use rkyv::Archive;
use serde::Serialize;
use serde::ser::Serializer;

#[path = "../../../benches/support/state.rs"]
#[expect(dead_code, reason = "CBOR is written from here as the other formats are")]
mod support;

pub use support::{sample, write};

#[derive(Archive, rkyv::Serialize, Serialize)]
pub struct State {
    pub match_id: String,
    pub tick: i64,
    pub server_time: i64,
    pub delta: f64,
    pub map: String,
    pub round: i64,
    pub paused: bool,
    pub ranked: bool,
    pub seed: i64,
    pub weather: String,
    pub gravity: f64,
    pub wind: [f32; 3],
    pub camera: [f32; 2],
    pub score_red: i64,
    pub score_blue: i64,
    pub time_left: f64,
    pub host: String,
    pub region: String,
    pub version: String,
    pub ping_ms: i64,
    pub loss: f64,
    pub max_players: i64,
    pub flags: i64,
    pub chat: String,
    #[serde(serialize_with = "by_key")]
    pub players: [Player; 4],
}

#[derive(Archive, rkyv::Serialize, Serialize)]
pub struct Player {
    #[serde(skip)]
    pub key: String,
    pub name: String,
    pub hp: i64,
    pub pos: [f32; 3],
    pub vel: [f32; 3],
    pub aim: [f32; 2],
    pub ammo: i64,
    pub alive: bool,
    pub yaw: f64,
}

fn by_key<S: Serializer>(players: &[Player; 4], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(players.iter().map(|player| (&player.key, player)))
}

impl From<support::State> for State {
    fn from(state: support::State) -> Self {
        Self {
            match_id: state.match_id,
            tick: state.tick,
            server_time: state.server_time,
            delta: state.delta,
            map: state.map,
            round: state.round,
            paused: state.paused,
            ranked: state.ranked,
            seed: state.seed,
            weather: state.weather,
            gravity: state.gravity,
            wind: [state.wind.x, state.wind.y, state.wind.z],
            camera: [state.camera.x, state.camera.y],
            score_red: state.score_red,
            score_blue: state.score_blue,
            time_left: state.time_left,
            host: state.host,
            region: state.region,
            version: state.version,
            ping_ms: state.ping_ms,
            loss: state.loss,
            max_players: state.max_players,
            flags: state.flags,
            chat: state.chat,
            players: state.players.map(Player::from),
        }
    }
}

impl From<support::Player> for Player {
    fn from(player: support::Player) -> Self {
        Self {
            key: player.key,
            name: player.name,
            hp: player.hp,
            pos: [player.pos.x, player.pos.y, player.pos.z],
            vel: [player.vel.x, player.vel.y, player.vel.z],
            aim: [player.aim.x, player.aim.y],
            ammo: player.ammo,
            alive: player.alive,
            yaw: player.yaw,
        }
    }
}

/// A receiver of the fields of a map, in order.
pub trait Fields {
    fn int(&mut self, key: &str, value: i64);
    fn float(&mut self, key: &str, value: f64);
    fn bool(&mut self, key: &str, value: bool);
    fn text(&mut self, key: &str, value: &str);
    fn vector<const N: usize>(&mut self, key: &str, parts: &[f32; N]);
    /// Writes a map of players. Each player is a map of 8 fields, which [`player`] writes.
    fn players(&mut self, key: &str, players: &[Player; 4]);
}

/// Writes the 25 fields of a state.
#[inline(always)]
pub fn state(state: &State, to: &mut impl Fields) {
    to.text("match_id", &state.match_id);
    to.int("tick", state.tick);
    to.int("server_time", state.server_time);
    to.float("delta", state.delta);
    to.text("map", &state.map);
    to.int("round", state.round);
    to.bool("paused", state.paused);
    to.bool("ranked", state.ranked);
    to.int("seed", state.seed);
    to.text("weather", &state.weather);
    to.float("gravity", state.gravity);
    to.vector("wind", &state.wind);
    to.vector("camera", &state.camera);
    to.int("score_red", state.score_red);
    to.int("score_blue", state.score_blue);
    to.float("time_left", state.time_left);
    to.text("host", &state.host);
    to.text("region", &state.region);
    to.text("version", &state.version);
    to.int("ping_ms", state.ping_ms);
    to.float("loss", state.loss);
    to.int("max_players", state.max_players);
    to.int("flags", state.flags);
    to.text("chat", &state.chat);
    to.players("players", &state.players);
}

/// Writes the 8 fields of a player.
#[inline(always)]
pub fn player(player: &Player, to: &mut impl Fields) {
    to.text("name", &player.name);
    to.int("hp", player.hp);
    to.vector("pos", &player.pos);
    to.vector("vel", &player.vel);
    to.vector("aim", &player.aim);
    to.int("ammo", player.ammo);
    to.bool("alive", player.alive);
    to.float("yaw", player.yaw);
}
