//! Searches the known lists of RPC methods, to explain why a checksum differs. The total work of
//! all searches for a capture is limited.

use super::text::truncated;
use crate::traffic::hash::RandomState;
use crate::traffic::methods::{MethodList, MethodNames, RemoteMethod, checksum};
use core::iter;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::string::String;
use std::vec::Vec;

/// The work that searches may still do, and the results of earlier searches.
#[derive(Debug)]
pub(super) struct Budget {
    /// Number of bytes that may be hashed or compared.
    bytes: usize,
    /// Indices of the scripts that [`other_project`](Self::other_project) returned, by the checksum
    /// of `own`.
    others: HashMap<[u8; 32], Option<usize>, RandomState>,
    /// The searches that found nothing. Each is identified by the wanted checksum and the checksum
    /// of the searched list, or `None` if all lists were searched.
    failed: HashSet<([u8; 32], Option<[u8; 32]>), RandomState>,
}

/// Maximum number of bytes that all searches together hash or compare.
const MAX_BYTES: usize = 16 << 20;
/// Cost of starting a search, in bytes. It limits the number of searches.
const SEARCH: usize = 4096;
/// Cost of examining a name or a script, in bytes.
const LOOK: usize = 64;
/// Maximum number of names from other lists that a search tries to add.
const MAX_VOCABULARY: usize = 4096;

impl Default for Budget {
    fn default() -> Self {
        Self { bytes: MAX_BYTES, others: HashMap::default(), failed: HashSet::default() }
    }
}

/// The names to remove from a list, and the names to add to it.
#[derive(Debug, Default)]
pub(super) struct Edit {
    pub removed: Vec<String>,
    pub added: Vec<String>,
}

impl Budget {
    /// Takes an amount from the budget. Returns `None` if too little is left.
    fn take(&mut self, amount: usize) -> Option<()> {
        self.bytes = self.bytes.checked_sub(amount)?;
        Some(())
    }

    /// Finds a script that has the same file name as a script with the methods `own`, but is in a
    /// different project and has different methods. Returns the file name, the project and the
    /// methods of the script that was found. Returns `None` if there is no such script, if there
    /// are several with different methods, or if the budget is used up.
    pub(super) fn other_project<'n>(
        &mut self,
        names: &'n MethodNames,
        own: &MethodList,
    ) -> Option<(&'n str, u32, &'n MethodList)> {
        let index = match self.others.get(own.checksum()) {
            Some(index) => *index,
            None => {
                self.take(names.scripts().count().saturating_mul(LOOK))?;
                let index = other_project(names, own);
                self.others.insert(*own.checksum(), index);
                index
            }
        };
        let (project, name, list) = names.scripts().nth(index?)?;
        Some((name, project, list))
    }

    /// Searches for a small change after which `list` has the checksum `sum`. A small change
    /// removes a name, adds a name of a different list, does both, or removes two names.
    pub(super) fn search(
        &mut self,
        names: &MethodNames,
        list: &MethodList,
        sum: &[u8; 32],
    ) -> Option<Edit> {
        let key = (*sum, Some(*list.checksum()));
        self.start(key)?;
        let vocabulary = self.vocabulary(names)?;
        let search = Search::new(list, &vocabulary);
        let found = search.one(sum, self).or_else(|| search.two(sum, self))?;
        self.failed.remove(&key);
        Some(found)
    }

    /// Starts a search. Returns `None` if the same search has failed before. Marks it as failed;
    /// the caller removes the mark if the search succeeds.
    fn start(&mut self, key: ([u8; 32], Option<[u8; 32]>)) -> Option<()> {
        if self.failed.contains(&key) {
            return None;
        }
        self.take(SEARCH)?;
        self.failed.insert(key);
        Some(())
    }

    /// Searches all lists for one that has the checksum `sum` after a name is removed or added.
    pub(super) fn search_all<'n>(
        &mut self,
        names: &'n MethodNames,
        sum: &[u8; 32],
    ) -> Option<(&'n MethodList, Edit)> {
        self.start((*sum, None))?;
        let vocabulary = self.vocabulary(names)?;
        for list in names.lists() {
            self.take(LOOK)?;
            if let Some(edit) = Search::new(list, &vocabulary).one(sum, self) {
                self.failed.remove(&(*sum, None));
                return Some((list, edit));
            }
        }
        None
    }

    /// Returns the names of all lists, sorted: at most [`MAX_VOCABULARY`] names.
    fn vocabulary<'n>(&mut self, names: &'n MethodNames) -> Option<Vec<&'n str>> {
        let all = names.lists().iter().flat_map(MethodList::methods).map(RemoteMethod::name);
        let some: Vec<_> = all.take(MAX_VOCABULARY).collect();
        self.take(some.len().saturating_mul(LOOK))?;
        Some(some.into_iter().collect::<BTreeSet<_>>().into_iter().collect())
    }
}

