//! Types for the state in `state_simple.bin` that derive `Deserialize` and `Serialize`.

use gamewire::godot::{Vector2, Vector3};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub struct State<'a> {
    pub match_id: &'a str,
    pub tick: i64,
    pub server_time: i64,
    pub delta: f64,
    pub map: &'a str,
    pub round: i64,
    pub paused: bool,
    pub ranked: bool,
    pub seed: i64,
    pub weather: &'a str,
    pub gravity: f64,
    pub wind: Vector3<f32>,
    pub camera: Vector2<f32>,
    pub score_red: i64,
    pub score_blue: i64,
    pub time_left: f64,
    pub host: &'a str,
    pub region: &'a str,
    pub version: &'a str,
    pub ping_ms: i64,
    pub loss: f64,
    pub max_players: i64,
    pub flags: i64,
    pub chat: &'a str,
    #[serde(borrow)]
    pub players: Players<'a>,
}

#[derive(Serialize, Deserialize)]
pub struct Players<'a> {
    #[serde(borrow)]
    pub p0: Player<'a>,
    pub p1: Player<'a>,
    pub p2: Player<'a>,
    pub p3: Player<'a>,
}

#[derive(Serialize, Deserialize)]
pub struct Player<'a> {
    pub name: &'a str,
    pub hp: i64,
    pub pos: Vector3<f32>,
    pub vel: Vector3<f32>,
    pub aim: Vector2<f32>,
    pub ammo: i64,
    pub alive: bool,
    pub yaw: f64,
}
