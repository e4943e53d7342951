//! Finds the imports between the files of a crate. Imports come from `use` declarations, and from
//! paths in code that begin with `crate`, `super`, `self` or the name of a child module.
//!
//! Names are followed through re-exports to the file that defines them. Code under `#[cfg(test)]`
//! and declarations such as `mod name;` are ignored.

use std::collections::{BTreeMap, BTreeSet};

type Path = Vec<String>;

/// The files of a crate by module path, with the imports of each.
#[derive(Default)]
pub struct Imports {
    modules: BTreeMap<Path, Module>,
}

/// The names that one file defines and uses.
#[derive(Default)]
struct Module {
    file: String,
    children: BTreeSet<String>,
    defined: BTreeSet<String>,
    /// The names that `use` brings into scope, each with its path. The name of a glob import is
    /// `*`. The name of an import in an inline module is empty.
    uses: Vec<(String, Path)>,
    /// The paths in code that may lead to modules of the crate.
    paths: Vec<Path>,
}

impl Imports {
    /// Parses sources. Each source is a pair of a path that begins with `src` and the contents of
    /// this file.
    pub fn of<'s>(sources: impl IntoIterator<Item = (&'s str, &'s str)>) -> Self {
        let mut modules = BTreeMap::new();
        for (file, text) in sources {
            let path = module_path(file);
            modules.insert(path.clone(), Module::parse(file, path, text));
        }
        Self { modules }
    }

    /// Returns every import as a pair of the importing file and the file that defines the imported
    /// name. An import that resolves to a module, and not to an item in it, is included only if it
    /// is a glob import.
    pub fn edges(&self) -> BTreeSet<(&str, &str)> {
        let mut edges = BTreeSet::new();
        for (own, module) in &self.modules {
            let used = module.uses.iter().map(|(name, path)| (name == "*", path));
            for (is_glob, path) in used.chain(module.paths.iter().map(|path| (false, path))) {
                let Some(path) = self.absolute(own, path) else { continue };
                let is_module = self.modules.contains_key(&path);
                if let Some(target) = self.definition(&path, 0)
                    && target.file != module.file
                    && (is_glob || !is_module)
                {
                    edges.insert((module.file.as_str(), target.file.as_str()));
                }
            }
        }
        edges
    }

    /// Returns the path from the root of the crate, or `None` for a path into another crate.
    fn absolute(&self, own: &Path, path: &Path) -> Option<Path> {
        let first = path.first()?;
        if first == "crate" {
            return Some(path[1..].to_vec());
        }
        let module = &self.modules[own];
        let is_local = module.children.contains(first)
            || module.uses.iter().any(|(name, used)| name == first && used != path);
        is_local.then(|| [&own[..], path].concat())
    }

    /// Returns the file that defines the name at the end of an absolute path.
    fn definition(&self, path: &[String], depth: u32) -> Option<&Module> {
        if depth > 16 {
            return None;
        }
        let mut own = Path::new();
        for (at, name) in path.iter().enumerate() {
            let module = self.modules.get(&own)?;
            let rest = &path[at + 1..];
            let child = [&own[..], std::slice::from_ref(name)].concat();
            if self.modules.contains_key(&child) {
                own = child;
                continue;
            }
            if let Some((_, used)) = module.uses.iter().find(|(bound, _)| bound == name) {
                let used = [&self.absolute(&own, used)?[..], rest].concat();
                return self.definition(&used, depth + 1);
            }
            let globs = module.uses.iter().filter(|(bound, _)| bound == "*");
            for glob in globs.filter_map(|(_, used)| self.absolute(&own, used)) {
                let Some(target) = self.definition(&glob, depth + 1) else { continue };
                let target = module_path(&target.file);
                if self.has(&target, name, depth) {
                    return self.definition(&[&target[..], &path[at..]].concat(), depth + 1);
                }
            }
            return Some(module);
        }
        self.modules.get(&own)
    }

    /// Returns `true` if the module defines or re-exports the name.
    fn has(&self, own: &Path, name: &str, depth: u32) -> bool {
        let module = &self.modules[own];
        let by_glob = |used: &Path| {
            let target = self.definition(&self.absolute(own, used)?, depth + 1)?;
            Some(self.has(&module_path(&target.file), name, depth + 1))
        };
        module.defined.contains(name)
            || module.uses.iter().any(|(bound, used)| match bound.as_str() {
                "*" => depth < 16 && by_glob(used) == Some(true),
                bound => bound == name,
            })
    }
}

