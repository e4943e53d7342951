//! An allocator that counts the allocations of a thread. It becomes the global allocator of a test
//! program that includes this file.

#![allow(dead_code)] // each test program uses only some of the functions

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static ASKED: Cell<usize> = const { Cell::new(0) };
    static HELD: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

fn count(more: usize, less: usize) {
    ASKED.with(|asked| asked.set(asked.get() + usize::from(more > 0)));
    // A reallocation may hold the old and the new block at the same time, so both are counted.
    let held = HELD.with(Cell::get) + more as isize;
    MOST.with(|most| most.set(most.get().max(held)));
    HELD.with(|at| at.set(held - less as isize));
}

// SAFETY: every call is passed on to the system's allocator. Counting does not allocate, because a
// thread-local with a constant initial value and no destructor needs no memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller fulfils the requirements of this method, and those of `System` are the
        // same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: the caller fulfils the requirements of this method, and those of `System` are the
        // same.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size, layout.size());
        // SAFETY: the caller fulfils the requirements of this method, and those of `System` are the
        // same.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

pub fn without_allocating<T>(name: &str, run: impl FnOnce() -> T) -> T {
    let before = ASKED.with(Cell::get);
    let result = run();
    assert_eq!(ASKED.with(Cell::get) - before, 0, "{name} allocates");
    result
}

/// Returns the number of allocations that this thread has made.
pub fn asked() -> usize {
    ASKED.with(Cell::get)
}

/// Returns the number of bytes that this thread holds: allocated minus freed.
pub fn held() -> isize {
    HELD.with(Cell::get)
}

/// Returns the peak number of additional bytes held during `run`.
pub fn most_held<T>(run: impl FnOnce() -> T) -> usize {
    let before = held();
    MOST.with(|most| most.set(before));
    drop(run());
    (MOST.with(Cell::get) - before).unsigned_abs()
}

#[test]
fn the_worst_moment_is_known() {
    let most = most_held(|| {
        drop(std::hint::black_box(vec![1_u8; 500]));
        std::hint::black_box(vec![1_u8; 20])
    });
    assert_eq!(most, 500);
}

#[test]
fn counting_counts() {
    let (asked, before) = (ASKED.with(Cell::get), held());
    let memory = std::hint::black_box(vec![1_u8; 5]);
    assert_eq!((ASKED.with(Cell::get) - asked, held() - before), (1, 5));
    drop(memory);
    assert_eq!((ASKED.with(Cell::get) - asked, held() - before), (1, 0));
}
