//! A UDP server that does not allocate, for clients that use `PacketPeerUDP.put_var`. The server
//! answers the packet `["ping", n]` with `["pong", n + 1]`. It answers any other packet with
//! `["error", "not a ping"]`.
//!
//! ```text
//! cargo run --release --example udp_server             # listens on 127.0.0.1:4242
//! cargo run --release --example udp_server -- godot3   # for clients in Godot 3
//! ```
//!
//! In Godot, call `peer.connect_to_host("127.0.0.1", 4242)`, and then `peer.put_var(["ping", 1])`.

use gamewire::SliceSink;
use gamewire::godot::{Dialect, Limits, Reader, Writer};
use std::{env, error::Error, net::UdpSocket};

/// Writes the answer to a packet, and returns the length of the answer.
pub fn answer(
    packet: &[u8],
    dialect: Dialect,
    memory: &mut [u8],
) -> Result<usize, gamewire::godot::Error> {
    let mut reader = Reader::new(packet, dialect).limits(Limits::ENGINE);
    let request = reader.read().ok().and_then(|value| value.as_array());
    let ping = request.and_then(|request| {
        let mut items = request.iter();
        let name = items.next()?.as_str()?;
        (name == "ping").then_some(items.next()?.as_i64()?)
    });

    let mut writer = Writer::new(SliceSink::new(memory), dialect);
    let mut items = writer.array(2)?;
    match ping {
        Some(n) => items.entry("pong", n.wrapping_add(1))?,
        None => items.entry("error", "not a ping")?,
    }
    items.finish()?;
    Ok(writer.into_sink().into_written().len())
}

fn main() -> Result<(), Box<dyn Error>> {
    let dialect = env::args().nth(1).map_or(Ok(Dialect::Godot4), |name| name.parse())?;
    let socket = UdpSocket::bind("127.0.0.1:4242")?;
    println!("listening on {}", socket.local_addr()?);
    let (mut packet, mut memory) = ([0; 65_536], [0; 1024]);
    loop {
        let (len, from) = socket.recv_from(&mut packet)?;
        match answer(&packet[..len], dialect, &mut memory) {
            Ok(len) => drop(socket.send_to(&memory[..len], from)?),
            Err(error) => eprintln!("{from}: {error}"),
        }
    }
}
