//! Reads a package and all of its tables.

use super::bytes::{Bad, Cursor, Out, Text};
use super::node::{Fields, Node};
use super::summary::{Summary, summary};
use super::versions::{FORTNITE_MAIN, Versions};
use super::{objects, registry, tables, tile, trailer};

/// A package in one or two files.
pub struct Package {
    /// The bytes of the files, concatenated.
    pub file: Vec<u8>,
    /// The length of the first file.
    pub header: usize,
    pub summary: Summary,
    /// The texts of names; `None` for unreadable names.
    pub names: Vec<Option<Text>>,
}

impl Package {
    pub fn open(header: &[u8], exports: Option<&[u8]>, supplied: Option<(i32, i32)>) -> Out<Self> {
        let file = [header, exports.unwrap_or_default()].concat();
        let mut summary = summary(header, supplied)?;
        summary.versions.soft_list = summary.place("soft_object_path_count") > 0;
        let mut package = Self { file, header: header.len(), summary, names: Vec::new() };
        package.names_fit()?;
        package.names = package.all_names();
        Ok(package)
    }

    /// Returns the same package with different bytes after the header.
    pub fn with_exports(&self, exports: &[u8]) -> Self {
        let file = [&self.file[..self.header], exports].concat();
        Self { file, header: self.header, summary: self.summary.clone(), names: self.names.clone() }
    }

    pub fn versions(&self) -> &Versions {
        &self.summary.versions
    }

