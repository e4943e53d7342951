// Made by gamewire from 1 packet.

use gamewire::godot;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct State<'a> {
    // "b7c1f9e2-4a53-4d0c-9a55-0f3b2f6d1c77"
    pub match_id: &'a str,
    // 184467
    pub tick: i32,
    // 1764000123456789, 64-bit
    pub server_time: i64,
    // 0.01666666666666666, 64-bit
    pub delta: f64,
    // "res://maps/canyon_run.tscn"
    pub map: &'a str,
    // 3
    pub round: i32,
    // false
    pub paused: bool,
    // true
    pub ranked: bool,
    // 9007199254740993, 64-bit
    pub seed: i64,
    // "rain"
    pub weather: &'a str,
    // -9.8, 64-bit
    pub gravity: f64,
    // (1.5, 0.25, -3.0)
    pub wind: godot::Vector3<f32>,
    // (640.0, 360.0)
    pub camera: godot::Vector2<f32>,
    // 12
    pub score_red: i32,
    // 9
    pub score_blue: i32,
    // 183.25
    pub time_left: f32,
    // "player_one"
    pub host: &'a str,
    // "eu-west-1"
    pub region: &'a str,
    // "1.4.2-beta"
    pub version: &'a str,
    // 43
    pub ping_ms: i32,
    // 0.5
    pub loss: f32,
    // 8
    pub max_players: i32,
    // 65537
    pub flags: i32,
    // "gg wp — ça va?"
    pub chat: &'a str,
    // 4 pairs, keys String 2 bytes: "p0", "p1", "p2", "p3"
    #[serde(borrow)]
    pub players: BTreeMap<&'a str, Player<'a>>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Player<'a> {
    // 8 bytes: "Player_0", "Player_1", "Player_2", "Player_3"
    pub name: &'a str,
    // 79 to 100
    pub hp: i32,
    // (0.0 to 4.5, 0.1, -12.75 to -0.0)
    pub pos: godot::Vector3<f32>,
    // (0.1, 0.2, 0.0 to 0.9)
    pub vel: godot::Vector3<f32>,
    // (0.5, -0.5)
    pub aim: godot::Vector2<f32>,
    // 30 to 33
    pub ammo: i32,
    pub alive: bool,
    // 0.0 to 3.3000000000000003, 3 in 64 bits
    pub yaw: f64,
}
