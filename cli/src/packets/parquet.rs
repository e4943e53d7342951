//! Writes records into Parquet files (`--parquet`).

mod addresses;
mod columns;
mod partition;

use crate::args::{Packets, PartitionBy};
use crate::parquet::{GROUP_SIZE, Writer};
use crate::ui::input::Input;
use crate::ui::report;
use columns::{Columns, Context};
use gamewire::traffic::Record;
use gamewire::traffic::methods::MethodNames;
use partition::Key;
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Maximum number of files that are open at the same time.
const MAX_OPEN: usize = 16;
/// Maximum number of files for the records of one capture.
const MAX_FILES: u64 = 10_000;
/// Size of a group of rows in bytes, before compression, if many files are open at the same time.
const SMALL_GROUP_SIZE: usize = 8 << 20;

/// The files for the records of all captures.
pub struct Output {
    target: PathBuf,
    is_folder: bool,
    partition: Vec<PartitionBy>,
    /// Size at which a file ends and the next one begins.
    roll: Option<u64>,
    open: Vec<Open>,
    /// Number of files that have been created for each key since the capture began.
    created: HashMap<Key, u64>,
    /// Sum of `created`.
    files: u64,
    /// Number of captures with each file name.
    names: HashMap<String, u64>,
    /// Name of the files for the current capture.
    name: String,
    /// Number of records.
    records: u64,
    context: Context,
    /// The first error, and the file that it is about.
    failure: Option<(PathBuf, io::Error)>,
}

/// A file that is being written.
struct Open {
    key: Key,
    path: PathBuf,
    writer: Writer<Columns>,
    /// The number of the last record in the file.
    last_used: u64,
}

impl Output {
    /// Returns the output that the arguments select.
    pub fn new(args: &Packets) -> Option<Self> {
        let target = args.parquet.clone()?;
        Some(Self {
            is_folder: args.is_folder(&target),
            target,
            partition: args.partition_by.clone(),
            roll: args.roll.map(|size| size.0),
            open: Vec::new(),
            created: HashMap::new(),
            files: 0,
            names: HashMap::new(),
            name: String::new(),
            records: 0,
            context: Context::default(),
            failure: None,
        })
    }

    /// Prepares the output for the records of a capture.
    pub fn begin(&mut self, input: Input<'_>) -> io::Result<()> {
        let name = match input.path().file_name() {
            Some(name) if !input.is_stdin() => name.to_string_lossy().into_owned(),
            _ => "stdin".to_owned(),
        };
        let count = self.names.entry(name.clone()).or_default();
        *count = count.saturating_add(1);
        self.name = numbered(name, *count);
        self.context.file = input.name();
        if self.is_folder {
            self.created.clear();
            self.files = 0;
        }
        if !self.partition.is_empty() {
            return Ok(());
        }
        // The file is created even if it will have no rows.
        self.file(Key::default()).map(drop)
    }

    /// Adds a record.
    pub fn add(&mut self, record: &Record<'_>, names: &MethodNames) -> io::Result<()> {
        self.records = self.records.saturating_add(1);
        let index = self.file(Key::of(record, &self.partition))?;
        let Self { open, context, records, .. } = self;
        let Some(file) = open.get_mut(index) else { return Ok(()) };
        file.last_used = *records;
        let added = file.writer.add(|columns, row| columns.add(row, record, names, context));
        match added {
            Ok(()) if self.roll.is_some_and(|size| file.writer.size() >= size) => {
                self.commit(index)
            }
            Ok(()) => Ok(()),
            Err(error) => {
                let path = file.path.clone();
                Err(self.fail(path, error))
            }
        }
    }

    /// Ends the records of a capture. In a folder, each capture has files of its own.
    pub fn end(&mut self) -> io::Result<()> {
        if self.is_folder { self.commit_all() } else { Ok(()) }
    }

    /// Completes all files. If this or anything before has failed, reports the error and returns
    /// `false`.
    pub fn finish(mut self) -> bool {
        if self.failure.is_none() {
            // The error is in `failure`, too.
            let _ = self.commit_all();
        }
        if let Some((path, error)) = &self.failure {
            report::error(&Input::new(path).name(), error);
        }
        self.failure.is_none()
    }

    /// Returns the index of the open file for a key. Creates the file if necessary.
    fn file(&mut self, key: Key) -> io::Result<usize> {
        if let Some(index) = self.open.iter().position(|file| file.key == key) {
            return Ok(index);
        }
        let oldest = self.open.iter().enumerate().min_by_key(|(_, file)| file.last_used);
        if let Some((oldest, _)) = oldest.filter(|_| self.open.len() >= MAX_OPEN) {
            self.commit(oldest)?;
        }
        self.create(key)?;
        Ok(self.open.len().saturating_sub(1))
    }

    fn create(&mut self, key: Key) -> io::Result<()> {
        let path = self.next_path(key);
        let group = if self.partition.is_empty() { GROUP_SIZE } else { SMALL_GROUP_SIZE };
        let created = match self.files > MAX_FILES {
            true => Err(io::Error::other(format!(
                "the records of this capture need more than {MAX_FILES} files"
            ))),
            false => {
                let is_kind_in_path = self.partition.contains(&PartitionBy::Kind);
                create(&path, Columns::new(is_kind_in_path), group)
            }
        };
        match created {
            Ok(writer) => {
                self.open.push(Open { key, path, writer, last_used: self.records });
                Ok(())
            }
            Err(error) => Err(self.fail(path, error)),
        }
    }

    /// Returns the path of the next file for a key.
    fn next_path(&mut self, key: Key) -> PathBuf {
        self.files = self.files.saturating_add(1);
        let count = self.created.entry(key).or_default();
        *count = count.saturating_add(1);
        if !self.is_folder {
            return self.target.clone();
        }
        let name = numbered(self.name.clone(), *count);
        if self.partition.is_empty() {
            return self.target.join(format!("{name}.parquet"));
        }
        self.target.join(key.folders(&self.partition)).join(format!("part-{name}.parquet"))
    }

    fn commit_all(&mut self) -> io::Result<()> {
        while !self.open.is_empty() {
            self.commit(0)?;
        }
        Ok(())
    }

    /// Completes an open file.
    fn commit(&mut self, index: usize) -> io::Result<()> {
        let Open { path, writer, .. } = self.open.remove(index);
        writer.commit().map_err(|error| self.fail(path, error))
    }

    /// Stores the first error. Returns an error that only ends the reading.
    fn fail(&mut self, path: PathBuf, error: io::Error) -> io::Error {
        let kind = error.kind();
        self.failure.get_or_insert((path, error));
        kind.into()
    }
}

/// Creates a file, and the folder that it is in.
fn create(path: &Path, columns: Columns, group: usize) -> io::Result<Writer<Columns>> {
    if let Some(folder) = path.parent().filter(|folder| *folder != Path::new("")) {
        fs::create_dir_all(folder)?;
    }
    Writer::create(path, columns, group)
}

/// Appends a number to the second and each later file with the same name.
fn numbered(name: String, count: u64) -> String {
    if count > 1 { format!("{name}-{count}") } else { name }
}