    /// Returns a cursor at a position in one of the files. The cursor ends at the end of that file.
    pub fn cursor(&self, at: usize) -> Cursor<'_> {
        let end = if at < self.header { self.header } else { self.file.len() };
        Cursor { file: &self.file, at, end, big: self.summary.big }
    }

    /// Returns a cursor at the offset of a table, or `None` if the offset is not positive, because
    /// there is then no table.
    pub fn table(&self, offset: i64) -> Out<Option<Cursor<'_>>> {
        if offset <= 0 {
            return Ok(None);
        }
        self.place(offset).map(Some)
    }

    fn place(&self, offset: i64) -> Out<Cursor<'_>> {
        let at = usize::try_from(offset).map_err(|_| Bad)?;
        if at > self.file.len() {
            return Err(Bad);
        }
        Ok(self.cursor(at))
    }

    /// Reads the rows of a table, up to the first malformed row. `count` and `offset` are names of
    /// fields.
    fn rows<'a>(
        &'a self,
        count: &str,
        offset: &str,
        mut row: impl FnMut(&mut Cursor<'a>) -> Out<Node>,
    ) -> Node {
        let count = self.summary.place(count);
        let mut rows = Vec::new();
        let whole = count <= 0
            || match self.table(self.summary.place(offset)) {
                Ok(Some(mut from)) => (0..count).all(|_| match row(&mut from) {
                    Ok(node) => {
                        rows.push(node);
                        true
                    }
                    Err(Bad) => false,
                }),
                Ok(None) => true,
                Err(Bad) => false,
            };
        Self::table_of(rows, whole)
    }

    pub fn table_of(rows: Vec<Node>, whole: bool) -> Node {
        let mut fields = Fields::default();
        fields.put("rows", Node::List(rows));
        fields.put("whole", Node::Truth(whole));
        fields.done()
    }

    /// Reads one value at an offset.
    fn single<'a>(&'a self, offset: i64, read: impl FnOnce(&mut Cursor<'a>) -> Out<Node>) -> Node {
        let read = self.table(offset).and_then(|from| from.map(|mut at| read(&mut at)).transpose());
        match read {
            Ok(Some(node)) => node,
            Ok(None) => Node::word("none"),
            Err(Bad) => Node::word("bad"),
        }
    }

    /// Checks that the file is large enough for its number of names.
    fn names_fit(&self) -> Out<()> {
        let count = usize::try_from(self.summary.place("name_count")).map_err(|_| Bad)?;
        match self.table(self.summary.place("name_offset"))? {
            Some(from) if count <= from.left() / 4 => Ok(()),
            None if count == 0 => Ok(()),
            _ => Err(Bad),
        }
    }

    fn all_names(&self) -> Vec<Option<Text>> {
        let mut texts = Vec::new();
        self.rows("name_count", "name_offset", |from| {
            let (node, text) = objects::name(from, self.versions())?;
            texts.push(Some(text));
            Ok(node)
        });
        // Unreadable names also have an index.
        let count = usize::try_from(self.summary.place("name_count")).unwrap_or(0);
        texts.resize(count, None);
        texts
    }

    /// Returns the rows of the table of soft object paths.
    pub fn soft_paths(&self) -> Vec<Node> {
        let utf8 = self.versions().custom(FORTNITE_MAIN) >= 192;
        let mut paths = Vec::new();
        self.rows("soft_object_path_count", "soft_object_path_offset", |from| {
            let path = tables::soft_path(from, utf8)?;
            paths.push(path.clone());
            Ok(path)
        });
        paths
    }

    /// Returns every table, with its name.
    pub fn tables(&self) -> Vec<(&'static str, Node)> {
        let mut all = self.tables_of_rows();
        all.extend(self.single_tables());
        all
    }

    fn tables_of_rows<'a>(&'a self) -> Vec<(&'static str, Node)> {
        let versions = self.versions();
        let utf8 = versions.custom(FORTNITE_MAIN) >= 192;
        let packages = objects::import_packages(&self.summary);
        let exports = self.summary.place("export_count");
        let rows = |count, offset, row: &dyn Fn(&mut Cursor<'a>) -> Out<Node>| {
            self.rows(count, offset, row)
        };
        vec![
            (
                "names",
                rows("name_count", "name_offset", &|from| Ok(objects::name(from, versions)?.0)),
            ),
            (
                "imports",
                rows("import_count", "import_offset", &|from| {
                    objects::import(from, versions, packages)
                }),
            ),
            (
                "exports",
                rows("export_count", "export_offset", &|from| objects::export(from, versions)),
            ),
            (
                "depends",
                match exports {
                    1.. => {
                        rows("export_count", "depends_offset", &|from| from.list(Cursor::number))
                    }
                    _ => Self::table_of(vec![], true),
                },
            ),
            (
                "soft_package_references",
                rows("soft_package_reference_count", "soft_package_reference_offset", &|from| {
                    tables::soft_package(from, versions)
                }),
            ),
            (
                "soft_object_paths",
                rows("soft_object_path_count", "soft_object_path_offset", &|from| {
                    tables::soft_path(from, utf8)
                }),
            ),
            (
                "gatherable_text",
                rows("gatherable_text_count", "gatherable_text_offset", &tables::gatherable),
            ),
            (
                "preload_dependencies",
                rows("preload_dependency_count", "preload_dependency_offset", &Cursor::number),
            ),
            (
                "import_type_hierarchies",
                rows(
                    "import_type_hierarchy_count",
                    "import_type_hierarchy_offset",
                    &tables::hierarchy,
                ),
            ),
        ]
    }

    fn single_tables(&self) -> Vec<(&'static str, Node)> {
        let versions = self.versions();
        let place = |name| self.summary.place(name);
        let registry = place("asset_registry_data_offset");
        let dependencies = self.table(registry).ok().flatten().and_then(|mut from| {
            registry::registry(&mut from, versions).ok().map(|(_, dependencies)| dependencies)
        });
        vec![
            ("searchable_names", self.single(place("searchable_names_offset"), tables::searchable)),
            ("thumbnails", self.single(place("thumbnail_table_offset"), tables::thumbnails)),
            ("metadata", self.single(place("metadata_offset"), tables::metadata)),
            (
                "asset_registry",
                self.single(registry, |from| Ok(registry::registry(from, versions)?.0)),
            ),
            (
                "registry_dependencies",
                match dependencies {
                    None if registry > 0 => Node::word("bad"),
                    _ => self.single(dependencies.unwrap_or(0), |from| {
                        registry::dependencies(from, versions)
                    }),
                },
            ),
            (
                "world_tile_info",
                self.single(place("world_tile_info_data_offset"), |from| {
                    tile::tile(from, versions)
                }),
            ),
            ("data_resources", self.single(place("data_resource_offset"), trailer::resources)),
            ("trailer", self.single(place("payload_toc_offset"), trailer::trailer)),
        ]
    }

    /// Reads the picture of a thumbnail: its width, its height, and its bytes.
    pub fn picture(&self, offset: i32) -> Out<Node> {
        let mut from = self.place(offset.into())?;
        let mut fields = Fields::default();
        fields.put("width", from.number()?);
        fields.put("height", from.number()?);
        let size = usize::try_from(from.i32()?).map_err(|_| Bad)?;
        fields.put("bytes", Node::Bytes(from.bytes(size)?.to_vec()));
        Ok(fields.done())
    }
}
