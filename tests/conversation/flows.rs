//! Which conversations are heard, and which are kept.

use super::ear::{CALL_BY_NUMBER, CLIENT_PORT, Ear, PATH, SERVER_PORT, message, short};
use gamewire::net::conversation::Options;

#[test]
fn only_one_port() {
    let heard = |port| {
        let mut options = Options::default();
        options.port = port;
        let mut ear = Ear::with(options, short);
        ear.udp(true, &[2, 0, 0, 0, 5, 0, 0, 0]);
        ear.udp(false, &[2, 0, 0, 0, 6, 0, 0, 0]);
        ear.take().len()
    };
    let ports = [None, Some(SERVER_PORT), Some(CLIENT_PORT), Some(1)];
    assert_eq!(ports.map(heard), [2, 2, 2, 0]);
}

/// What is behind a gap at the end of a capture is told of in the end.
#[test]
fn a_stream_with_a_gap() {
    let mut ear = Ear::new();
    ear.tcp(false, SERVER_PORT, b"HTTP/1.1 101 Sure\r\nUpgrade: websocket\r\n\r\n");
    ear.tcp(false, SERVER_PORT, &message(false, 0x82, b"\x03a"));
    ear.lost(false, 4);
    ear.take();
    ear.tcp(false, SERVER_PORT, &message(false, 0x82, b"\x03c"));
    assert!(ear.take().is_empty());
    ear.finish();
    assert_eq!(ear.take(), ["? Control(Lost)", "4? c"]);
}

/// Another conversation takes the place of one that was silent since the last one did.
#[test]
fn the_silent_one_goes() {
    let mut options = Options::default();
    options.limits.flows = 3;
    let mut ear = Ear::with(options, short);
    let begin = |ear: &mut Ear, client| {
        ear.client = client;
        ear.connect(255);
        ear.packet(true, 0, 1, PATH);
        ear.take();
    };
    let known = |ear: &mut Ear, client, sequence| {
        ear.client = client;
        ear.packet(true, 0, sequence, CALL_BY_NUMBER);
        ear.take().last().unwrap().contains("of Main")
    };
    [1, 2, 3].into_iter().for_each(|client| begin(&mut ear, client));
    begin(&mut ear, 4); // none was silent, and 1 is the oldest
    assert!(known(&mut ear, 2, 2));
    begin(&mut ear, 5); // 3 has not said a word
    assert!(known(&mut ear, 2, 3));
    assert!(known(&mut ear, 4, 2));
    assert!(known(&mut ear, 5, 2));
    assert!(!known(&mut ear, 3, 2));
}
