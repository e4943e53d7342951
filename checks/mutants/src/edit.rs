//! Nested edits of source text, and the text with all of these edits applied.
//!
//! Only one mutant is on at a time, so the mutated copy of a piece of code contains no other
//! mutants.

use std::fmt::Write;
use std::ops::Range;

pub struct Edit {
    /// The range of the original text that the edit replaces.
    pub range: Range<usize>,
    pub shape: Shape,
}

pub enum Shape {
    /// Code at the start of a function body. If the mutant of a piece is on, the code returns the
    /// value of the piece.
    Leave(Vec<Piece>),
    /// An expression that evaluates to the piece whose mutant is on, or to the original.
    Instead(Vec<Piece>),
    /// The original text, apart from nested edits. Compile errors in it are attributed to these
    /// mutants.
    Around(Vec<u32>),
    /// A match arm with a new or changed guard.
    Guard { deleted: Option<u32>, yes: Option<u32>, no: Option<u32> },
}

pub struct Piece {
    pub id: u32,
    pub text: String,
}

/// Source text with planted mutants.
#[derive(Default)]
pub struct Planted {
    pub text: String,
    /// Ranges of mutated pieces.
    pub pieces: Vec<(Range<usize>, u32)>,
    /// Ranges of edits, each with its own mutants but without those of nested edits.
    pub edits: Vec<(Range<usize>, Vec<u32>)>,
}

impl Edit {
    fn ids(&self) -> Vec<u32> {
        match &self.shape {
            Shape::Leave(pieces) | Shape::Instead(pieces) => {
                pieces.iter().map(|piece| piece.id).collect()
            }
            Shape::Around(ids) => ids.clone(),
            Shape::Guard { deleted, yes, no } => {
                [deleted, yes, no].into_iter().flatten().copied().collect()
            }
        }
    }

    /// Returns a key that sorts edits in text order, outer edits before nested edits.
    fn rank(&self) -> (usize, u8, usize) {
        let end = usize::MAX - self.range.end;
        match self.shape {
            Shape::Leave(_) => (self.range.start, 0, end),
            Shape::Guard { .. } => (self.range.start, 1, end),
            Shape::Instead(_) | Shape::Around(_) => (self.range.start, 2, end),
        }
    }
}

/// Applies the edits. `on` is the path of the function that returns `true` if a mutant is on.
pub fn plant(source: &str, mut edits: Vec<Edit>, on: &str) -> Planted {
    edits.sort_by_key(Edit::rank);
    let mut writer = Writer { source, on, out: Planted::default() };
    writer.range(0..source.len(), &edits);
    writer.out
}

struct Writer<'a> {
    source: &'a str,
    on: &'a str,
    out: Planted,
}

