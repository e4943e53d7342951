//! Writes records into Parquet files (`--parquet`).

mod addresses;
mod columns;
mod partition;

use crate::args::{Packets, PartitionBy, TimeUnit};
use crate::parquet::{GROUP_SIZE, Writer};
use crate::ui::input::Input;
use crate::ui::report;
use columns::{Columns, Context};
use gamewire::traffic::Record;
use gamewire::traffic::methods::MethodNames;
use partition::Key;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Maximum number of files that are open at the same time for one capture.
const MAX_OPEN: usize = 16;
/// Maximum number of files for the records of one capture.
const MAX_FILES: u64 = 10_000;
/// Size of a group of rows in bytes, before compression, if many files are open at the same time.
const SMALL_GROUP_SIZE: usize = 8 << 20;

/// The text before the number of a further file with the records of the same capture.
const PART: &str = "-part";
/// Maximum size in bytes of the rows that are not written yet, for one capture.
pub const MEMORY: u64 = (MAX_OPEN * SMALL_GROUP_SIZE) as u64;

/// One file for the records of all captures or, in a folder, files for each capture.
pub struct Output {
    /// Name of the files for the current capture, without the extension.
    name: String,
    target: PathBuf,
    is_folder: bool,
    partition: Vec<PartitionBy>,
    time_unit: TimeUnit,
    /// Size at which a file ends and the next one begins.
    roll: Option<u64>,
    open: Vec<Open>,
    /// Number of files that have been created for each key since the capture began.
    created: HashMap<Key, u64>,
    /// Sum of `created`.
    files: u64,
    /// Number of records.
    records: u64,
    context: Context,
    /// The first error.
    failure: Option<Failure>,
}

/// An error in writing a file.
pub struct Failure {
    path: PathBuf,
    error: io::Error,
}

impl Failure {
    pub fn report(&self) {
        report::error(&Input::new(&self.path).name(), &self.error);
    }
}

/// Returns `true` if a further file of a capture could have this name.
fn is_part(name: &str) -> bool {
    name.rsplit_once(PART).is_some_and(|(_, number)| number.parse::<u64>().is_ok())
}

/// Returns a name for the files of each capture. No two names are equal.
pub fn file_names(args: &Packets) -> Vec<String> {
    if args.parquet.is_none() {
        return Vec::new();
    }
    let name = |path: &PathBuf| match path.file_name() {
        Some(name) if !Input::new(path).is_stdin() => name.to_string_lossy().into_owned(),
        _ => "stdin".to_owned(),
    };
    let mut names: Vec<_> = args.files.iter().map(name).collect();
    let mut used: HashSet<_> = names.iter().cloned().collect();
    // Number of captures with each name.
    let mut counts = HashMap::<String, u64>::new();
    for name in &mut names {
        let count = counts.entry(name.clone()).or_default();
        *count = count.saturating_add(1);
        if *count == 1 && !is_part(name) {
            continue;
        }
        let first = name.clone();
        *name = format!("{first}-{count}");
        while !used.insert(name.clone()) {
            *count = count.saturating_add(1);
            *name = format!("{first}-{count}");
        }
    }
    names
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
            time_unit: args.time_unit,
            roll: args.roll.map(|size| size.0),
            open: Vec::new(),
            created: HashMap::new(),
            files: 0,
            name: String::new(),
            records: 0,
            context: Context::default(),
            failure: None,
        })
    }

    /// Sets the name of the files for the next capture.
    pub fn set_name(&mut self, name: &str) {
        name.clone_into(&mut self.name);
    }

    /// Prepares the output for the records of a capture.
    pub fn begin(&mut self, input: Input<'_>) -> io::Result<()> {
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

    /// Sets the captured packet from which the next records are read: its number in the capture,
    /// and its length on the wire. `None` means that the capture has ended.
    pub fn frame(&mut self, frame: Option<(u64, u32)>) {
        self.context.frame = frame;
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

    /// Completes all files. Returns the first error of this call or of an earlier one.
    pub fn finish(mut self) -> Result<(), Failure> {
        if self.failure.is_none() {
            // The error is in `failure`, too.
            let _ = self.commit_all();
        }
        self.failure.map_or(Ok(()), Err)
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
                create(&path, Columns::new(is_kind_in_path, self.time_unit), group)
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
        let name = match *count {
            1 => self.name.clone(),
            part => format!("{}{PART}{part}", self.name),
        };
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

    /// Stores an error, unless an earlier one is stored. Returns an error of the same kind, which
    /// ends the reading and is not reported.
    fn fail(&mut self, path: PathBuf, error: io::Error) -> io::Error {
        let kind = error.kind();
        self.failure.get_or_insert(Failure { path, error });
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
