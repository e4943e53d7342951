//! Numbering of objects.

#[cfg(doc)]
use super::item_sink::ItemSink;
use super::item_sink::OutputFormat;
use crate::rems::Dialect;
use alloc::collections::{BTreeMap, VecDeque};

/// Numbers the objects of a graph as the engine does, and decides where each one is written.
///
/// Objects are numbered in the order in which they are met: first all roots, then the others. An
/// object is written inline, where it is first met, if it is an element of a list, or if its size
/// is less than that of its owner. Each class has a size; most have 100. Otherwise only the number
/// is written there, and the object follows the roots. `K` identifies objects.
///
/// If a root is met before its turn, the engine of 2026 writes it there, and that of 2021 writes
/// its number. In texts of 2021 an object that is not a root has a number only if something points
/// to it. This is known after a first pass: see [`again`](Self::again).
///
/// ```
/// use gamewire::rems::{Dialect, OutputFormat, ItemSink, Placement, Numbering, TextWriter, Type, WriteError};
///
/// // A folder has a file, which knows the folder; of the sizes, the folder's is larger.
/// struct Graph<S> {
///     to: S,
///     numbering: Numbering<&'static str>,
/// }
///
/// impl<S: ItemSink> Graph<S> {
///     fn child(&mut self, name: &str, class: &'static str, sizes: (i32, i32)) -> Result<(), WriteError> {
///         self.to.property(Type::Class(class.into(), 0), name)?;
///         match self.numbering.property(class, sizes.0, sizes.1) {
///             Placement::Inline(_) => {
///                 self.to.object(class, self.numbering.shown(&class))?;
///                 self.child("parent", "Folder", (10, 100))?;
///                 self.to.end()
///             }
///             Placement::Reference(number) => self.to.pointer(number),
///         }
///     }
/// }
///
/// let dialect = Dialect::Engine2026;
/// let numbering = Numbering::new(OutputFormat::Text(dialect), ["Folder"]);
/// let mut graph = Graph { to: TextWriter::new(Vec::new(), dialect), numbering };
/// while let Some((class, number)) = graph.numbering.next_root() {
///     graph.to.object(class, Some(number))?;
///     graph.child("child", "File", (100, 10))?;
///     graph.to.end()?;
/// }
/// let expected = r#"[{"class":"Folder","i:*ptr":1,"File:child":{"i:*ptr":2,"Folder:parent":1}}]"#;
/// assert_eq!(graph.to.finish()?, expected.as_bytes());
/// # Ok::<(), WriteError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Numbering<K> {
    form: OutputFormat,
    known: BTreeMap<K, Known>,
    roots: VecDeque<K>,
    given: u32,
}

#[derive(Clone, Copy, Debug)]
struct Known {
    /// 0 if no number was given in this pass.
    number: u32,
    written: bool,
    /// `true` if its number was written in place of it.
    pointed_to: bool,
    /// `true` for the roots given at the start.
    root: bool,
}

/// Place where an object is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Here, with this number; see [`Numbering::shown`].
    Inline(u32),
    /// Elsewhere in the file. Here only its number is written.
    Reference(u32),
}

impl<K: Ord + Clone> Numbering<K> {
    /// Starts with the roots, which are written in this order.
    pub fn new(form: OutputFormat, roots: impl IntoIterator<Item = K>) -> Self {
        let mut numbering = Self { form, known: BTreeMap::new(), roots: VecDeque::new(), given: 0 };
        for root in roots {
            if numbering.number(&root).1 {
                numbering.known.entry(root.clone()).and_modify(|known| known.root = true);
                numbering.roots.push_back(root);
            }
        }
        numbering
    }

    /// Number of an object, and `true` if it was given just now.
    fn number(&mut self, object: &K) -> (u32, bool) {
        let none = Known { number: 0, written: false, pointed_to: false, root: false };
        let known = self.known.entry(object.clone()).or_insert(none);
        if known.number > 0 {
            return (known.number, false);
        }
        self.given = self.given.saturating_add(1);
        known.number = self.given;
        (known.number, true)
    }

    /// Returns the next object at the top of the file, and its number.
    pub fn next_root(&mut self) -> Option<(K, u32)> {
        loop {
            let root = self.roots.pop_front()?;
            let number = self.number(&root).0;
            if self.write(&root) {
                return Some((root, number));
            }
        }
    }

    /// Marks an object as written. Returns `true` if it was not.
    fn write(&mut self, object: &K) -> bool {
        self.known
            .get_mut(object)
            .is_some_and(|known| !core::mem::replace(&mut known.written, true))
    }

    /// Places an object that is the value of a property. `owner` is the size of the owner, `size`
    /// that of the object.
    pub fn property(&mut self, object: K, owner: i32, size: i32) -> Placement {
        self.place(object, owner > size)
    }

    /// Places an object that is an element of a list. Do not call this for a list of one class in
    /// binary: its elements have no number, and are written each time they are met.
    pub fn element(&mut self, object: K) -> Placement {
        self.place(object, true)
    }

    fn place(&mut self, object: K, fits: bool) -> Placement {
        let (number, new) = self.number(&object);
        // A waiting root can be written early, but not by the engine of 2021.
        let waits = match self.form {
            OutputFormat::Text(Dialect::Engine2021) => new,
            OutputFormat::Text(Dialect::Engine2026) => true,
            OutputFormat::Binary(era) => new || era >= crate::rems::Era::March2022,
        };
        if waits && fits && self.write(&object) {
            return Placement::Inline(number);
        }
        if let Some(known) = self.known.get_mut(&object) {
            known.pointed_to = true;
        }
        if new {
            self.roots.push_back(object);
        }
        Placement::Reference(number)
    }

    /// Number to pass to [`ItemSink::object`]. In texts of 2021, only roots and objects to which
    /// something points have one.
    pub fn shown(&self, object: &K) -> Option<u32> {
        let known = self.known.get(object)?;
        let all = self.form != OutputFormat::Text(Dialect::Engine2021);
        (all || known.root || known.pointed_to).then_some(known.number)
    }

    /// Starts another pass with the same roots. What is pointed to remains known.
    pub fn again(&mut self, roots: impl IntoIterator<Item = K>) {
        self.roots.clear();
        self.given = 0;
        for known in self.known.values_mut() {
            (known.number, known.written) = (0, false);
        }
        for root in roots {
            if self.number(&root).1 {
                self.roots.push_back(root);
            }
        }
    }
}
