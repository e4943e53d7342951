//! Which number an object gets, and where it is written.

#[cfg(doc)]
use super::ItemSink;
use super::OutputFormat;
use crate::rems::Dialect;
use alloc::collections::{BTreeMap, VecDeque};

/// Numbers the objects of a graph as the engine does, and says where each is written.
///
/// Numbers are given in the order in which objects are met: first all roots, then others as they
/// come. An object is written where it is first met if it is an element of a list, or smaller
/// than the one that has it, by sizes that each class has (of most it is 100); else only its number
/// is, and it follows the roots. `K` is whatever objects are known by.
///
/// 2026 writes a root that is met before its turn right there; 2021 its number. In texts of 2021
/// an object that is no root has its number only if something points to it, which is known after
/// all was written once: [`again`](Self::again).
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
    /// 0 if none was given since all began again.
    number: u32,
    written: bool,
    /// Its number was written in its place.
    pointed_to: bool,
    /// One of those at the beginning.
    root: bool,
}

/// Where an object is written that was met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Here, with that number; see [`Numbering::shown`].
    Inline(u32),
    /// Before or later; here is only its number.
    Reference(u32),
}

impl<K: Ord + Clone> Numbering<K> {
    /// Begins with the roots, which are written in that order.
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

    /// The number of an object, and whether it was given only now.
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

    /// The next object to be written at the end of the file, and its number.
    pub fn next_root(&mut self) -> Option<(K, u32)> {
        loop {
            let root = self.roots.pop_front()?;
            let number = self.number(&root).0;
            if self.write(&root) {
                return Some((root, number));
            }
        }
    }

    /// Marks it as written; whether it was not.
    fn write(&mut self, object: &K) -> bool {
        self.known
            .get_mut(object)
            .is_some_and(|known| !core::mem::replace(&mut known.written, true))
    }

    /// An object is the value of a property of one that has that size; the other is its own.
    pub fn property(&mut self, object: K, owner: i32, size: i32) -> Placement {
        self.place(object, owner > size)
    }

    /// An object is an element of a list. (In a list of one class in binary, elements have no
    /// number, and none is to be asked for; they are written as often as they are met.)
    pub fn element(&mut self, object: K) -> Placement {
        self.place(object, true)
    }

    fn place(&mut self, object: K, fits: bool) -> Placement {
        let (number, new) = self.number(&object);
        // A root that waits can be written early, but 2021 does not.
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

    /// What is to be given to [`ItemSink::object`] for an object: in texts of 2021, its number only
    /// if it is a root, or something was seen to point to it.
    pub fn shown(&self, object: &K) -> Option<u32> {
        let known = self.known.get(object)?;
        let all = self.form != OutputFormat::Text(Dialect::Engine2021);
        (all || known.root || known.pointed_to).then_some(known.number)
    }

    /// Begins again with the same roots, and still knows what something points to.
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
