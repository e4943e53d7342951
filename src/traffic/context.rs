use super::options::Options;
use core::net::SocketAddr;

/// The segment being processed, without its payload.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context<'o> {
    pub time: Option<i64>,
    pub source: &'o SocketAddr,
    pub destination: &'o SocketAddr,
    /// The direction: `true` if the source is the higher of the two addresses.
    pub side: bool,
    pub options: &'o Options,
    /// `true` if the commands of ENet are reported, too.
    pub commands: bool,
}
