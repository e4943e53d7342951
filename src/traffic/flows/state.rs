//! The state of [`Flows`] in a form that can be stored.

use super::{AddressPair, Flow, FlowKind, Flows};
use crate::traffic::options::Options;
use crate::traffic::tcp::TcpFlow;
use crate::traffic::tcp::state::TcpState;
use crate::traffic::udp::UdpFlow;
use crate::traffic::udp::state::UdpState;
use alloc::boxed::Box;
use core::net::{SocketAddr, SocketAddrV6};
use serde::{Deserialize, Serialize};

/// The stored state of a [`Flow`].
#[derive(Deserialize, Serialize)]
pub(in super::super) struct FlowState {
    low: Address,
    high: Address,
    recently_used: bool,
    kind: KindState,
}

/// An address, and its flow information and scope, which serde leaves out.
type Address = (SocketAddr, u32, u32);

#[derive(Deserialize, Serialize)]
enum KindState {
    Udp(UdpState),
    Tcp(Box<TcpState>),
}

impl Flows {
    /// Returns the position of the clock hand.
    pub(in super::super) fn hand(&self) -> usize {
        self.hand
    }

    pub(in super::super) fn set_hand(&mut self, hand: usize) {
        self.hand = hand;
    }

    /// Returns the states of all flows, in the order in which they must be restored.
    pub(in super::super) fn states(&self) -> impl ExactSizeIterator<Item = FlowState> {
        self.all.iter().map(Flow::state)
    }

    /// Restores a flow, and enforces the memory limit. Returns `None` if the state contradicts
    /// itself or exceeds another limit.
    pub(in super::super) fn restore(&mut self, state: FlowState, options: &Options) -> Option<()> {
        let flow = Flow::restore(state, options)?;
        let index = self.all.len();
        let is_new = self.by_pair.insert(flow.pair, u32::try_from(index).ok()?).is_none();
        if !is_new || index >= options.limits.flows.max(1) {
            return None;
        }
        self.all.push(flow);
        self.measure(index, options);
        Some(())
    }
}

impl Flow {
    fn state(&self) -> FlowState {
        FlowState {
            low: address_state(self.pair.low),
            high: address_state(self.pair.high),
            recently_used: self.recently_used,
            kind: match &self.kind {
                FlowKind::Udp(flow) => KindState::Udp(flow.state()),
                FlowKind::Tcp(flow) => KindState::Tcp(Box::new(flow.state())),
            },
        }
    }

    fn restore(state: FlowState, options: &Options) -> Option<Self> {
        let FlowState { low, high, recently_used, kind } = state;
        let (low, high) = (address(low), address(high));
        let udp = matches!(kind, KindState::Udp(_));
        let kind = match kind {
            KindState::Udp(flow) => FlowKind::Udp(UdpFlow::restore(flow, options)?),
            KindState::Tcp(flow) => FlowKind::Tcp(Box::new(TcpFlow::restore(*flow, options)?)),
        };
        let pair = AddressPair { low, high, udp };
        let keys = pair.keys();
        let flow = Self { pair, keys, recently_used, kind, unmeasured: 0, memory: 0 };
        (low <= high).then_some(flow)
    }
}

fn address_state(address: SocketAddr) -> Address {
    match address {
        SocketAddr::V4(_) => (address, 0, 0),
        SocketAddr::V6(v6) => (address, v6.flowinfo(), v6.scope_id()),
    }
}

fn address((address, flow_info, scope): Address) -> SocketAddr {
    match address {
        SocketAddr::V4(_) => address,
        SocketAddr::V6(v6) => SocketAddrV6::new(*v6.ip(), v6.port(), flow_info, scope).into(),
    }
}