/// Returns the module path of a file. For example, it is `godot::read::walk` for
/// `src/godot/read/walk.rs`.
pub fn module_path(file: &str) -> Path {
    let name = file.trim_start_matches("src/").trim_end_matches(".rs");
    if name == "lib" { Path::new() } else { name.split('/').map(str::to_owned).collect() }
}

impl Module {
    fn parse(file: &str, path: Path, text: &str) -> Self {
        let module = Self { file: file.to_owned(), ..Self::default() };
        let tokens = tokens(text);
        Parser { tokens: &tokens, at: 0, depth: 0, scopes: Vec::new(), path, module }.run()
    }
}

/// Parses the tokens of one file.
struct Parser<'t> {
    tokens: &'t [&'t str],
    at: usize,
    depth: usize,
    /// The inline modules around the current token, and the brace depth of each.
    scopes: Vec<(String, usize)>,
    path: Path,
    module: Module,
}

impl<'t> Parser<'t> {
    fn peek(&self, ahead: usize) -> &'t str {
        self.tokens.get(self.at + ahead).copied().unwrap_or_default()
    }

    fn before(&self, back: usize) -> &'t str {
        self.at.checked_sub(back).map_or("", |at| self.tokens[at])
    }

    fn run(mut self) -> Module {
        while self.at < self.tokens.len() {
            let (token, next) = (self.peek(0), self.peek(1));
            match token {
                "#" => self.attribute(),
                "{" => self.depth += 1,
                "}" => self.close(),
                "mod" if self.peek(2) == ";" => {
                    self.module.children.insert(next.to_owned());
                }
                "mod" if self.peek(2) == "{" => {
                    self.module.defined.insert(next.to_owned());
                    self.scopes.push((next.to_owned(), self.depth));
                }
                "use" if next != "<" => self.declaration(),
                "struct" | "enum" | "union" | "trait" | "type" | "fn" | "const" | "static" => {
                    self.module.defined.insert(next.to_owned());
                }
                "macro_rules" => {
                    self.module.defined.insert(self.peek(2).to_owned());
                }
                _ if next == "::" && self.before(1) != "::" && self.before(1) != "in" => {
                    self.inline_path();
                }
                _ => {}
            }
            self.at += 1;
        }
        self.module
    }

    fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.scopes.pop_if(|(_, depth)| *depth == self.depth);
    }

    /// Skips an attribute. If the attribute is `#[cfg(test)]` or `#[cfg(all(test, …))]`, also skips
    /// the item after it.
    fn attribute(&mut self) {
        let start = self.at;
        self.skip_to("]");
        let words = &self.tokens[start..self.at];
        let is_test = matches!(words, ["#", "[", "cfg", "(", "test", ..])
            || matches!(words, ["#", "[", "cfg", "(", "all", "(", "test", ..]);
        if is_test {
            self.at += 1;
            while self.peek(0) == "#" {
                self.skip_to("]");
                self.at += 1;
            }
            let is_use = self.peek(0) == "use" || self.peek(1) == "use";
            while !matches!(self.peek(0), ";" | "") && (is_use || self.peek(0) != "{") {
                self.at += 1;
            }
            if self.peek(0) == "{" {
                self.skip_to("}");
            }
        }
    }

    /// Moves to the closing bracket that matches the next opening bracket.
    fn skip_to(&mut self, close: &str) {
        let open = if close == "]" { "[" } else { "{" };
        let mut depth = 0_usize;
        while self.at < self.tokens.len() {
            let token = self.peek(0);
            if token == open {
                depth += 1;
            } else if token == close {
                depth -= 1;
                if depth == 0 {
                    return;
                }
            }
            self.at += 1;
        }
    }

    /// Parses a `use` declaration up to its semicolon.
    fn declaration(&mut self) {
        self.at += 1;
        self.tree(&Path::new());
    }

    /// Parses one branch of the declaration, up to the comma, closing bracket or semicolon after
    /// it.
    fn tree(&mut self, stem: &Path) {
        let mut path = stem.clone();
        loop {
            match self.peek(0) {
                "::" => {}
                "{" => {
                    while !matches!(self.peek(0), "}" | "") {
                        self.at += 1;
                        self.tree(&path);
                    }
                    self.at += 1;
                    return;
                }
                "*" => {
                    self.bind("*", path);
                    self.at += 1;
                    return;
                }
                "as" => {
                    let name = self.peek(1);
                    self.bind(name, path);
                    self.at += 2;
                    return;
                }
                "," | "}" | ";" | "" => {
                    if path.len() > stem.len() {
                        let name = path.last().cloned().unwrap_or_default();
                        self.bind(&name, path);
                    }
                    return;
                }
                "self" if !path.is_empty() && path.last().is_some_and(|last| last != "super") => {
                    let name = path.last().cloned().unwrap_or_default();
                    self.bind(&name, path);
                    self.at += 1;
                    return;
                }
                name => path.push(name.to_owned()),
            }
            self.at += 1;
        }
    }

    fn bind(&mut self, name: &str, path: Path) {
        if let Some(path) = self.resolve_from_root(path) {
            // A name that is imported inside an inline module is not in the scope of the file.
            let name = if self.scopes.is_empty() { name } else { "" };
            self.module.uses.push((name.to_owned(), path));
        }
    }

    /// Parses a path in the code outside of `use` declarations.
    fn inline_path(&mut self) {
        let mut path = Path::new();
        while self.peek(1) == "::" {
            path.push(self.peek(0).to_owned());
            self.at += 2;
        }
        if self.peek(0).chars().all(|letter| letter.is_alphanumeric() || letter == '_') {
            path.push(self.peek(0).to_owned());
        } else {
            self.at -= 1;
        }
        if path[0].starts_with(|first: char| first.is_ascii_lowercase()) {
            let path = self.resolve_from_root(path);
            self.module.paths.extend(path);
        }
    }

    /// Replaces `self` and `super` at the start of a path with the full path of the module, which
    /// begins with `crate`.
    fn resolve_from_root(&self, path: Path) -> Option<Path> {
        if !matches!(path.first()?.as_str(), "self" | "super") {
            return Some(path);
        }
        let scopes = self.scopes.iter().map(|(name, _)| name);
        let mut base: Path = self.path.iter().chain(scopes).cloned().collect();
        let mut rest = &path[..];
        while let [first, after @ ..] = rest {
            match first.as_str() {
                "super" => drop(base.pop()?),
                "self" => {}
                _ => break,
            }
            rest = after;
        }
        Some([&["crate".to_owned()], &base[..], rest].concat())
    }
}

