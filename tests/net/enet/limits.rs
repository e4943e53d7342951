//! Tests the memory limits of a session.

use super::observer::{
    Observer, command, connect, control, fragment, fragment_of, reliable, unreliable,
    unreliable_fragment_after,
};
use gamewire::transport::enet::{Body, Limits};

#[test]
fn waiting_packets_over_the_limit() {
    let mut observer = Observer::new(Limits { waiting: 3, ..Limits::default() });
    observer
        .feed(&[control(connect(1)), reliable(3, "c"), reliable(5, "e"), reliable(8, "h")])
        .take();
    observer.feed(&[reliable(9, "i")]);
    assert_eq!(observer.take(), ["lost r0:1+2", "r0:3=c"]);
    // The limit applies to all channels together. The oldest waiting packet is delivered first,
    // although it is on another channel.
    let other = |sequence| command(1, sequence, Body::Reliable { payload: b"" });
    let mut observer = Observer::new(Limits { waiting: 3, ..Limits::default() });
    observer.feed(&[control(connect(1)), other(2), reliable(2, "b"), reliable(4, "d")]).take();
    observer.feed(&[reliable(5, "e")]);
    assert_eq!(observer.take(), ["lost r1:1+1", "r1:2="]);
    // The session gives up the missing packets, and delivers the waiting packet and the new packet.
    let mut observer = Observer::new(Limits { waiting: 1, ..Limits::default() });
    observer.feed(&[control(connect(1)), reliable(2, "b"), reliable(3, "c")]);
    assert_eq!(observer.take(), ["control 2", "lost r0:1+1", "r0:2=b", "r0:3=c"]);
    let mut observer = Observer::new(Limits { waiting: 0, ..Limits::default() });
    observer.feed(&[control(connect(1)), reliable(4, "d"), reliable(5, "e")]);
    assert_eq!(observer.take(), ["control 2", "lost r0:1+3", "r0:4=d", "r0:5=e"]);
}

#[test]
fn buffered_bytes_over_the_limit() {
    let text = "x".repeat(1000);
    let mut observer = Observer::new(Limits { buffered: 2048, ..Limits::default() });
    observer.feed(&[control(connect(1)), reliable(2, &text), reliable(4, &text)]).take();
    observer.feed(&[reliable(6, &text)]);
    assert_eq!(observer.take(), ["lost r0:1+1".to_owned(), format!("r0:2={text}")]);
    // A fragmented packet that is longer than the limit is lost, and the next packet is delivered.
    observer.flush().take();
    let large = "y".repeat(5000);
    for number in 0..5 {
        observer.feed(&[fragment(fragment_of(&large, 7, 1000, number))]);
    }
    observer.feed(&[reliable(12, "next")]);
    assert_eq!(observer.take(), ["lost r0:7+5", "r0:12=next"]);
    observer.feed(&[
        unreliable_fragment_after(12, fragment_of(&large, 1, 2500, 0)),
        unreliable(12, 2, "next"),
    ]);
    assert_eq!(observer.take(), ["lost u0:1+1", "u0:2=next"]);
    let mut observer = Observer::new(Limits { buffered: 0, ..Limits::default() });
    observer.feed(&[control(connect(1)), fragment(fragment_of("abcd", 1, 2, 0)), reliable(3, "c")]);
    observer
        .feed(&[
            fragment(fragment_of("abcd", 1, 2, 1)),
            unreliable_fragment_after(3, fragment_of("abcd", 1, 2, 0)),
        ])
        .flush();
    assert_eq!(
        observer.take(),
        ["control 2", "lost r0:1+1", "lost r0:2+1", "r0:3=c", "lost u0:1+1"]
    );
}

#[test]
fn packets_over_the_size_limit() {
    let mut observer = Observer::new(Limits { packet: 5, ..Limits::default() });
    observer.feed(&[control(connect(1))]).take();
    for number in [1, 0, 2] {
        observer.feed(&[fragment(fragment_of("abcdef", 1, 2, number))]);
        observer.feed(&[unreliable_fragment_after(3, fragment_of("abcdef", 1, 2, number))]);
    }
    observer
        .feed(&[fragment(fragment_of("abcde", 4, 3, 0)), fragment(fragment_of("abcde", 4, 3, 1))]);
    assert_eq!(observer.take(), ["lost r0:1+3", "lost u0:1+1", "r0:4=abcde"]);
}

/// Each waiting packet needs at least 32 bytes of memory, even if it is empty. After many packets
/// are delivered, the session keeps only a little of this memory.
#[test]
fn memory_of_waiting_packets() {
    let unreliable = |number| unreliable(2000, number, "");
    for wait in [&reliable_after_a_gap as &dyn Fn(u16) -> _, &unreliable] {
        let mut observer = Observer::connected();
        observer.feed(&[wait(1)]);
        let memory_of_one = observer.session.memory();
        for number in 2..=1000 {
            observer.feed(&[wait(number)]);
        }
        let memory_of_all = observer.session.memory();
        assert!(memory_of_all >= memory_of_one + 1000 * 32, "{memory_of_one} {memory_of_all}");
        observer.flush();
        assert_eq!(observer.take().iter().filter(|event| !event.starts_with("lost")).count(), 1000);
        assert!(
            observer.session.memory() < memory_of_one + 64 * 128,
            "{memory_of_one} {}",
            observer.session.memory()
        );
        // After further packets, `reset` keeps no more memory than `flush` does.
        for number in 1..=1000 {
            observer.feed(&[wait(number)]);
        }
        observer.session.reset();
        assert!(
            observer.session.memory() < memory_of_one + 64 * 128,
            "{memory_of_one} {}",
            observer.session.memory()
        );
    }
}

fn reliable_after_a_gap(number: u16) -> gamewire::transport::enet::Command<'static> {
    reliable(number + 1, "")
}

/// Packets that wait in a connection are dropped when the next connection starts. They do not count
/// towards the limits of the next connection.
#[test]
fn new_connection_has_the_full_memory_limit() {
    let text = "x".repeat(1000);
    let limits = Limits { buffered: 2048, waiting: 2, ..Limits::default() };
    let mut observer = Observer::new(limits);
    for id in 1..5 {
        observer.feed(&[control(connect(id)), reliable(2, &text), reliable(3, &text)]);
        assert_eq!(observer.take(), ["control 2"]);
    }
    observer.feed(&[reliable(1, "a")]);
    assert_eq!(
        observer.take(),
        ["r0:1=a".to_owned(), format!("r0:2={text}"), format!("r0:3={text}")]
    );
}

/// Waiting payloads are stored in blocks of 256 bytes and delivered in one piece.
#[test]
fn payloads_of_all_lengths() {
    let text: String = ('a'..='z').cycle().take(800).collect();
    for len in [0, 1, 255, 256, 257, 511, 512, 513, 800] {
        let mut observer = Observer::connected();
        observer.feed(&[reliable(2, &text[..len]), reliable(1, "")]);
        assert_eq!(observer.take(), ["r0:1=".to_owned(), format!("r0:2={}", &text[..len])]);
    }
}

/// If no packet may wait, an unreliable packet after a missing reliable packet is lost. The missing
/// packet is still delivered when it arrives.
#[test]
fn unreliable_packet_over_the_memory_limit() {
    let mut observer = Observer::new(Limits { waiting: 0, ..Limits::default() });
    observer.feed(&[
        control(connect(1)),
        unreliable(2, 1, "u"),
        reliable(1, "a"),
        reliable(2, "b"),
    ]);
    assert_eq!(observer.take(), ["control 2", "lost u0:1+1", "r0:1=a", "r0:2=b"]);
}
