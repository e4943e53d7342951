//! An opened file: its content, its tree, and the changes that can be undone.

use super::csv::Csv;
use super::diff::{Diff, Side};
use super::open::{Choice, Engine, Needs, Second, Wrapped, format_name};
use super::place::{Fault, Part, Place, Source, Splice, root};
use super::search::{Field, Hit, Needle, Search};
use super::text::is_cut_off;
use super::tree::{ShownRow, Tree};

/// A file and everything that is shown of it.
pub struct Session {
    pub name: String,
    pub format: String,
    /// How the bytes are read, if the user can choose.
    pub choice: Option<Choice>,
    /// The bytes to which all offsets refer.
    pub content: Vec<u8>,
    wrapped: Option<Wrapped>,
    /// The file with the exports of a package, if it has two files.
    pub second: Option<Second>,
    /// Another file that is needed to show everything.
    pub needs: Option<Needs>,
    /// For a package that does not state its version: the engine version that is assumed, and all
    /// engine versions that fit.
    pub engines: Option<(Engine, Vec<Engine>)>,
    source: Box<dyn Source>,
    pub tree: Tree,
    undo: Vec<Step>,
    redo: Vec<Step>,
    search: Option<Search>,
    csv: Option<Csv>,
    /// Index of the next child of the root that is checked or exported.
    next_child: u64,
}

/// A function that is called with the source, the content, and the chain of a child of the root.
type Each<'e> = dyn FnMut(&dyn Source, &[u8], &[Place]) -> Result<(), Fault> + 'e;

impl Session {
    pub fn new(
        name: &str,
        format: String,
        content: Vec<u8>,
        wrapped: Option<Wrapped>,
        source: Box<dyn Source>,
    ) -> Result<Self, Fault> {
        let tree = Tree::new(&*source, &content);
        let tree = tree.ok_or_else(|| Fault { text: "there are no values".into(), offset: 0 })?;
        Ok(Self {
            name: name.into(),
            format,
            choice: None,
            content,
            wrapped,
            second: None,
            needs: None,
            engines: None,
            source,
            tree,
            undo: Vec::new(),
            redo: Vec::new(),
            search: None,
            csv: None,
            next_child: 0,
        })
    }

    /// Reads the content in a different way, if there are values then.
    pub fn read_as(&mut self, format: &str, source: Box<dyn Source>, choice: Choice) {
        let Some(tree) = Tree::new(&*source, &self.content) else { return };
        self.format = format_name(format, self.wrapped.as_ref());
        (self.source, self.tree, self.choice) = (source, tree, Some(choice));
        (self.search, self.csv) = (None, None);
    }

    pub fn rows(&self, from: u64, count: u64) -> Vec<ShownRow> {
        self.tree.rows(&*self.source, &self.content, from, count)
    }

    pub fn toggle(&mut self, row: u64, is_open: bool) {
        if let Some(chain) = self.tree.chain(row) {
            self.tree.set(&*self.source, &self.content, &chain, is_open);
        }
    }

    /// Returns the row of the value at an offset, after opening the containers around it.
    pub fn at_offset(&mut self, offset: usize) -> Option<u64> {
        let chain = self.tree.at_offset(&*self.source, &self.content, offset)?;
        Some(self.tree.row_of(&chain))
    }

    pub fn reveal(&mut self, chain: &[u64]) -> u64 {
        self.tree.reveal(&*self.source, &self.content, chain)
    }

    fn places(&self, row: u64) -> Option<Vec<Place>> {
        let chain = self.tree.chain(row)?;
        self.tree.places(&*self.source, &self.content, &chain)
    }

    /// Returns the path of a value, for people.
    pub fn path(&self, row: u64) -> String {
        let places = self.places(row).unwrap_or_default();
        let label = |at: usize| {
            let (around, own) = places.split_at(at);
            self.source.rows(&self.content, around, &own[..1]).pop().unwrap_or_default().label
        };
        (1..places.len()).map(label).collect::<Vec<_>>().join("/")
    }

