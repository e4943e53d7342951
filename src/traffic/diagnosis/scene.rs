use super::findings::{Findings, Key, Subject};
use super::types::Now;
use crate::traffic::methods::MethodNames;
use core::net::SocketAddr;

/// The current packet with its addresses, and the findings to which new problems are added.
#[derive(Debug)]
pub(super) struct Scene<'s, 'n> {
    pub names: &'n MethodNames,
    pub now: Now,
    pub source: SocketAddr,
    pub destination: SocketAddr,
    pub findings: &'s mut Findings,
}

impl Scene<'_, '_> {
    /// Returns the key of a problem with packets from `source` to `destination`.
    pub(super) fn key(&self, subject: Subject, detail: u64) -> Key {
        let Self { source, destination, .. } = *self;
        Key { source, destination, subject, detail }
    }
}
