// Made by gamewire from 2 packets.

use gamewire::godot;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Game<'a> {
    // 123456
    pub tick: i32,
    // 2057.6, 64-bit
    pub time: f64,
    // "res://levels/arena.tscn"
    pub level: &'a str,
    // 1 to 16 elements
    #[serde(borrow)]
    pub players: Vec<Player<'a>>,
    #[serde(borrow)]
    pub events: Events<'a>,
    // 4 elements, 0.5 to 3.5
    pub terrain: godot::Packed<Vec<f32>>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Player<'a> {
    // 1000 to 1015
    pub id: i32,
    // 8 to 9 bytes: "player_0", "player_1", "player_10", …
    pub name: &'a str,
    // (-675.19147 to 682.20593, -833.0732 to 763.2981, -905.0928 to 748.6548)
    pub position: godot::Vector3<f32>,
    // (-993.91833 to 887.3285, -772.1119 to 999.1522, -920.431 to 895.08813)
    pub velocity: godot::Vector3<f32>,
    // (0.0, 0.70710677, 0.0, 0.70710677)
    pub rotation: godot::Quaternion<f32>,
    // 92.5 to 100.0
    pub health: f32,
    // 3 to 4 bytes: "blue", "red"
    #[serde(borrow)]
    pub team: godot::StringName<&'a str>,
    // 4 elements, 0 to 15
    pub inventory: godot::Packed<Vec<i32>>,
    pub flags: Flags,
    // (0.25, 0.5, 0.75, 1.0)
    pub color: godot::Color<f32>,
    // "/root/Main/Players/p1"
    pub target: godot::NodePath<String>,
    // 0 to 118785
    pub last_input: i32,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Flags {
    // true
    pub alive: bool,
    // false
    pub crouching: bool,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Events<'a>(pub &'a str, pub &'a str, pub i32, pub godot::Vector2<i32>);
