//! Asserts that hosts do not allocate once the connections are open and their buffers have grown.

use crate::counting::without_allocating;
use gamewire::transport::websocket::Kind;
use gamewire::transport::websocket::host::{Config, Connection, Event, Host, HostConfig, PeerKey};

/// Passes what one side wrote to the other, and returns the number of messages that arrived.
fn exchange(host: &mut Host, peer: PeerKey, client: &mut Connection, now: u64) -> usize {
    let mut messages = 0;
    let mut count = |event: Event<'_>| match event {
        Event::Message(_) => messages += 1,
        Event::Opened(_) => {}
        Event::Closed(closed) => panic!("{closed:?}"),
    };
    while !client.output().is_empty() {
        host.receive(now, peer, client.output(), &mut count);
        client.sent(client.output().len());
    }
    while let Some((to, bytes)) = host.poll_transmit() {
        assert_eq!(to, peer);
        let written = bytes.len();
        client.receive(now, bytes, &mut count);
        host.sent(peer, written);
    }
    host.advance(now, |_, event| panic!("{event:?}"));
    client.advance(now, &mut count);
    messages
}

#[test]
fn websocket_host() {
    let mut host = Host::new(HostConfig::default());
    let peer = host.accept(0).unwrap().peer;
    let mut client = Connection::client(Config::default(), 0, "a", "/", 1).unwrap();
    assert_eq!(exchange(&mut host, peer, &mut client, 0), 0);
    exchange(&mut host, peer, &mut client, 0);

    let mut now = 0;
    let mut round = |len| {
        now += 7000;
        client.send(Kind::Binary, &[1; 20_000][..len]).unwrap();
        host.send(peer, Kind::Text, &[b'a'; 20_000][..len]).unwrap();
        exchange(&mut host, peer, &mut client, now)
    };
    round(20_000);
    let messages: usize =
        without_allocating("WebSockets", || (0..100).map(|n| round(n * 200)).sum());
    assert_eq!(messages, 200);

    // A new stream uses the memory of an earlier one.
    host.remove(peer);
    without_allocating("a new stream", || host.accept(now).unwrap());
}
