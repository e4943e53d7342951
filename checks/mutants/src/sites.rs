//! Finds the syntax at the positions in the list of mutants, and turns it into edits.
//!
//! `cargo mutants` replaces operators in the text, which is then parsed again: `a << b + c` with
//! `-` for `<<` means `(a - b) + c`, although `b + c` was the right operand of `<<`. Therefore, the
//! mutated copy contains the whole chain of binary operators, not only the mutated operator and its
//! two operands.

use crate::edit::{Edit, Piece, Shape};
use crate::plan::{Mutant, Status};
use proc_macro2::Span;
use std::collections::HashMap;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{
    Arm, BinOp, Block, ConstParam, Expr, ExprBinary, ExprConst, ExprMatch, ExprRepeat, ExprStruct,
    ExprUnary, File, GenericArgument, ImplItemConst, ImplItemFn, ItemConst, ItemFn, ItemStatic,
    Signature, TraitItemConst, TraitItemFn, TypeArray, Variant,
};

/// The result for the mutants of one file.
#[derive(Default)]
pub struct Found {
    pub edits: Vec<Edit>,
    pub statuses: Vec<(u32, Status)>,
    pub in_const_fn: Vec<u32>,
}

/// Finds the syntax of mutants. `mutants` contains the mutants in this file that may be planted,
/// each with its number.
pub fn find(source: &str, file: &File, mutants: &[(u32, &Mutant)]) -> Found {
    let lines = Lines::new(source);
    let mut wanted: HashMap<(&str, usize), Vec<Wanted>> = HashMap::new();
    for &(id, mutant) in mutants {
        let range = lines.offset(mutant.start)..lines.offset(mutant.end);
        let key = (mutant.genre.as_str(), range.start);
        wanted.entry(key).or_default().push(Wanted { id, range, mutant });
    }
    let mut finder =
        Finder { source, wanted, constants: 0, is_const_fn: false, found: Found::default() };
    finder.visit_file(file);
    finder.found
}

/// Source text, and the offsets at which its lines start.
struct Lines<'a> {
    source: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn new(source: &'a str) -> Self {
        let ends = source.match_indices('\n').map(|(at, _)| at + 1);
        Self { source, starts: [0].into_iter().chain(ends).collect() }
    }

    fn offset(&self, (line, column): (usize, usize)) -> usize {
        let start = self.starts[line - 1];
        let rest = &self.source[start..];
        start + rest.char_indices().nth(column - 1).map_or(rest.len(), |(at, _)| at)
    }
}

struct Wanted<'a> {
    id: u32,
    range: Range<usize>,
    mutant: &'a Mutant,
}

struct Finder<'a> {
    source: &'a str,
    wanted: HashMap<(&'a str, usize), Vec<Wanted<'a>>>,
    /// Number of constant expressions around the visited node.
    constants: usize,
    is_const_fn: bool,
    found: Found,
}

fn range(span: Span) -> Range<usize> {
    span.byte_range()
}