impl Writer<'_> {
    fn range(&mut self, range: Range<usize>, mut edits: &[Edit]) {
        let mut at = range.start;
        while let [edit, rest @ ..] = edits {
            self.out.text.push_str(&self.source[at..edit.range.start]);
            let within = rest.iter().take_while(|inner| inner.range.start < edit.range.end).count();
            let (inner, after) = rest.split_at(within);
            self.edit(edit, inner);
            at = edit.range.end;
            edits = after;
        }
        self.out.text.push_str(&self.source[at..range.end]);
    }

    fn edit(&mut self, edit: &Edit, inner: &[Edit]) {
        let start = self.out.text.len();
        match &edit.shape {
            Shape::Leave(pieces) => pieces.iter().for_each(|piece| self.leave(piece)),
            Shape::Instead(pieces) => self.instead(pieces, edit.range.clone(), inner),
            Shape::Around(_) => self.range(edit.range.clone(), inner),
            &Shape::Guard { deleted, yes, no } => {
                self.guard(deleted, yes, no, edit.range.clone(), inner)
            }
        }
        self.out.edits.push((start..self.out.text.len(), edit.ids()));
    }

    fn leave(&mut self, piece: &Piece) {
        self.is_on("if ", piece.id);
        self.push(" { ");
        self.piece(piece.id, &format!("return {};", piece.text));
        self.push(" } ");
    }

    fn instead(&mut self, pieces: &[Piece], original: Range<usize>, inner: &[Edit]) {
        // A `match` may be a statement without a semicolon, and so may the block around it.
        let is_match = self.source[original.clone()].starts_with("match ");
        self.push(if is_match { "{ " } else { "(" });
        for piece in pieces {
            self.is_on("if ", piece.id);
            self.push(" { ");
            self.piece(piece.id, &piece.text);
            self.push(" } else ");
        }
        self.push("{ ");
        self.range(original, inner);
        self.push(if is_match { " } }" } else { " })" });
    }

    fn guard(
        &mut self,
        deleted: Option<u32>,
        yes: Option<u32>,
        no: Option<u32>,
        original: Range<usize>,
        inner: &[Edit],
    ) {
        if original.is_empty() {
            return deleted.into_iter().for_each(|id| self.is_on(" if !", id));
        }
        if let Some(id) = deleted {
            self.is_on("!", id);
            self.push(" && ");
        }
        self.push("(");
        if let Some(id) = yes {
            self.is_on("", id);
            self.push(" || ");
        }
        if let Some(id) = no {
            self.is_on("!", id);
            self.push(" && ");
        }
        self.push("(");
        self.range(original, inner);
        self.push("))");
    }

    fn is_on(&mut self, before: &str, id: u32) {
        let _ = write!(self.out.text, "{before}{}({id})", self.on);
    }

    fn piece(&mut self, id: u32, text: &str) {
        let start = self.out.text.len();
        self.out.text.push_str(text);
        self.out.pieces.push((start..self.out.text.len(), id));
    }

    fn push(&mut self, text: &str) {
        self.out.text.push_str(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(id: u32, text: &str) -> Piece {
        Piece { id, text: text.into() }
    }

    #[test]
    fn the_original_has_the_edits_within_and_mutated_pieces_have_none() {
        let outer = Edit { range: 0..11, shape: Shape::Instead(vec![piece(1, "(a + b) / c")]) };
        let inner = Edit { range: 1..6, shape: Shape::Instead(vec![piece(2, "a - b")]) };
        let planted = plant("(a + b) * c", vec![inner, outer], "on");
        let expected =
            "(if on(1) { (a + b) / c } else { ((if on(2) { a - b } else { a + b })) * c })";
        assert_eq!(planted.text, expected);
        let pieces: Vec<_> =
            planted.pieces.iter().map(|(range, id)| (&planted.text[range.clone()], *id)).collect();
        assert_eq!(pieces, [("(a + b) / c", 1), ("a - b", 2)]);
    }

    #[test]
    fn a_body_is_left_before_what_it_starts_with() {
        let leave = Edit { range: 2..2, shape: Shape::Leave(vec![piece(1, "0"), piece(2, "1")]) };
        let minus = Edit { range: 2..4, shape: Shape::Instead(vec![piece(3, "a")]) };
        let planted = plant("{ -a }", vec![minus, leave], "on");
        let expected =
            "{ if on(1) { return 0; } if on(2) { return 1; } (if on(3) { a } else { -a }) }";
        assert_eq!(planted.text, expected);
    }

    #[test]
    fn arms_get_guards() {
        let guard = |deleted, yes, no| Shape::Guard { deleted, yes, no };
        let old = Edit { range: 5..6, shape: guard(Some(1), Some(2), Some(3)) };
        let new = Edit { range: 14..14, shape: guard(Some(4), None, None) };
        let planted = plant("A if g => 0, B => 1", vec![old, new], "on");
        let expected = "A if !on(1) && (on(2) || !on(3) && (g)) => 0, B if !on(4) => 1";
        assert_eq!(planted.text, expected);
    }
}
