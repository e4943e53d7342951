//! The state of a game, as a program stores it in memory. [`write`] encodes it as the bytes of
//! `state_simple.bin`.

use gamewire::godot::{Error, Vector2, Vector3, Writer};
use minicbor::Encoder;

type Result = core::result::Result<(), Error>;

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
    pub wind: Vector3<f32>,
    pub camera: Vector2<f32>,
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
    pub players: [Player; 4],
}

pub struct Player {
    pub key: String,
    pub name: String,
    pub hp: i64,
    pub pos: Vector3<f32>,
    pub vel: Vector3<f32>,
    pub aim: Vector2<f32>,
    pub ammo: i64,
    pub alive: bool,
    pub yaw: f64,
}

pub fn sample() -> State {
    let player = |index: i64, z: f32, yaw: f64| Player {
        key: format!("p{index}"),
        name: format!("Player_{index}"),
        hp: 100 - 7 * index,
        pos: Vector3 { x: 1.5 * index as f32, y: 0.1, z: -4.25 * index as f32 },
        vel: Vector3 { x: 0.1, y: 0.2, z },
        aim: Vector2 { x: 0.5, y: -0.5 },
        ammo: 30 + index,
        alive: index != 2,
        yaw,
    };
    State {
        match_id: "b7c1f9e2-4a53-4d0c-9a55-0f3b2f6d1c77".into(),
        tick: 184_467,
        server_time: 1_764_000_123_456_789,
        delta: 0.016_666_666_666_666_66,
        map: "res://maps/canyon_run.tscn".into(),
        round: 3,
        paused: false,
        ranked: true,
        seed: 9_007_199_254_740_993,
        weather: "rain".into(),
        gravity: -9.8,
        wind: Vector3 { x: 1.5, y: 0.25, z: -3.0 },
        camera: Vector2 { x: 640.0, y: 360.0 },
        score_red: 12,
        score_blue: 9,
        time_left: 183.25,
        host: "player_one".into(),
        region: "eu-west-1".into(),
        version: "1.4.2-beta".into(),
        ping_ms: 43,
        loss: 0.5,
        max_players: 8,
        flags: 65_537,
        chat: "gg wp — ça va?".into(),
        players: [
            player(0, 0.0, 0.0),
            player(1, 0.3, 1.1),
            player(2, 0.6, 2.2),
            player(3, 0.9, 3.300_000_000_000_000_3),
        ],
    }
}

/// Appends the state as a Dictionary.
pub fn write(state: &State, writer: &mut Writer<&mut Vec<u8>>) -> Result {
    let mut out = writer.dictionary(25)?;
    out.entry("match_id", &*state.match_id)?;
    out.entry("tick", state.tick)?;
    out.entry("server_time", state.server_time)?;
    out.entry("delta", state.delta)?;
    out.entry("map", &*state.map)?;
    out.entry("round", state.round)?;
    out.entry("paused", state.paused)?;
    out.entry("ranked", state.ranked)?;
    out.entry("seed", state.seed)?;
    out.entry("weather", &*state.weather)?;
    out.entry("gravity", state.gravity)?;
    out.entry("wind", state.wind)?;
    out.entry("camera", state.camera)?;
    out.entry("score_red", state.score_red)?;
    out.entry("score_blue", state.score_blue)?;
    out.entry("time_left", state.time_left)?;
    out.entry("host", &*state.host)?;
    out.entry("region", &*state.region)?;
    out.entry("version", &*state.version)?;
    out.entry("ping_ms", state.ping_ms)?;
    out.entry("loss", state.loss)?;
    out.entry("max_players", state.max_players)?;
    out.entry("flags", state.flags)?;
    out.entry("chat", &*state.chat)?;
    out.put("players")?;
    let mut players = out.dictionary(state.players.len())?;
    for player in &state.players {
        players.put(&*player.key)?;
        let mut out = players.dictionary(8)?;
        out.entry("name", &*player.name)?;
        out.entry("hp", player.hp)?;
        out.entry("pos", player.pos)?;
        out.entry("vel", player.vel)?;
        out.entry("aim", player.aim)?;
        out.entry("ammo", player.ammo)?;
        out.entry("alive", player.alive)?;
        out.entry("yaw", player.yaw)?;
        out.finish()?;
    }
    players.finish()?;
    out.finish()
}

/// Appends the same content as a CBOR map.
pub fn write_cbor(state: &State, out: &mut Encoder<&mut Vec<u8>>) -> Option<()> {
    let vector2 = |v: &Vector2<f32>| [v.x, v.y];
    let vector3 = |v: &Vector3<f32>| [v.x, v.y, v.z];
    fn float<'w, 'v>(
        out: &'w mut Encoder<&'v mut Vec<u8>>,
        value: f64,
    ) -> Option<&'w mut Encoder<&'v mut Vec<u8>>> {
        let narrow = value as f32;
        if f64::from(narrow) == value { out.f32(narrow).ok() } else { out.f64(value).ok() }
    }
    out.map(25).ok()?;
    out.str("match_id").ok()?.str(&state.match_id).ok()?;
    out.str("tick").ok()?.i64(state.tick).ok()?;
    out.str("server_time").ok()?.i64(state.server_time).ok()?;
    float(out.str("delta").ok()?, state.delta)?;
    out.str("map").ok()?.str(&state.map).ok()?;
    out.str("round").ok()?.i64(state.round).ok()?;
    out.str("paused").ok()?.bool(state.paused).ok()?;
    out.str("ranked").ok()?.bool(state.ranked).ok()?;
    out.str("seed").ok()?.i64(state.seed).ok()?;
    out.str("weather").ok()?.str(&state.weather).ok()?;
    float(out.str("gravity").ok()?, state.gravity)?;
    out.str("wind").ok()?.encode(vector3(&state.wind)).ok()?;
    out.str("camera").ok()?.encode(vector2(&state.camera)).ok()?;
    out.str("score_red").ok()?.i64(state.score_red).ok()?;
    out.str("score_blue").ok()?.i64(state.score_blue).ok()?;
    float(out.str("time_left").ok()?, state.time_left)?;
    out.str("host").ok()?.str(&state.host).ok()?;
    out.str("region").ok()?.str(&state.region).ok()?;
    out.str("version").ok()?.str(&state.version).ok()?;
    out.str("ping_ms").ok()?.i64(state.ping_ms).ok()?;
    float(out.str("loss").ok()?, state.loss)?;
    out.str("max_players").ok()?.i64(state.max_players).ok()?;
    out.str("flags").ok()?.i64(state.flags).ok()?;
    out.str("chat").ok()?.str(&state.chat).ok()?;
    out.str("players").ok()?.map(state.players.len() as u64).ok()?;
    for player in &state.players {
        out.str(&player.key).ok()?.map(8).ok()?;
        out.str("name").ok()?.str(&player.name).ok()?;
        out.str("hp").ok()?.i64(player.hp).ok()?;
        out.str("pos").ok()?.encode(vector3(&player.pos)).ok()?;
        out.str("vel").ok()?.encode(vector3(&player.vel)).ok()?;
        out.str("aim").ok()?.encode(vector2(&player.aim)).ok()?;
        out.str("ammo").ok()?.i64(player.ammo).ok()?;
        out.str("alive").ok()?.bool(player.alive).ok()?;
        float(out.str("yaw").ok()?, player.yaw)?;
    }
    Some(())
}
