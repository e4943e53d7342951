//! Stands in for `parquet` in a program that was built without this feature.

use crate::args::Packets;
use crate::ui::input::Input;
use gamewire::traffic::Record;
use gamewire::traffic::methods::MethodNames;
use std::io;

pub const MEMORY: u64 = 0;

pub fn file_names(_: &Packets) -> Vec<String> {
    Vec::new()
}

/// The arguments of the command line refuse `--parquet`, so no value exists.
pub enum Output {}

pub enum Failure {}

impl Failure {
    pub fn report(&self) {
        match *self {}
    }
}

impl Output {
    pub fn new(_: &Packets) -> Option<Self> {
        None
    }

    pub fn set_name(&mut self, _: &str) {
        match *self {}
    }

    pub fn begin(&mut self, _: Input<'_>) -> io::Result<()> {
        match *self {}
    }

    pub fn frame(&mut self, _: Option<(u64, u32)>) {
        match *self {}
    }

    pub fn add(&mut self, _: &Record<'_>, _: &MethodNames) -> io::Result<()> {
        match *self {}
    }

    pub fn end(&mut self) -> io::Result<()> {
        match *self {}
    }

    pub fn finish(self) -> Result<(), Failure> {
        match self {}
    }
}
