//! A TCP server on tokio, for clients that use `StreamPeer.put_var`. The server answers `["ping",
//! n]` with `["pong", n + 1]`, and any other value with `["error", reason]`.
//!
//! ```text
//! cargo run --release --example tcp_server --features tokio-codec             # 127.0.0.1:4242
//! cargo run --release --example tcp_server --features tokio-codec -- godot3   # clients in Godot 3
//! ```
//!
//! In Godot, call `peer.connect_to_host("127.0.0.1", 4242)`. Once the peer is connected, call
//! `peer.put_var(["ping", 1])` and then `peer.get_var()`.

use futures_util::{SinkExt, StreamExt};
use gamewire::godot::frame::{FrameCodec, Framing};
use gamewire::godot::{self, Dialect, Limits, Reader, Writer};
use std::{env, error::Error, io};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::codec::Framed;

/// The longest value that a client may send. For each client, the server keeps a buffer of at most
/// this size, and one answer. The server reads no further request until the answer is sent.
const LONGEST: u32 = 64 << 10;

/// Reads a frame that contains `["ping", n]`, and returns `n`. Returns an error message if the
/// frame does not contain such a value.
fn ping(frame: &[u8], dialect: Dialect) -> Result<i64, String> {
    let mut reader = Reader::new(frame, dialect).limits(Limits::ENGINE);
    let value = reader.read().map_err(|error| error.to_string())?;
    reader.finish().map_err(|error| error.to_string())?;
    let request = value.as_array().map(|request| (request.get(0), request.get(1)));
    match request {
        Some((Some(name), Some(n))) if name.as_str().is_some_and(|name| name == "ping") => {
            n.as_i64().ok_or_else(|| "not a number".into())
        }
        _ => Err("not a ping".into()),
    }
}

/// Writes an answer into the buffer, in place of the previous one.
fn answer(
    ping: Result<i64, String>,
    dialect: Dialect,
    into: &mut Vec<u8>,
) -> Result<(), godot::Error> {
    into.clear();
    let mut writer = Writer::new(into, dialect);
    let mut items = writer.array(2)?;
    match ping {
        Ok(n) => items.entry("pong", n.wrapping_add(1))?,
        Err(problem) => items.entry("error", &*problem)?,
    }
    items.finish()
}

/// Serves one client until the client leaves, the connection fails, or the stream cannot be decoded
/// further.
async fn serve(stream: TcpStream, dialect: Dialect) -> io::Result<()> {
    let framing = Framing { max_len: LONGEST, ..Framing::default() };
    let mut framed = Framed::new(stream, FrameCodec::new(framing));
    let mut value = Vec::new();
    while let Some(frame) = framed.next().await {
        // An invalid frame ends the stream, since the start of the next one is unknown.
        let ping = match &frame {
            Ok(frame) => ping(frame, dialect),
            Err(error) => Err(error.to_string()),
        };
        answer(ping, dialect, &mut value).map_err(io::Error::other)?;
        framed.send(&value).await?;
        frame?;
    }
    Ok(())
}

async fn run(dialect: Dialect) -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:4242").await?;
    println!("listening on {}", listener.local_addr()?);
    loop {
        let (stream, from) = match listener.accept().await {
            Ok(accepted) => accepted,
            // A client gave up, or there are too many clients. Keep serving the others.
            Err(error) => {
                eprintln!("{error}");
                tokio::task::yield_now().await;
                continue;
            }
        };
        tokio::spawn(async move {
            match serve(stream, dialect).await {
                Ok(()) => println!("{from} has left"),
                Err(error) => println!("{from}: {error}"),
            }
        });
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let dialect = env::args().nth(1).map_or(Ok(Dialect::Godot4), |name| name.parse())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    Ok(runtime.block_on(run(dialect))?)
}
