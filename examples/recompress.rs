//! A UDP proxy between the client and the server of a game. It decompresses each ENet datagram, and
//! compresses it again with this library. Use it to test that engines can read what this library
//! compresses: the game must run as it does without the proxy.
//!
//! ```text
//! cargo run --example recompress --features transport,compression -- zstd 24601 24600
//! ```
//!
//! With these arguments, the proxy receives the datagrams of one client on port 24601 of this
//! machine, and passes them to the server on port 24600. Client and server must both use the
//! compression `zstd`.

use gamewire::transport::enet::{CompressionMode, Datagram, DatagramCodec};
use std::error::Error;
use std::net::UdpSocket;
use std::{env, io, thread};

/// Decompresses a datagram, and compresses it again. Also compresses those that the engine left
/// uncompressed, if that makes them shorter.
fn recompress(
    bytes: &[u8],
    mode: CompressionMode,
    codec: &mut DatagramCodec,
) -> Result<Vec<u8>, Box<dyn Error>> {
    let datagram = Datagram::parse(bytes)?;
    let commands = match datagram.compressed {
        true => codec.decompress(mode, datagram.body, datagram.header_len())?.to_vec(),
        false => datagram.body.to_vec(),
    };
    let (body, compressed) = match codec.compress(mode, &commands)? {
        Some(body) => (body, true),
        None => (&commands[..], false),
    };
    let mut out = Vec::new();
    Datagram { body, compressed, ..datagram }.write(&mut out)?;
    Ok(out)
}

/// Passes on all datagrams that a socket receives. Datagrams that cannot be read are passed on
/// unchanged.
fn pass(from: &UdpSocket, to: &UdpSocket, mode: CompressionMode) -> io::Result<()> {
    let mut codec = DatagramCodec::new();
    let mut buffer = [0; 4096];
    loop {
        let len = match from.recv(&mut buffer) {
            Err(error) if is_closed(&error) => continue,
            received => received?,
        };
        let datagram = &buffer[..len];
        let again = recompress(datagram, mode, &mut codec).unwrap_or_else(|error| {
            eprintln!("{error}");
            datagram.to_vec()
        });
        match to.send(&again) {
            Err(error) if is_closed(&error) => {}
            sent => _ = sent?,
        }
    }
}

/// Returns `true` if the error means that no program receives the datagrams that were sent, because
/// the receiver has not started yet or has ended.
fn is_closed(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::ConnectionRefused
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let [mode, port, server] = &arguments[..] else {
        return Err("arguments: COMPRESSION PORT SERVER_PORT".into());
    };
    let mode: CompressionMode = mode.parse()?;
    let front = UdpSocket::bind(("127.0.0.1", port.parse()?))?;
    let (_, client) = front.peek_from(&mut [0; 4096])?;
    front.connect(client)?;
    let back = UdpSocket::bind("127.0.0.1:0")?;
    back.connect(("127.0.0.1", server.parse()?))?;
    thread::scope(|scope| {
        scope.spawn(|| pass(&back, &front, mode));
        Ok(pass(&front, &back, mode)?)
    })
}