impl<'a> Finder<'a> {
    /// Removes the mutants of this genre that start at this position from `wanted`. Returns the
    /// mutants that can be planted, and records why the others cannot be planted.
    fn take(&mut self, genre: &'static str, at: usize) -> Vec<Wanted<'a>> {
        let mut all = self.wanted.remove(&(genre, at)).unwrap_or_default();
        if self.is_const_fn {
            self.found.in_const_fn.extend(all.iter().map(|wanted| wanted.id));
        }
        if self.constants > 0 {
            self.all_are(Status::Constant, &all);
            return Vec::new();
        }
        let opaque = all.extract_if(.., |wanted| genre == "FnValue" && wanted.mutant.is_opaque);
        let opaque: Vec<_> = opaque.collect();
        self.all_are(Status::Opaque, &opaque);
        all
    }

    fn all_are(&mut self, status: Status, all: &[Wanted]) {
        self.found.statuses.extend(all.iter().map(|wanted| (wanted.id, status)));
    }

    /// Plants a copy of `whole` for each mutant, with the replacement of this mutant. If the copy
    /// is not an expression, the mutant is unviable.
    fn copies(&mut self, whole: Range<usize>, wanted: Vec<Wanted>) {
        let mut pieces = Vec::new();
        for wanted in wanted {
            let (before, after) = (whole.start..wanted.range.start, wanted.range.end..whole.end);
            let text =
                [&self.source[before], &wanted.mutant.replacement, &self.source[after]].concat();
            let is_expression = syn::parse_str::<Expr>(&text).is_ok();
            let status = if is_expression { Status::Planted } else { Status::Unviable };
            self.found.statuses.push((wanted.id, status));
            if is_expression {
                pieces.push(Piece { id: wanted.id, text });
            }
        }
        self.add(whole, Shape::Instead(pieces));
    }

    fn add(&mut self, range: Range<usize>, shape: Shape) {
        let is_empty = match &shape {
            Shape::Leave(pieces) | Shape::Instead(pieces) => pieces.is_empty(),
            Shape::Around(ids) => ids.is_empty(),
            Shape::Guard { .. } => false,
        };
        if !is_empty {
            self.found.edits.push(Edit { range, shape });
        }
    }

    /// Visits code that the compiler evaluates, such as the initializer of a constant.
    fn constant(&mut self, visit: impl FnOnce(&mut Self)) {
        self.constants += 1;
        visit(self);
        self.constants -= 1;
    }

    /// Visits a function. Its body is not a constant expression, even if the function is inside
    /// one.
    fn function(
        &mut self,
        signature: &Signature,
        body: Option<&Block>,
        visit: impl FnOnce(&mut Self),
    ) {
        let around = (self.constants, self.is_const_fn);
        (self.constants, self.is_const_fn) = (0, signature.constness.is_some());
        if let Some(first) = body.and_then(|body| body.stmts.first()) {
            self.body(range(first.span()).start);
        }
        visit(self);
        (self.constants, self.is_const_fn) = around;
    }

    fn body(&mut self, start: usize) {
        let wanted = self.take("FnValue", start);
        self.all_are(Status::Planted, &wanted);
        let piece =
            |wanted: Wanted| Piece { id: wanted.id, text: wanted.mutant.replacement.clone() };
        self.add(start..start, Shape::Leave(wanted.into_iter().map(piece).collect()));
    }

    /// Plants the deletion of an arm, and guards that are always `true` or `false`.
    fn guard(&mut self, arm: &Arm, mut all: Vec<Wanted<'a>>) {
        let deleted = all.first().map(|wanted| wanted.id);
        let place = match &arm.guard {
            Some((_, guard)) => range(guard.span()),
            None => range(arm.pat.span()).end..range(arm.pat.span()).end,
        };
        let guards = self.take("MatchArmGuard", place.start);
        let with = |text: &str| {
            guards.iter().find(|wanted| wanted.mutant.replacement == text).map(|wanted| wanted.id)
        };
        let (yes, no) = (with("true"), with("false"));
        all.extend(guards);
        self.all_are(Status::Planted, &all);
        if !all.is_empty() {
            self.add(place, Shape::Guard { deleted, yes, no });
        }
    }

    /// Collects the mutants of all operators of an expression, and its operands. `a && b || c` has
    /// two operators and three operands.
    fn operators<'e>(
        &mut self,
        node: &'e ExprBinary,
        wanted: &mut Vec<Wanted<'a>>,
        operands: &mut Vec<&'e Expr>,
    ) {
        for (operand, is_left) in [(&*node.left, true), (&*node.right, false)] {
            match operand {
                Expr::Binary(inner) => self.operators(inner, wanted, operands),
                other => operands.push(other),
            }
            if is_left {
                wanted.extend(self.take("BinaryOperator", range(node.op.span()).start));
            }
        }
    }

    /// Splits `a && let b = c && d`, where no operator other than `&&` is valid.
    fn chain(&mut self, expr: &Expr) {
        match expr {
            Expr::Binary(node) if matches!(node.op, BinOp::And(_)) => {
                let wanted = self.take("BinaryOperator", range(node.op.span()).start);
                self.all_are(Status::Unviable, &wanted);
                self.chain(&node.left);
                self.chain(&node.right);
            }
            other => self.visit_expr(other),
        }
    }
}

