//! A small stack, on which recursion through a deep value would overflow.

use std::thread;

const SIZE: usize = 256 << 10;

pub fn on_small_stack(test: impl FnOnce() + Send) {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(SIZE);
        thread.spawn_scoped(scope, test).unwrap().join().unwrap();
    });
}
