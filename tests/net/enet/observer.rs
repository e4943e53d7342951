//! A helper for tests of ENet sessions, which formats events in a short form.

use gamewire::transport::enet::{
    Body, Command, Connect, Datagram, DatagramCodec, Delivery, Event, Flags, Fragment, Limits,
    Session,
};

/// A session, and its events in short form: `r0:7=abc` is the reliable packet 7 on channel 0, with
/// the payload `abc`.
pub struct Observer {
    pub session: Session,
    codec: DatagramCodec,
    events: Vec<String>,
}

impl Observer {
    pub fn new(limits: Limits) -> Self {
        Self { session: Session::new(limits), codec: DatagramCodec::new(), events: Vec::new() }
    }

    /// Creates a session that has seen the start of the connection.
    pub fn connected() -> Self {
        let mut observer = Self::new(Limits::default());
        observer.feed(&[control(connect(1))]);
        assert_eq!(observer.take(), ["control 2"]);
        observer
    }

    pub fn feed(&mut self, commands: &[Command<'_>]) -> &mut Self {
        let mut body = Vec::new();
        commands.iter().for_each(|command| command.write(&mut body).unwrap());
        self.feed_bytes(&datagram(&body))
    }

    pub fn feed_bytes(&mut self, datagram: &[u8]) -> &mut Self {
        self.session.feed(datagram, &mut self.codec, |event| self.events.push(short(event)));
        self
    }

    pub fn flush(&mut self) -> &mut Self {
        self.session.flush(|event| self.events.push(short(event)));
        self
    }

    pub fn take(&mut self) -> Vec<String> {
        std::mem::take(&mut self.events)
    }
}

pub fn short(event: Event<'_>) -> String {
    let letter = |mode| match mode {
        Delivery::Reliable => 'r',
        Delivery::Unreliable => 'u',
        Delivery::Unsequenced => 'x',
    };
    match event {
        Event::Packet(packet) => {
            let text = String::from_utf8_lossy(packet.payload);
            format!("{}{}:{}={text}", letter(packet.delivery), packet.channel, packet.number)
        }
        Event::Control(command) => format!("control {}", command.body.id()),
        Event::Lost(lost) => {
            format!("lost {}{}:{}+{}", letter(lost.delivery), lost.channel, lost.first, lost.count)
        }
        Event::Malformed(error) => format!("{error}"),
        other => panic!("{other:?}"),
    }
}

pub fn datagram(body: &[u8]) -> Vec<u8> {
    let head = Datagram {
        peer: 0,
        session: 0,
        compressed: false,
        sent_time: Some(1),
        checksum: None,
        body,
    };
    let mut bytes = Vec::new();
    head.write(&mut bytes).unwrap();
    bytes
}

pub fn command(channel: u8, sequence: u16, body: Body<'_>) -> Command<'_> {
    Command { flags: Flags::ACKNOWLEDGE, channel, sequence, body }
}

pub fn control(body: Body<'_>) -> Command<'_> {
    command(255, 1, body)
}

pub fn connect(connect_id: u32) -> Body<'static> {
    Body::Connect(Connect { connect_id, ..Connect::default() })
}

pub fn reliable(sequence: u16, text: &str) -> Command<'_> {
    command(0, sequence, Body::Reliable { payload: text.as_bytes() })
}

pub fn unreliable(sequence: u16, number: u16, text: &str) -> Command<'_> {
    command(0, sequence, Body::Unreliable { number, payload: text.as_bytes() })
}

/// Returns fragment `number` of a packet. Each fragment has `size` bytes; the last one may be
/// shorter.
pub fn fragment_of(packet: &str, start: u16, size: usize, number: usize) -> Fragment<'_> {
    let offset = size * number;
    Fragment {
        start,
        count: packet.len().div_ceil(size) as u32,
        number: number as u32,
        total: packet.len() as u32,
        offset: offset as u32,
        payload: &packet.as_bytes()[offset..packet.len().min(offset + size)],
    }
}

pub fn fragment(part: Fragment<'_>) -> Command<'_> {
    command(0, part.start.wrapping_add(part.number as u16), Body::Fragment(part))
}

pub fn unreliable_fragment(part: Fragment<'_>) -> Command<'_> {
    unreliable_fragment_after(0, part)
}

/// Returns a fragment of an unreliable packet that was sent after the reliable packet with the
/// number `sequence`.
pub fn unreliable_fragment_after(sequence: u16, part: Fragment<'_>) -> Command<'_> {
    command(0, sequence, Body::UnreliableFragment(part))
}