/// Returns the index of the script that [`Budget::other_project`] returns.
fn other_project(names: &MethodNames, own: &MethodList) -> Option<usize> {
    let has_own = |list: &MethodList| list.checksum() == own.checksum();
    let same = names.scripts().filter(|(.., list)| has_own(list));
    let same: HashMap<&str, u32> = same.map(|(project, name, _)| (name, project)).collect();
    let is_other = |(project, name, list): &(u32, &str, &MethodList)| {
        !has_own(list) && same.get(name).is_some_and(|own| own != project)
    };
    let mut others = names.scripts().enumerate().filter(|(_, script)| is_other(script));
    let (index, (.., first)) = others.next()?;
    others.all(|(_, (.., list))| list.checksum() == first.checksum()).then_some(index)
}

/// A search for a change to a list.
struct Search<'s> {
    list: &'s [RemoteMethod],
    /// Total length of the names in `list`, in bytes.
    len: usize,
    vocabulary: &'s [&'s str],
}

/// A change to a list: up to two names to remove, and one to add.
type Change<'s> = (Option<&'s str>, Option<&'s str>, Option<&'s str>);

impl<'s> Search<'s> {
    fn new(list: &'s MethodList, vocabulary: &'s [&'s str]) -> Self {
        let list = list.methods();
        // The cost of the first attempt also covers this pass over the list.
        let len = list.iter().map(|method| method.name().len()).fold(0, usize::saturating_add);
        Self { list, len, vocabulary }
    }

    fn names(&self) -> impl Iterator<Item = Option<&'s str>> + Clone + use<'s> {
        self.list.iter().map(|method| Some(method.name()))
    }

    /// Returns the names that can be added.
    fn others(&self) -> impl Iterator<Item = Option<&'s str>> + Clone + use<'s> {
        let list = self.list;
        let has = move |name: &&str| list.binary_search_by(|own| own.name().cmp(name)).is_ok();
        self.vocabulary.iter().copied().filter(move |name| !has(name)).map(Some)
    }

    /// Tries all changes that remove a name, and all changes that add one.
    fn one(&self, sum: &[u8; 32], budget: &mut Budget) -> Option<Edit> {
        let removed = self.names().map(|name| (name, None, None));
        let added = self.others().map(|name| (None, None, name));
        self.try_all(removed.chain(added), sum, budget)
    }

    /// Tries all changes that remove a name and add a different one, and all that remove two names.
    fn two(&self, sum: &[u8; 32], budget: &mut Budget) -> Option<Edit> {
        let others = self.others();
        let both = self.names().flat_map(|name| others.clone().map(move |new| (name, None, new)));
        let removed = self.names().enumerate().flat_map(|(index, name)| {
            self.names().skip(index.saturating_add(1)).map(move |second| (name, second, None))
        });
        self.try_all(both.chain(removed), sum, budget)
    }

    fn try_all(
        &self,
        changes: impl Iterator<Item = Change<'s>>,
        sum: &[u8; 32],
        budget: &mut Budget,
    ) -> Option<Edit> {
        for change in changes {
            // MD5 hashes blocks of 64 bytes, so even a short list costs one block.
            budget.take(self.len.saturating_add(LOOK))?;
            if checksum(self.changed(change)) == *sum {
                let (first, second, added) = change;
                let owned = |name: &str| truncated(name.as_bytes());
                let removed = [first, second].into_iter().flatten().map(owned).collect();
                return Some(Edit { removed, added: added.into_iter().map(owned).collect() });
            }
        }
        None
    }

    /// Returns the sorted names after a change.
    fn changed(&self, (first, second, mut added): Change<'s>) -> impl Iterator<Item = &'s str> {
        let kept = move |name: &&str| Some(*name) != first && Some(*name) != second;
        let mut names = self.list.iter().map(RemoteMethod::name).filter(kept).peekable();
        iter::from_fn(move || match (names.peek(), added) {
            (Some(name), Some(new)) if new < *name => added.take(),
            (None, Some(_)) => added.take(),
            _ => names.next(),
        })
    }
}
