//! Input of any size that an attacker would send because it is expensive to process.

#![allow(dead_code)] // each test program uses only some of the functions

pub mod captures;
pub mod conversation;
pub mod godot;
pub mod godot_texts;
pub mod rems;
pub mod states;
pub mod unreal_packages;
pub mod unreal_saves;
pub mod unversioned;
pub mod zen;

/// A shape of input: its name, and a function that makes input of about the given size in bytes.
pub struct Shape {
    pub name: &'static str,
    pub make: Box<dyn Fn(usize) -> Vec<u8>>,
}

pub fn shape(name: &'static str, make: impl Fn(usize) -> Vec<u8> + 'static) -> Shape {
    Shape { name, make: Box::new(make) }
}

/// Returns a text of about `size` bytes: `head`, many pieces, and `tail`.
pub fn many(size: usize, head: &str, piece: impl Fn(usize) -> String, tail: &str) -> Vec<u8> {
    let mut text = head.to_owned();
    for number in 0.. {
        if text.len() >= size {
            break;
        }
        text += &piece(number);
    }
    (text + tail).into_bytes()
}
