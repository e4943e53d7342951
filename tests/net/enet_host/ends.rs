//! How connections end.

use super::network::{BAD, Network, PERFECT, Seen, address};
use gamewire::transport::enet::{
    Config, ConnectError, Delivery, DisconnectReason, Host, PeerState, SendError,
};

fn pair() -> Network {
    let host = |seed| Host::new(Config { seed, ..Config::default() });
    Network::new(11, PERFECT, vec![host(1), host(2)])
}

#[test]
fn either_side_can_end_a_connection() {
    for ends_at_server in [true, false] {
        let mut network = pair();
        let [to_server, to_client] = network.join(1)[0];
        let (host, other, key) = if ends_at_server { (0, 1, to_client) } else { (1, 0, to_server) };
        network.hosts[host].send(key, 0, Delivery::Reliable, b"dropped").unwrap();
        network.hosts[host].disconnect(key, 5);
        assert_eq!(network.hosts[host].peer(key).unwrap().state, PeerState::Disconnecting);
        let sent = network.hosts[host].send(key, 0, Delivery::Reliable, b"late");
        assert_eq!(sent, Err(SendError::NotConnected));
        let seen = network.run(100);
        let other_key = if ends_at_server { to_server } else { to_client };
        let remote = DisconnectReason::Remote { data: 5 };
        assert_eq!(seen.len(), 2);
        assert!(seen.contains(&(host, Seen::Disconnected(key, DisconnectReason::Local))));
        assert!(seen.contains(&(other, Seen::Disconnected(other_key, remote))));
        assert!(network.hosts.iter().all(|host| host.peers().count() == 0));
    }
}

#[test]
fn a_connection_can_end_after_its_queue() {
    let mut network = pair();
    network.lines.faults = BAD;
    let [to_server, to_client] = network.join(1)[0];
    for number in 0..100_u32 {
        let bytes = number.to_be_bytes();
        network.hosts[1].send(to_server, 0, Delivery::Reliable, &bytes).unwrap();
    }
    network.hosts[1].disconnect_later(to_server, 6);
    let seen = network.run(20_000);
    let received = seen.iter().filter(|(_, seen)| matches!(seen, Seen::Received(..))).count();
    assert_eq!(received, 100);
    let remote = Seen::Disconnected(to_client, DisconnectReason::Remote { data: 6 });
    let last = seen.iter().rfind(|(host, _)| *host == 0);
    assert_eq!(last.map(|(_, seen)| seen), Some(&remote));
}

#[test]
fn a_connection_can_end_at_once() {
    let mut network = pair();
    let [to_server, to_client] = network.join(1)[0];
    network.hosts[0].disconnect_now(to_client, 7);
    let seen = network.run(10);
    let local = Seen::Disconnected(to_client, DisconnectReason::Local);
    let remote = Seen::Disconnected(to_server, DisconnectReason::Remote { data: 7 });
    assert_eq!(seen, [(0, local), (1, remote)]);
    assert!(network.hosts[0].peer(to_client).is_none());
}

#[test]
fn silent_peers_time_out() {
    let mut network = pair();
    let [to_server, to_client] = network.join(1)[0];
    network.run(2000);
    network.lines.faults.lost = 1000;
    let seen = network.run(40_000);
    let both = [(0, to_client), (1, to_server)];
    for (host, key) in both {
        assert!(seen.contains(&(host, Seen::Disconnected(key, DisconnectReason::TimedOut))));
    }
    assert_eq!(seen.len(), 2);
    let sent = network.lines.sent.0;
    network.run(5000);
    assert_eq!(network.lines.sent.0, sent, "nothing is sent to them any more");
    assert!(network.hosts.iter().all(|host| host.next_timeout().is_none()));
}

#[test]
fn idle_connections_are_kept_alive() {
    let mut network = pair();
    network.join(1);
    let (before, _) = network.lines.sent;
    let seen = network.run(60_000);
    assert!(seen.is_empty());
    let datagrams = network.lines.sent.0 - before;
    assert!(
        (400..500).contains(&datagrams),
        "a ping and its answer each half a second: {datagrams}"
    );
}

#[test]
fn absent_servers_are_told() {
    let mut network = pair();
    let now = network.now;
    let key = network.hosts[1].connect(now, address(9), 1, 0).unwrap();
    let seen = network.run(40_000);
    assert_eq!(seen, [(1, Seen::Disconnected(key, DisconnectReason::TimedOut))]);
    assert!(network.lines.sent.0 < 10);
}

#[test]
fn old_keys_never_reach_new_peers() {
    let mut network = pair();
    let [to_server, to_client] = network.join(1)[0];
    network.hosts[1].disconnect(to_server, 0);
    network.run(100);
    let [_, next] = network.join(1)[0];
    assert_eq!(next.slot(), to_client.slot());
    assert_ne!(next, to_client);
    let host = &mut network.hosts[0];
    assert_eq!(host.send(to_client, 0, Delivery::Reliable, b""), Err(SendError::NotConnected));
    host.disconnect_now(to_client, 0);
    assert!(host.peer(to_client).is_none() && host.peer(next).is_some());
}

#[test]
fn limits_of_hosts_are_errors() {
    let mut host = Host::new(Config { peers: 1, channels: 4, ..Config::default() });
    for channels in [0, 5] {
        let error = host.connect(0, address(0), channels, 0).unwrap_err();
        assert_eq!(error, ConnectError::BadChannelCount);
    }
    host.connect(0, address(0), 4, 0).unwrap();
    let error = host.connect(0, address(0), 4, 0).unwrap_err();
    assert_eq!(error, ConnectError::TooManyPeers);
}