    /// Returns the text of a value or key, as it can be edited.
    pub fn text(&self, row: u64, part: Part) -> String {
        let places = self.places(row).unwrap_or_default();
        if places.is_empty() {
            return String::new();
        }
        self.source.text(&self.content, &places, part)
    }

    /// Returns the file in an archive that a row shows, with its name.
    pub fn extract(&self, row: u64) -> Result<Option<(String, Vec<u8>)>, Fault> {
        let places = self.places(row).unwrap_or_default();
        self.source.extract(&self.content, &places)
    }

    pub fn edit(&mut self, row: u64, part: Part, text: &str) -> Result<(), Fault> {
        let gone = || Fault { text: "there is no such value".into(), offset: 0 };
        let places = self.places(row).ok_or_else(gone)?;
        let at = places.last().map_or(0, |place| place.value.start);
        if is_cut_off(&self.source.text(&self.content, &places, part)) {
            return Err(Fault {
                text: "this text is too long to be edited here".into(),
                offset: at,
            });
        }
        let splices = self.source.edit(&self.content, &places, part, text)?;
        if splices.iter().all(|splice| splice.old == splice.new) {
            return Ok(());
        }
        let chain = self.tree.chain(row).unwrap_or_default();
        let is_open = |session: &Self| {
            let row = session.tree.rows(&*session.source, &session.content, row, 1);
            row.first().is_some_and(|row| row.shown.is_open)
        };
        if part == Part::Value && is_open(self) {
            self.tree.set(&*self.source, &self.content, &chain, false);
        }
        self.apply(&splices);
        // The value and the values around it must stay readable.
        let places = self.tree.places(&*self.source, &self.content, &chain);
        let checked = match places {
            Some(places) => self.source.check_change(&self.content, &places),
            None => Err(Fault { text: "the values around it do not allow this".into(), offset: 0 }),
        };
        if let Err(fault) = checked {
            self.apply(&inverse(&splices));
            return Err(fault);
        }
        self.undo.push(Step { splices, at });
        self.redo.clear();
        Ok(())
    }

    fn apply(&mut self, splices: &[Splice]) {
        for Splice { at, old, new } in splices {
            let end = at + old.len();
            self.content.splice(*at..end, new.iter().copied());
            if old.len() != new.len() {
                let delta = new.len() as isize - old.len() as isize;
                self.tree.shift(end, delta);
            }
        }
        self.source.changed(&self.content);
        (self.search, self.csv) = (None, None);
    }

    /// Takes back the last change, or makes it again. Returns the offset of the change.
    pub fn step_back(&mut self, is_redo: bool) -> Option<usize> {
        let from = if is_redo { &mut self.redo } else { &mut self.undo };
        let Step { splices, at } = from.pop()?;
        let changes = if is_redo { splices.clone() } else { inverse(&splices) };
        // An open array may lose its elements.
        self.close_at(at);
        self.apply(&changes);
        let to = if is_redo { &mut self.undo } else { &mut self.redo };
        to.push(Step { splices, at });
        Some(at)
    }

    fn close_at(&mut self, offset: usize) {
        if let Some(chain) = self.tree.at_offset(&*self.source, &self.content, offset) {
            self.tree.set(&*self.source, &self.content, &chain, false);
        }
    }

    pub fn can_undo(&self) -> bool {
        !self.undo.is_empty()
    }

    pub fn can_redo(&self) -> bool {
        !self.redo.is_empty()
    }

    /// Returns the file with all changes. `iv` is random bytes for an encrypted file.
    pub fn save(&self, iv: [u8; 16]) -> Result<Vec<u8>, String> {
        match &self.wrapped {
            None => Ok(self.content.clone()),
            Some(wrapped) if self.undo.is_empty() => Ok(wrapped.file.clone()),
            Some(wrapped) => wrapped.wrapper.wrap(&self.content, iv),
        }
    }