fn is_chain_of_lets(node: &ExprBinary) -> bool {
    let has_let = |operand: &Expr| match operand {
        Expr::Let(_) => true,
        Expr::Binary(inner) => is_chain_of_lets(inner),
        _ => false,
    };
    matches!(node.op, BinOp::And(_)) && (has_let(&node.left) || has_let(&node.right))
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_expr_binary(&mut self, node: &'ast ExprBinary) {
        if is_chain_of_lets(node) {
            let wanted = self.take("BinaryOperator", range(node.op.span()).start);
            self.all_are(Status::Unviable, &wanted);
            self.chain(&node.left);
            return self.chain(&node.right);
        }
        let (mut wanted, mut operands) = (Vec::new(), Vec::new());
        self.operators(node, &mut wanted, &mut operands);
        self.copies(range(node.span()), wanted);
        operands.into_iter().for_each(|operand| self.visit_expr(operand));
    }

    fn visit_expr_unary(&mut self, node: &'ast ExprUnary) {
        let wanted = self.take("UnaryOperator", range(node.op.span()).start);
        self.copies(range(node.span()), wanted);
        visit::visit_expr_unary(self, node);
    }

    fn visit_expr_struct(&mut self, node: &'ast ExprStruct) {
        let starts = node.fields.iter().map(|field| range(field.span()).start);
        let wanted: Vec<_> = starts.flat_map(|at| self.take("StructField", at)).collect();
        self.copies(range(node.span()), wanted);
        visit::visit_expr_struct(self, node);
    }

    fn visit_expr_match(&mut self, node: &'ast ExprMatch) {
        self.visit_expr(&node.expr);
        let (mut guarded, mut copied) = (Vec::new(), Vec::new());
        for arm in &node.arms {
            let mut deleted = self.take("MatchArm", range(arm.span()).start);
            copied.extend(deleted.extract_if(.., |wanted| wanted.mutant.is_copied));
            guarded.extend(deleted.iter().map(|wanted| wanted.id));
            self.guard(arm, deleted);
            self.visit_arm(arm);
        }
        let whole = range(node.span());
        self.add(whole.clone(), Shape::Around(guarded));
        self.copies(whole, copied);
    }

    fn visit_item_fn(&mut self, node: &'ast ItemFn) {
        self.function(&node.sig, Some(&node.block), |this| visit::visit_item_fn(this, node));
    }

    fn visit_impl_item_fn(&mut self, node: &'ast ImplItemFn) {
        self.function(&node.sig, Some(&node.block), |this| visit::visit_impl_item_fn(this, node));
    }

    fn visit_trait_item_fn(&mut self, node: &'ast TraitItemFn) {
        self.function(&node.sig, node.default.as_ref(), |this| {
            visit::visit_trait_item_fn(this, node)
        });
    }

    fn visit_item_const(&mut self, node: &'ast ItemConst) {
        self.constant(|this| visit::visit_item_const(this, node));
    }

    fn visit_item_static(&mut self, node: &'ast ItemStatic) {
        self.constant(|this| visit::visit_item_static(this, node));
    }

    fn visit_impl_item_const(&mut self, node: &'ast ImplItemConst) {
        self.constant(|this| visit::visit_impl_item_const(this, node));
    }

    fn visit_trait_item_const(&mut self, node: &'ast TraitItemConst) {
        self.constant(|this| visit::visit_trait_item_const(this, node));
    }

    fn visit_expr_const(&mut self, node: &'ast ExprConst) {
        self.constant(|this| visit::visit_expr_const(this, node));
    }

    fn visit_type_array(&mut self, node: &'ast TypeArray) {
        self.constant(|this| visit::visit_type_array(this, node));
    }

    fn visit_generic_argument(&mut self, node: &'ast GenericArgument) {
        self.constant(|this| visit::visit_generic_argument(this, node));
    }

    fn visit_const_param(&mut self, node: &'ast ConstParam) {
        self.constant(|this| visit::visit_const_param(this, node));
    }

    fn visit_variant(&mut self, node: &'ast Variant) {
        self.constant(|this| visit::visit_variant(this, node));
    }

    fn visit_expr_repeat(&mut self, node: &'ast ExprRepeat) {
        self.visit_expr(&node.expr);
        self.constant(|this| this.visit_expr(&node.len));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planted(source: &str, genre: &str, what: &str, replacement: &str) -> (String, Status) {
        let at = source.find(what).unwrap();
        let mutant = Mutant {
            name: String::new(),
            file: String::new(),
            genre: genre.into(),
            replacement: replacement.into(),
            start: (1, at + 1),
            end: (1, at + what.len() + 1),
            is_opaque: false,
            in_const_fn: false,
            is_copied: false,
            status: Status::Unseen,
        };
        let found = find(source, &syn::parse_file(source).unwrap(), &[(7, &mutant)]);
        let text = crate::edit::plant(source, found.edits, "on").text;
        (text, found.statuses[0].1)
    }

    #[test]
    fn a_replaced_operator_is_parsed_with_those_around_it() {
        let (text, _) = planted("fn f() -> u8 { a + b << c }", "BinaryOperator", "+", "*");
        assert_eq!(text, "fn f() -> u8 { (if on(7) { a * b << c } else { a + b << c }) }");
    }

    #[test]
    fn fields_are_deleted_with_their_commas() {
        let (text, _) = planted("fn f() -> A { A { b, ..c } }", "StructField", "b,", "");
        assert_eq!(text, "fn f() -> A { (if on(7) { A {  ..c } } else { A { b, ..c } }) }");
    }

    #[test]
    fn constants_are_left() {
        let status = |source| planted(source, "BinaryOperator", "<<", ">>").1;
        assert_eq!(status("const A: u8 = 1 << 2;"), Status::Constant);
        assert_eq!(status("fn f() { let a = [0; 1 << 2]; }"), Status::Constant);
        assert_eq!(status("const fn f() -> u8 { 1 << 2 }"), Status::Planted);
    }

    #[test]
    fn what_cannot_be_parsed_is_unviable() {
        let (_, status) = planted("fn f() { if a && let b = c {} }", "BinaryOperator", "&&", "||");
        assert_eq!(status, Status::Unviable);
        let (_, status) = planted("fn f() { a as u8 > b }", "BinaryOperator", ">", "<");
        assert_eq!(status, Status::Unviable);
    }
}
