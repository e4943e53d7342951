//! The state of `state_simple.bin` as types that serde derives reading and writing for.

use gamewire::godot::{Vector2, Vector3};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub struct State<'a> {
    match_id: &'a str,
    tick: i64,
    server_time: i64,
    delta: f64,
    map: &'a str,
    round: i64,
    paused: bool,
    ranked: bool,
    seed: i64,
    weather: &'a str,
    gravity: f64,
    wind: Vector3<f32>,
    camera: Vector2<f32>,
    score_red: i64,
    score_blue: i64,
    time_left: f64,
    host: &'a str,
    region: &'a str,
    version: &'a str,
    ping_ms: i64,
    loss: f64,
    max_players: i64,
    flags: i64,
    chat: &'a str,
    #[serde(borrow)]
    players: Players<'a>,
}

#[derive(Serialize, Deserialize)]
pub struct Players<'a> {
    #[serde(borrow)]
    p0: Player<'a>,
    p1: Player<'a>,
    p2: Player<'a>,
    p3: Player<'a>,
}

#[derive(Serialize, Deserialize)]
pub struct Player<'a> {
    name: &'a str,
    hp: i64,
    pos: Vector3<f32>,
    vel: Vector3<f32>,
    aim: Vector2<f32>,
    ammo: i64,
    alive: bool,
    yaw: f64,
}
