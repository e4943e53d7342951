//! Numbers objects as the engine does.

#[cfg(doc)]
use super::item_sink::ItemSink;
use super::item_sink::OutputFormat;
use crate::rems::Dialect;
use alloc::collections::{BTreeMap, VecDeque};

/// A numbering of the objects of a graph, as the engine numbers them. It also decides where in the
/// file each object is written.
///
/// Objects are numbered in the order in which the caller reports them: first all roots, then the
/// other objects. In the engine, each class has a size, usually 100. An object is written inline,
/// at the first reference to it, if the reference is an element of a list, or if the size of the
/// object is less than the size of the object that refers to it. Otherwise, only the number of the
/// object is written at this point, and the object itself is written after the roots. `K`
/// identifies objects.
///
/// If an object refers to a root that has not been written yet, engines since 2022 treat the root
/// like any other object, and may write it inline. The engine of 2021 writes only the number of the
/// root. In text files from 2021, an object that is not a root has a number only if a pointer
/// refers to it. Which objects these are is known only after a first pass; see
/// [`again`](Self::again).
///
/// ```
/// use gamewire::rems::{Dialect, OutputFormat, ItemSink, Placement, Numbering, TextWriter, Type, WriteError};
///
/// // A folder (size 100) contains a file (size 10), which refers back to the folder.
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
    /// The number of the object; 0 if it has none yet in this pass.
    number: u32,
    written: bool,
    /// `true` if the file contains a reference to the object by number.
    pointed_to: bool,
    /// `true` for the roots that were passed to [`Numbering::new`].
    root: bool,
}

/// The position at which an object is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Inline, with this number; see [`Numbering::shown`].
    Inline(u32),
    /// Elsewhere in the file. The caller must write a reference with this number.
    Reference(u32),
}

impl<K: Ord + Clone> Numbering<K> {
    /// Creates a numbering with these roots, which are written in this order.
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

    /// Returns the number of an object, and `true` if this call has given the object that number.
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

    /// Returns the next top-level object, and its number.
    pub fn next_root(&mut self) -> Option<(K, u32)> {
        loop {
            let root = self.roots.pop_front()?;
            let number = self.number(&root).0;
            if self.write(&root) {
                return Some((root, number));
            }
        }
    }

    /// Marks an object as written. Returns `true` if it was not marked before.
    fn write(&mut self, object: &K) -> bool {
        self.known
            .get_mut(object)
            .is_some_and(|known| !core::mem::replace(&mut known.written, true))
    }

    /// Returns the position of an object that is the value of a property. `owner` is the size of
    /// the object that has the property, `size` the size of the value.
    pub fn property(&mut self, object: K, owner: i32, size: i32) -> Placement {
        self.place(object, owner > size)
    }

    /// Returns the position of an object that is an element of a list. Do not call this method for
    /// a list of one class in a binary stream: its elements have no numbers, and are written at
    /// every reference.
    pub fn element(&mut self, object: K) -> Placement {
        self.place(object, true)
    }

    fn place(&mut self, object: K, fits: bool) -> Placement {
        let (number, new) = self.number(&object);
        // Engines since 2022 can write a root inline, before its turn as a top-level object.
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

    /// Returns the number to pass to [`ItemSink::object`]. In text files from 2021, only roots and
    /// targets of pointers have a number.
    pub fn shown(&self, object: &K) -> Option<u32> {
        let known = self.known.get(object)?;
        let all = self.form != OutputFormat::Text(Dialect::Engine2021);
        (all || known.root || known.pointed_to).then_some(known.number)
    }

    /// Starts another pass. `roots` must be the roots that were passed to [`new`](Self::new).
    /// Remembers which objects are targets of pointers.
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
