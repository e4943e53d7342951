//! A lower bound: the least work that any reader of the corpus's Unreal packages and saves must do.
//! The measured code, [`run`], checks nothing, makes no values, and knows the layout of the file in
//! advance:
//!
//! * tables: follow the length of each name to the next one, and load the words of imports and
//!   exports;
//! * properties and saves: load the words of every tag at every depth, follow the lengths of names
//!   and array elements that are strings, and load one word of each other value.

use gamewire::unreal::properties::Elements;
use gamewire::unreal::{Package, Properties, PropertyKind, PropertyValue, Save, Tag};
use std::hint::black_box;

/// Plans the steps for the tables of a package.
pub fn tables(file: &[u8]) -> Vec<Step> {
    steps_of_tables(&Package::open(file).unwrap())
}

/// Plans the steps for the tables and the properties of a package. Returns `None` if the package
/// does not contain its exports, or needs an engine version from outside.
pub fn properties(file: &[u8]) -> Option<Vec<Step>> {
    let package = Package::open(file).ok().filter(|package| !package.lacks_exports())?;
    let mut plan = Plan { file, steps: steps_of_tables(&package) };
    for export in package.exports().flatten() {
        let object = package.properties(&export).unwrap().unwrap();
        plan.steps.push(Step::To(object.iter().offset() as usize));
        plan.list(object.iter(), 8);
    }
    Some(plan.steps)
}

/// Plans the steps for a save.
pub fn save(file: &[u8]) -> Vec<Step> {
    let list = Save::open(file).unwrap();
    let mut plan = Plan { file, steps: Vec::new() };
    plan.steps.push(Step::To(list.properties().offset() as usize));
    plan.list(list.properties(), 0);
    plan.steps
}

/// A step through a file.
#[derive(Clone, Copy)]
pub enum Step {
    /// Continue at this offset.
    To(usize),
    /// Skip a string and the given number of bytes after it.
    Text(usize),
    /// Load a word and advance by the given number of bytes.
    Word(usize),
}

/// Runs the steps through the file.
pub fn run(file: &[u8], steps: &[Step]) -> u64 {
    fn word<const N: usize>(file: &[u8], at: usize) -> [u8; N] {
        file.get(at..).and_then(|rest| rest.first_chunk()).copied().unwrap_or([0; N])
    }
    let (mut at, mut sum) = (0usize, 0);
    for step in steps {
        match *step {
            Step::To(offset) => at = offset,
            Step::Text(more) => {
                let len = u32::from_le_bytes(word(file, at)) as usize;
                at += 4 + len + more;
            }
            Step::Word(size) => {
                sum ^= u64::from_le_bytes(word(file, at));
                at += size;
            }
        }
    }
    black_box(sum)
}

fn steps_of_tables(package: &Package<'_>) -> Vec<Step> {
    let hashes = if package.layout().versions.ue4 >= 504 { 4 } else { 0 };
    let mut steps = vec![Step::To(package.names().offset() as usize)];
    steps.extend(package.names().map(|_| Step::Text(hashes)));
    let (mut imports, mut exports) = (package.imports(), package.exports());
    let (first_import, first_export) = (imports.offset(), exports.offset());
    imports.by_ref().for_each(drop);
    exports.by_ref().for_each(drop);
    for (from, to) in [(first_import, imports.offset()), (first_export, exports.offset())] {
        steps.push(Step::To(from as usize));
        steps.extend((from..to).step_by(8).map(|_| Step::Word(8)));
    }
    steps
}

struct Plan<'f> {
    file: &'f [u8],
    steps: Vec<Step>,
}

impl Plan<'_> {
    /// Plans a list of tags. `name` is the size of a name in bytes, or 0 if names are strings.
    fn list(&mut self, list: Properties<'_>, name: usize) {
        list.flatten().for_each(|tag| self.tag(&tag, name));
        self.name(name);
    }

    fn name(&mut self, size: usize) {
        self.steps.push(if size == 0 { Step::Text(0) } else { Step::Word(size) });
    }

    fn tag(&mut self, tag: &Tag<'_>, name: usize) {
        let words = match tag.kind() {
            PropertyKind::Struct
            | PropertyKind::Byte
            | PropertyKind::Enum
            | PropertyKind::Array
            | PropertyKind::Set => 1,
            PropertyKind::Map => 2,
            _ => 0,
        };
        self.name(name);
        self.name(name);
        self.steps.push(Step::Word(8)); // size and index
        (0..words).for_each(|_| self.name(name));
        let value = self.place(tag.bytes());
        self.steps.push(Step::Word(1)); // whether there is a GUID
        self.steps.push(Step::To(value));
        self.value(&tag.value(), name);
        self.steps.push(Step::Word(8));
        self.steps.push(Step::To(value + tag.bytes().len()));
    }

    fn value(&mut self, value: &PropertyValue<'_>, name: usize) {
        match *value {
            PropertyValue::Struct(list) => self.list(list, name),
            PropertyValue::Array(of) => self.elements(of, name),
            _ => {}
        }
    }

    fn elements(&mut self, of: Elements<'_>, name: usize) {
        self.steps.push(Step::To(self.place(of.bytes())));
        for value in of {
            match value {
                PropertyValue::Struct(list) => self.list(list, name),
                PropertyValue::Str(_) => self.steps.push(Step::Text(0)),
                _ => self.steps.push(Step::Word(4)),
            }
        }
    }

    fn place(&self, bytes: &[u8]) -> usize {
        bytes.as_ptr() as usize - self.file.as_ptr() as usize
    }
}
