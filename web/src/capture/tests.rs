#![allow(clippy::unwrap_used)]

use super::list::List;
use super::source::Source;
use std::rc::Rc;

impl Source for Vec<u8> {
    fn read_at(&self, offset: u64, to: &mut [u8]) -> Option<usize> {
        let rest = self.get(offset as usize..).unwrap_or_default();
        let len = rest.len().min(to.len());
        to[..len].copy_from_slice(&rest[..len]);
        Some(len)
    }
}
#[allow(dead_code)]
fn f(v: Vec<u8>) -> List {
    List::new(Rc::new(v), false)
}