    /// Returns the files with all changes, with their names.
    pub fn save_files(&self, iv: [u8; 16]) -> Result<Vec<(String, Vec<u8>)>, String> {
        let mut first = self.save(iv)?;
        let Some(second) = &self.second else { return Ok(vec![(self.name.clone(), first)]) };
        let rest = first.split_off((second.first_size)(&first));
        Ok(vec![(self.name.clone(), first), (second.name.clone(), rest)])
    }

    pub fn start_search(&mut self, needle: Needle, field: Field) {
        self.search = Some(Search::new(&*self.source, &self.content, needle, field));
    }

    /// Continues the search. Returns the hits, the offset that was reached, and whether it ended.
    pub fn search(&mut self, budget: usize) -> (Vec<Hit>, usize, bool) {
        let Some(search) = &mut self.search else { return (Vec::new(), 0, true) };
        let mut hits = Vec::new();
        search.run(&*self.source, &self.content, budget, &mut |hit| hits.push(hit));
        (hits, search.offset(), search.done)
    }

    /// Begins a check or an export with the first value.
    pub fn rewind(&mut self) {
        self.next_child = 0;
    }

    /// Calls `each` with the next children of the root, until it has seen `budget` bytes. Returns
    /// the offset that was reached, and whether all children were seen.
    fn next_children(
        &mut self,
        budget: usize,
        each: &mut Each<'_>,
    ) -> Result<(usize, bool), Fault> {
        let listing = self.tree.listing();
        let (mut seen, mut offset, mut result) = (0, 0, Ok(()));
        let mut next = self.next_child;
        let root = [root(&self.content)];
        listing.walk(&*self.source, &self.content, &root, next, &mut |place| {
            next = place.index + 1;
            (seen, offset) = (seen + place.value.len() + 1, place.value.end);
            result = each(&*self.source, &self.content, &[root[0].clone(), place]);
            result.is_ok() && seen < budget
        });
        let is_end = next >= listing.count;
        self.next_child = next;
        result?;
        match &listing.fault {
            Some(fault) if is_end => Err(fault.clone()),
            _ => Ok((offset, is_end)),
        }
    }

    pub fn check(&mut self, budget: usize) -> Result<(usize, bool), Fault> {
        self.next_children(budget, &mut |source, bytes, chain| source.check(bytes, chain))
    }

    pub fn start_csv(&mut self) {
        self.csv = Some(Csv::new(&*self.source, &self.content));
    }

    /// Appends the next values as lines of CSV. Returns the offset that was reached, and whether all
    /// values were seen.
    pub fn csv(&mut self, budget: usize, out: &mut String) -> (usize, bool) {
        let Some(csv) = &mut self.csv else { return (0, true) };
        csv.run(&*self.source, &self.content, budget, out)
    }

    /// Begins a comparison with another file.
    pub fn compare(&self, other: &Self) -> Diff {
        let dialect = |session: &Self| session.choice.as_ref().map(|choice| choice.dialect);
        let is_same_dialect = dialect(self).is_some() && dialect(self) == dialect(other);
        Diff::new([self.side(), other.side()], is_same_dialect)
    }

    pub fn side(&self) -> Side<'_> {
        Side { source: &*self.source, bytes: &self.content }
    }

    /// Appends the next values as lines of JSON.
    pub fn export(&mut self, budget: usize, out: &mut String) -> Result<(usize, bool), Fault> {
        self.next_children(budget, &mut |source, bytes, chain| {
            source.json(bytes, chain, out)?;
            out.push('\n');
            Ok(())
        })
    }
}

/// A change that can be undone.
struct Step {
    splices: Vec<Splice>,
    /// Offset of the changed value before the change.
    at: usize,
}

fn inverse(splices: &[Splice]) -> Vec<Splice> {
    let swap = |splice: &Splice| Splice {
        at: splice.at,
        old: splice.new.clone(),
        new: splice.old.clone(),
    };
    splices.iter().rev().map(swap).collect()
}
