//! Tests how conversations are told apart, and which of them are dropped.

use super::observer::{CALL_BY_NUMBER, CLIENT_PORT, Observer, PATH, SERVER_PORT, message, short};
use gamewire::capture::{Segment, Transport};
use gamewire::traffic::{Content, Conversations, Options};
use gamewire::transport::tcp;
use std::net::{IpAddr, SocketAddr};

#[test]
fn records_of_one_port() {
    let record_count = |port| {
        let mut options = Options::default();
        options.port = port;
        let mut observer = Observer::with(options, short);
        observer.udp(true, &[2, 0, 0, 0, 5, 0, 0, 0]);
        observer.udp(false, &[2, 0, 0, 0, 6, 0, 0, 0]);
        observer.take().len()
    };
    let ports = [None, Some(SERVER_PORT), Some(CLIENT_PORT), Some(1)];
    assert_eq!(ports.map(record_count), [2, 2, 2, 0]);
}

/// A packet after a gap in a stream waits for the missing bytes. At the end of the capture, it is
/// reported after a record of the loss.
#[test]
fn a_stream_with_a_gap() {
    let mut observer = Observer::new();
    observer.tcp(false, SERVER_PORT, b"HTTP/1.1 101 Sure\r\nUpgrade: websocket\r\n\r\n");
    observer.tcp(false, SERVER_PORT, &message(false, 0x82, b"\x03a"));
    observer.skip_bytes(false, 4);
    observer.take();
    observer.tcp(false, SERVER_PORT, &message(false, 0x82, b"\x03c"));
    assert!(observer.take().is_empty());
    observer.finish();
    assert_eq!(observer.take(), ["? Control(Lost)", "4? c"]);
}

/// If there are too many conversations, a new conversation replaces the least recently used one.
#[test]
fn least_recently_used_flow_is_dropped() {
    let mut options = Options::default();
    options.limits.flows = 3;
    let mut observer = Observer::with(options, short);
    let connect = |observer: &mut Observer, client| {
        observer.client = client;
        observer.connect(255);
        observer.packet(true, 0, 1, PATH);
        observer.take();
    };
    let knows_path = |observer: &mut Observer, client, sequence| {
        observer.client = client;
        observer.packet(true, 0, sequence, CALL_BY_NUMBER);
        observer.take().last().unwrap().contains("of Main")
    };
    [1, 2, 3].into_iter().for_each(|client| connect(&mut observer, client));
    connect(&mut observer, 4); // replaces client 1, the oldest
    assert!(knows_path(&mut observer, 2, 2));
    connect(&mut observer, 5); // replaces client 3, which is now the least recently used
    assert!(knows_path(&mut observer, 2, 3));
    assert!(knows_path(&mut observer, 4, 2));
    assert!(knows_path(&mut observer, 5, 2));
    assert!(!knows_path(&mut observer, 3, 2));
}

const FRAME: &[u8] = &[8, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0];

/// Sends the same segment between each pair of addresses. Returns the number of reported values,
/// which is the number of different streams.
fn streams<A: Into<IpAddr> + Copy>(pairs: &[[(A, u16); 2]]) -> usize {
    let mut conversations = Conversations::default();
    let mut count = 0;
    for pair in pairs {
        let [source, destination] = pair.map(SocketAddr::from);
        let segment = tcp::Segment { sequence: 1, payload: FRAME, ..tcp::Segment::default() };
        let segment = Segment { source, destination, transport: Transport::Tcp(segment) };
        conversations.segment(None, &segment, &mut |record| {
            assert!(matches!(record.content, Content::Value(_)), "{record:?}");
            count += 1;
        });
    }
    count
}

#[test]
fn each_pair_has_streams_of_its_own() {
    let [a, b, c] = [1, 2, 3].map(|last| ([10, 0, 0, last], 5000));
    assert_eq!(streams(&[[a, b], [b, a], [a, b], [b, a]]), 2);
    let all = [[a, b], [a, c], [b, c], [b, a], [c, a], [c, b]];
    for first in 0..6 {
        let mut all = all;
        all.rotate_left(first);
        assert_eq!(streams(&all), 6);
    }
    let mut once = all;
    once.reverse();
    assert_eq!(streams(&once), 6);
}

#[test]
fn address_of_zeros() {
    let [a, b] = [1, 2].map(|last| ([10, 0, 0, last], 5000));
    for port in [0, 1] {
        let zeros = ([0; 4], port);
        assert_eq!(streams(&[[a, b], [zeros, zeros]]), 2);
    }
}

#[test]
fn connection_to_itself_is_one_stream() {
    let own = ([10, 0, 0, 1], 5000);
    assert_eq!(streams(&[[own, own], [own, own]]), 1);
    let own = ([1, 2, 3, 4, 5, 6, 7, 8], 5000);
    assert_eq!(streams(&[[own, own], [own, own]]), 1);
}

/// Addresses whose halves are swapped have the same hash. The second pair of addresses also has a
/// bit set that the hash does not contain.
#[test]
fn ipv6_addresses_with_similar_hashes() {
    let server = ([0_u16; 8], 5000);
    for half in [[1, 2, 3, 4], [1, 0x8000, 3, 4]] {
        let [a, b, c, d] = half;
        let there = ([a, b, c, d, 0, 0, 0, 0], 5000);
        let back = ([0, 0, 0, 0, a, b, c, d], 5000);
        assert_eq!(streams(&[[there, server], [back, server]]), 2, "{half:?}");
        assert_eq!(streams(&[[server, back], [server, there], [there, server]]), 3, "{half:?}");
    }
}

/// No packet contains both an IPv4 and an IPv6 address, but a caller can create a `Segment` that
/// does.
#[test]
fn ipv4_and_ipv6_addresses_in_one_pair() {
    let short = (IpAddr::from([10, 0, 0, 1]), 5000);
    let [there, back] = [[1, 2, 3, 4, 0, 0, 0, 0], [0, 0, 0, 0, 1, 2, 3, 4]].map(IpAddr::from);
    let [there, back] = [there, back].map(|long| (long, 5000));
    assert_eq!(streams(&[[short, there], [short, back]]), 2);
    assert_eq!(streams(&[[there, short], [back, short]]), 2);
}