/// Splits source text into words and punctuation. Omits comments, string and character literals,
/// and lifetimes.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let len = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(len) = literal(rest) {
            len
        } else if is_word(first) {
            let len = rest.find(|letter| !is_word(letter)).unwrap_or(rest.len());
            tokens.push(&rest[..len]);
            len
        } else if rest.starts_with("::") {
            tokens.push("::");
            2
        } else {
            if !first.is_whitespace() {
                tokens.push(&rest[..first.len_utf8()]);
            }
            first.len_utf8()
        };
        rest = &rest[len..];
    }
    tokens
}

/// Returns the length of the literal at the start of `rest`, or 1 for the quote of a lifetime.
/// Returns `None` if `rest` starts with neither.
fn literal(rest: &str) -> Option<usize> {
    let prefix = ["br", "b", "r", "c", ""].into_iter().find(|prefix| {
        let after = rest.strip_prefix(prefix).unwrap_or("x");
        let hashes = after.trim_start_matches('#');
        hashes.starts_with('"') && (prefix.ends_with('r') || hashes.len() == after.len())
            || *prefix == "b" && after.starts_with('\'')
            || prefix.is_empty() && after.starts_with('\'')
    })?;
    let body = &rest[prefix.len()..];
    if prefix.ends_with('r') {
        let hashes = &body[..body.find('"')?];
        let end = format!("\"{hashes}");
        let start = hashes.len() + 1;
        return Some(prefix.len() + start + body[start..].find(&end)? + end.len());
    }
    let quote = body.chars().next()?;
    let mut letters = body.char_indices().skip(1);
    if quote == '\'' && !body.starts_with("'\\") {
        // A lifetime starts with a quote, and has no closing quote.
        let (_, inner) = letters.next()?;
        return Some(
            prefix.len()
                + 1
                + if body[1 + inner.len_utf8()..].starts_with('\'') {
                    inner.len_utf8() + 1
                } else {
                    0
                },
        );
    }
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => drop(letters.next()),
            _ if letter == quote => return Some(prefix.len() + at + 1),
            _ => {}
        }
    }
    Some(rest.len())
}
