//! Tests the bounds of ENet hosts: commands of a client that has joined, and requests of clients that
//! have not.

use super::enet::{command, datagrams, shapes};
use crate::measure::{Entry, Family, Memory, SMALL_INPUT, Shape, shape, without_allocation};
use gamewire::transport::enet::{
    Acknowledge, Body, Config, Connect, Datagram, Host, VerifyConnect,
};
use std::cell::RefCell;
use std::hint::black_box;
use std::net::SocketAddr;

/// The only limit on memory is that of the host, which is created once.
const MEMORY: Memory = Memory::PerByte(2, 8 << 20);

fn family() -> Family {
    let entry = |name, run| Entry { memory: MEMORY, ..without_allocation(name, run) };
    let entries = vec![
        entry("enet::Host, a client that has joined", |input| feed(input, true)),
        entry("enet::Host, clients that have not", |input| feed(input, false)),
    ];
    let mut shapes = shapes();
    shapes.extend(own_shapes());
    Family { entries, shapes, max_instructions_per_byte: 5_000.0, small_input: 8 * SMALL_INPUT }
}

fn own_shapes() -> Vec<Shape> {
    vec![
        // Each is inserted before all those that wait.
        shape("unreliable packets that wait, from the end", |size| {
            datagrams(size, |n| {
                let number = 60_000 - (n % 60_000) as u16;
                command(0, 5, Body::Unreliable { number, payload: b"" })
            })
        }),
        shape("acknowledgements of nothing", |size| {
            datagrams(size, |n| {
                let (sequence, sent_time) = (n as u16, (n / 7) as u16);
                command(n as u8, n, Body::Acknowledge(Acknowledge { sequence, sent_time }))
            })
        }),
        shape("packets on all channels", |size| {
            datagrams(size, |n| {
                command((n % 255) as u8, n / 255 + 1, Body::Reliable { payload: b"" })
            })
        }),
        shape("pings", |size| datagrams(size, |n| command(255, n, Body::Ping))),
    ]
}

#[test]
fn work() {
    family().assert_work("net::enet_host::work");
}

#[test]
fn memory() {
    family().assert_memory();
}

thread_local! {
    static HOST: RefCell<(Host, u64)> = RefCell::new((new_host(), 0));
}

fn new_host() -> Host {
    Host::new(Config { peers: 16, memory: 4 << 20, seed: 3, ..Config::default() })
}

fn address(number: u64) -> SocketAddr {
    SocketAddr::from(((number as u32 | 0x0A00_0000).to_be_bytes(), 4000))
}

/// Passes datagrams to a host, as those of one client that has joined or of many that have not.
fn feed(mut input: &[u8], has_joined: bool) {
    HOST.with_borrow_mut(|(host, runs)| {
        *runs += 1;
        host.peers().collect::<Vec<_>>().iter().for_each(|peer| host.disconnect_now(*peer, 0));
        poll(host, 0);
        let answer = has_joined.then(|| join(host, *runs));
        let mut number = 0;
        while let Some((len, rest)) = input.split_first_chunk() {
            let (datagram, rest) = rest.split_at(usize::from(u16::from_le_bytes(*len)));
            number += 1;
            let from = if has_joined { address(0) } else { address(number) };
            host.receive(0, from, &with_header(datagram, answer));
            poll(host, 0);
            input = rest;
        }
    });
}

/// Replaces the header of two bytes by one with the client's place, and with a time.
fn with_header(datagram: &[u8], answer: Option<VerifyConnect>) -> Vec<u8> {
    let (peer, session) = match answer {
        Some(answer) => (answer.outgoing_peer, answer.outgoing_session),
        None => (Datagram::NO_PEER, 0),
    };
    let (sent_time, compressed, checksum) = (Some(1), false, None);
    let body = &datagram[2.min(datagram.len())..];
    let mut bytes = Vec::new();
    Datagram { peer, session, compressed, sent_time, checksum, body }.write(&mut bytes).unwrap();
    bytes
}

fn poll(host: &mut Host, now: u64) -> Option<(VerifyConnect, u16)> {
    let mut answer = None;
    while let Some(event) = host.poll_event() {
        black_box(event);
    }
    while let Some(datagram) = host.poll_transmit(now) {
        let header = Datagram::parse(datagram.bytes).unwrap();
        for command in header.commands().flatten() {
            if let Body::VerifyConnect(verify) = command.body {
                answer = header.sent_time.map(|time| (verify, time));
            }
        }
    }
    answer
}

fn join(host: &mut Host, connect_id: u64) -> VerifyConnect {
    let connect = Connect {
        incoming_session: 255,
        outgoing_session: 255,
        mtu: 1392,
        window: 1 << 16,
        channels: 255,
        connect_id: connect_id as u32,
        ..Connect::default()
    };
    let mut request = vec![0, 0];
    command(255, 1, Body::Connect(connect)).write(&mut request).unwrap();
    host.receive(0, address(0), &with_header(&request, None));
    let (answer, sent_time) = poll(host, 0).unwrap();
    let mut proof = vec![0, 0];
    let acknowledge = Acknowledge { sequence: 1, sent_time };
    command(255, 1, Body::Acknowledge(acknowledge)).write(&mut proof).unwrap();
    host.receive(0, address(0), &with_header(&proof, Some(answer)));
    assert_eq!(host.peers().count(), 1);
    answer
}
