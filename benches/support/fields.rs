//! The types of `derived.rs` with hand-written `FromFields` and `ToFields`.

use super::derived::{Player, Players, State};
use gamewire::godot::{FieldError, Fields, FromFields, PutFields, ToFields};

impl<'a> FromFields<'a> for State<'a> {
    fn from_fields<F: Fields<'a>>(fields: &mut F) -> Result<Self, FieldError> {
        Ok(Self {
            match_id: fields.get("match_id")?,
            tick: fields.get("tick")?,
            server_time: fields.get("server_time")?,
            delta: fields.get("delta")?,
            map: fields.get("map")?,
            round: fields.get("round")?,
            paused: fields.get("paused")?,
            ranked: fields.get("ranked")?,
            seed: fields.get("seed")?,
            weather: fields.get("weather")?,
            gravity: fields.get("gravity")?,
            wind: fields.get("wind")?,
            camera: fields.get("camera")?,
            score_red: fields.get("score_red")?,
            score_blue: fields.get("score_blue")?,
            time_left: fields.get("time_left")?,
            host: fields.get("host")?,
            region: fields.get("region")?,
            version: fields.get("version")?,
            ping_ms: fields.get("ping_ms")?,
            loss: fields.get("loss")?,
            max_players: fields.get("max_players")?,
            flags: fields.get("flags")?,
            chat: fields.get("chat")?,
            players: fields.get("players")?,
        })
    }
}

impl ToFields for State<'_> {
    fn to_fields<F: PutFields>(&self, fields: &mut F) -> Result<(), F::Error> {
        fields.put("match_id", self.match_id)?;
        fields.put("tick", self.tick)?;
        fields.put("server_time", self.server_time)?;
        fields.put("delta", self.delta)?;
        fields.put("map", self.map)?;
        fields.put("round", self.round)?;
        fields.put("paused", self.paused)?;
        fields.put("ranked", self.ranked)?;
        fields.put("seed", self.seed)?;
        fields.put("weather", self.weather)?;
        fields.put("gravity", self.gravity)?;
        fields.put("wind", self.wind)?;
        fields.put("camera", self.camera)?;
        fields.put("score_red", self.score_red)?;
        fields.put("score_blue", self.score_blue)?;
        fields.put("time_left", self.time_left)?;
        fields.put("host", self.host)?;
        fields.put("region", self.region)?;
        fields.put("version", self.version)?;
        fields.put("ping_ms", self.ping_ms)?;
        fields.put("loss", self.loss)?;
        fields.put("max_players", self.max_players)?;
        fields.put("flags", self.flags)?;
        fields.put("chat", self.chat)?;
        fields.put("players", &self.players)
    }
}

impl<'a> FromFields<'a> for Players<'a> {
    fn from_fields<F: Fields<'a>>(fields: &mut F) -> Result<Self, FieldError> {
        Ok(Self {
            p0: fields.get("p0")?,
            p1: fields.get("p1")?,
            p2: fields.get("p2")?,
            p3: fields.get("p3")?,
        })
    }
}

impl ToFields for Players<'_> {
    fn to_fields<F: PutFields>(&self, fields: &mut F) -> Result<(), F::Error> {
        fields.put("p0", &self.p0)?;
        fields.put("p1", &self.p1)?;
        fields.put("p2", &self.p2)?;
        fields.put("p3", &self.p3)
    }
}

impl<'a> FromFields<'a> for Player<'a> {
    fn from_fields<F: Fields<'a>>(fields: &mut F) -> Result<Self, FieldError> {
        Ok(Self {
            name: fields.get("name")?,
            hp: fields.get("hp")?,
            pos: fields.get("pos")?,
            vel: fields.get("vel")?,
            aim: fields.get("aim")?,
            ammo: fields.get("ammo")?,
            alive: fields.get("alive")?,
            yaw: fields.get("yaw")?,
        })
    }
}

impl ToFields for Player<'_> {
    fn to_fields<F: PutFields>(&self, fields: &mut F) -> Result<(), F::Error> {
        fields.put("name", self.name)?;
        fields.put("hp", self.hp)?;
        fields.put("pos", self.pos)?;
        fields.put("vel", self.vel)?;
        fields.put("aim", self.aim)?;
        fields.put("ammo", self.ammo)?;
        fields.put("alive", self.alive)?;
        fields.put("yaw", self.yaw)
    }
}
