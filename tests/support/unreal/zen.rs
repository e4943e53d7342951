//! Writes and reads packages from `IoStore` containers according to the description of the format,
//! without the code of the crate.

use crate::support::random::Random;

/// The engines whose packages are written. Together, they use every form of the header.
pub const ENGINES: [(u16, u16); 9] =
    [(4, 26), (4, 27), (5, 0), (5, 1), (5, 2), (5, 3), (5, 4), (5, 6), (5, 8)];

pub const UNVERSIONED_PROPERTIES: u32 = 0x2000;
const FILTER_EDITOR_ONLY: u32 = 0x8000_0000;
pub const NULL: u64 = u64::MAX;

/// The contents of a package.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Zen {
    pub engine: (u16, u16),
    /// The Zen version and the file versions, if they are stated.
    pub versions: Option<[i32; 3]>,
    pub flags: u32,
    pub names: Vec<String>,
    /// Index and number of the name of the package.
    pub name: [u32; 2],
    pub bulk: Vec<[i64; 3]>,
    pub hashes: Vec<u64>,
    pub imports: Vec<u64>,
    pub exports: Vec<Export>,
    pub cell_imports: Vec<u64>,
    pub cell_exports: Vec<[u64; 5]>,
    /// Number of entries in each bundle, below engine 5.3.
    pub bundles: Vec<u32>,
    /// Export and command.
    pub entries: Vec<[u32; 2]>,
    /// From engine 5.3 on.
    pub dependencies: Vec<[u32; 5]>,
    pub dependency_entries: Vec<i32>,
    pub packages: Vec<(String, u32)>,
    /// Hash of another package and pairs of bundles, in engine 4.
    pub package_arcs: Vec<(u64, Vec<[i32; 2]>)>,
    /// In engines 5.0 to 5.2.
    pub bundle_arcs: Vec<[i32; 2]>,
    pub import_arcs: Vec<Vec<(i32, u8, i32)>>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Export {
    pub bytes: Vec<u8>,
    pub name: [u32; 2],
    /// Outer, class, super, template, public hash.
    pub indices: [u64; 5],
    pub flags: u32,
    pub filter: u8,
}

/// Hashes text with `CityHash64`: ASCII in lower case, other text as UTF-16 with ASCII letters in
/// lower case.
pub fn name_hash(name: &str) -> u64 {
    let lower = name.to_ascii_lowercase();
    match name.is_ascii() {
        true => cityhasher::hash(lower.as_bytes()),
        false => cityhasher::hash(utf16(&lower)),
    }
}

/// Hashes a path.
pub fn path_hash(path: &str) -> u64 {
    cityhasher::hash(utf16(&path.to_lowercase().replace(['.', ':'], "/")))
}

/// Returns the index of a class of C++ code.
pub fn script(package: &str, name: &str) -> u64 {
    path_hash(&format!("{package}/{name}")) & !(3 << 62) | 1 << 62
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn length(name: &str) -> [u8; 2] {
    match name.is_ascii() {
        true => (name.len() as u16).to_be_bytes(),
        false => (name.encode_utf16().count() as u16 | 0x8000).to_be_bytes(),
    }
}

fn text(name: &str) -> Vec<u8> {
    if name.is_ascii() { name.as_bytes().to_vec() } else { utf16(name) }
}

#[derive(Default)]
struct Out(Vec<u8>);

impl Out {
    fn u32(&mut self, value: u32) {
        self.0.extend(value.to_le_bytes());
    }

    fn u64(&mut self, value: u64) {
        self.0.extend(value.to_le_bytes());
    }

    fn i32(&mut self, value: i32) {
        self.0.extend(value.to_le_bytes());
    }

    fn here(&self) -> u32 {
        self.0.len() as u32
    }

    fn patch(&mut self, at: usize, value: u32) {
        self.0[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }

    fn align(&mut self, to: usize) {
        while !self.0.len().is_multiple_of(to) {
            self.0.push(0);
        }
    }

    fn batch(&mut self, names: &[String]) {
        self.u32(names.len() as u32);
        if names.is_empty() {
            return;
        }
        self.u32(names.iter().map(|name| text(name).len() as u32).sum());
        self.u64(0xC164_0000);
        names.iter().for_each(|name| self.u64(name_hash(name)));
        names.iter().for_each(|name| self.0.extend(length(name)));
        names.iter().for_each(|name| self.0.extend(text(name)));
    }
}

/// Writes a table of script objects: a batch of names, and the objects.
pub fn script_objects(names: &[String], entries: &[(u32, [u64; 3])]) -> Vec<u8> {
    let mut out = Out::default();
    out.batch(names);
    out.u32(entries.len() as u32);
    for (name, indices) in entries {
        out.u32(name | 0x8000_0000);
        out.u32(0);
        indices.iter().for_each(|index| out.u64(*index));
    }
    out.0
}

impl Zen {
    fn is_engine_4(&self) -> bool {
        self.engine.0 == 4
    }

    /// Returns the bytes of the package, and the offsets of its exports.
    pub fn write(&self) -> (Vec<u8>, Vec<u64>) {
        let mut out = Out::default();
        let fields = match self.is_engine_4() {
            true => self.summary_4(&mut out),
            false => self.summary_5(&mut out),
        };
        let mut fields = fields.into_iter();
        let mut mark = |out: &mut Out| {
            let here = out.here();
            out.patch(fields.next().unwrap(), here);
        };
        if !self.is_engine_4() {
            mark(&mut out);
            self.hashes.iter().for_each(|hash| out.u64(*hash));
        }
        mark(&mut out);
        self.imports.iter().for_each(|import| out.u64(*import));
        mark(&mut out);
        let header_of_exports = out.0.len();
        out.0.extend(vec![0; 72 * self.exports.len()]);
        if self.engine >= (5, 6) {
            mark(&mut out);
            self.cell_imports.iter().for_each(|import| out.u64(*import));
            mark(&mut out);
            for [offset, layout, size, class, hash] in &self.cell_exports {
                [offset, layout, size, class, hash].iter().for_each(|word| out.u64(**word));
            }
        }
        mark(&mut out);
        if self.is_engine_4() {
            self.bundle_headers(&mut out, None);
        }
        for [export, command] in &self.entries {
            out.u32(*export);
            out.u32(*command);
        }
        mark(&mut out);
        match self.engine {
            (4, _) => self.graph_4(&mut out),
            (5, ..3) => {
                self.bundle_headers(&mut out, Some(()));
                self.graph_5(&mut out);
            }
            _ => {
                self.dependencies.iter().flatten().for_each(|word| out.u32(*word));
                mark(&mut out);
                self.dependency_entries.iter().for_each(|entry| out.i32(*entry));
                mark(&mut out);
                let names: Vec<_> = self.packages.iter().map(|(name, _)| name.clone()).collect();
                out.batch(&names);
                self.packages.iter().for_each(|(_, number)| out.u32(*number));
            }
        }
        let size = out.here();
        match fields.next() {
            // The graph is at the end of the header.
            Some(field) if self.is_engine_4() => {
                let graph = u32::from_le_bytes(out.0[field - 4..field].try_into().unwrap());
                out.patch(field, size - graph);
            }
            _ => out.patch(4, size),
        }
        let offsets = self.write_exports(&mut out, header_of_exports);
        (out.0, offsets)
    }

    /// Writes the summary and the names, and returns the positions of the offsets to patch.
    fn summary_4(&self, out: &mut Out) -> Vec<usize> {
        let [index, number] = self.name;
        [index, number, 0, 0, self.flags, 0x1234].iter().for_each(|word| out.u32(*word));
        (0..10).for_each(|_| out.u32(0));
        let start = out.here();
        for name in &self.names {
            out.0.extend(length(name));
            if !name.is_ascii() {
                out.align(2);
            }
            out.0.extend(text(name));
        }
        let size = out.here() - start;
        out.align(8);
        let hashes = out.here();
        out.u64(0xC164_0000);
        self.names.iter().for_each(|name| out.u64(name_hash(name)));
        let end = out.here();
        for (at, value) in [(24, start), (28, size), (32, hashes), (36, end - hashes)] {
            out.patch(at, value);
        }
        // Imports, exports, bundles, the graph, and the size of the graph.
        vec![40, 44, 48, 52, 56]
    }

    fn summary_5(&self, out: &mut Out) -> Vec<usize> {
        out.u32(self.versions.is_some().into());
        out.u32(0);
        let [index, number] = self.name;
        [index, number, self.flags, 0x1234].iter().for_each(|word| out.u32(*word));
        let tables = if self.engine >= (5, 3) { 7 } else { 5 };
        (0..tables).for_each(|_| out.u32(0));
        if let Some([zen, ue4, ue5]) = self.versions {
            [zen, ue4, ue5, 0, 1].iter().for_each(|word| out.i32(*word));
            out.0.extend([7; 16]);
            out.i32(5);
        }
        let cells = out.0.len();
        let mut fields: Vec<usize> = (0..tables).map(|index| 24 + 4 * index).collect();
        if self.engine >= (5, 6) {
            [0, 0].iter().for_each(|word| out.u32(*word));
            fields.splice(3..3, [cells, cells + 4]);
        }
        out.batch(&self.names);
        if self.engine >= (5, 2) {
            if self.engine >= (5, 4) {
                let padding = (8 - out.0.len() % 8) % 8;
                out.u64(padding as u64);
                out.0.extend(vec![0; padding]);
            }
            out.u64(32 * self.bulk.len() as u64);
            for [offset, second, size] in &self.bulk {
                [offset, second, size].iter().for_each(|word| out.u64(word.cast_unsigned()));
                out.u64(9);
            }
        }
        fields
    }

    fn bundle_headers(&self, out: &mut Out, has_offset: Option<()>) {
        let (mut first, mut offset) = (0, 0);
        for count in &self.bundles {
            if has_offset.is_some() {
                out.u64(offset);
            }
            out.u32(first);
            out.u32(*count);
            let entries = &self.entries[first as usize..(first + count) as usize];
            let sizes = entries.iter().filter(|entry| entry[1] == 1);
            offset +=
                sizes.map(|entry| self.exports[entry[0] as usize].bytes.len() as u64).sum::<u64>();
            first += count;
        }
    }

    fn graph_4(&self, out: &mut Out) {
        out.u32(self.package_arcs.len() as u32);
        for (package, arcs) in &self.package_arcs {
            out.u64(*package);
            out.u32(arcs.len() as u32);
            arcs.iter().flatten().for_each(|word| out.i32(*word));
        }
    }

    fn graph_5(&self, out: &mut Out) {
        out.u32(self.bundle_arcs.len() as u32);
        self.bundle_arcs.iter().flatten().for_each(|word| out.i32(*word));
        for arcs in &self.import_arcs {
            out.u32(arcs.len() as u32);
            for (import, command, bundle) in arcs {
                out.i32(*import);
                out.0.push(*command);
                out.i32(*bundle);
            }
        }
    }

    /// Writes the bytes of the exports in the order of the entries, and fills in the records of the
    /// exports. Returns the offsets of the bytes.
    fn write_exports(&self, out: &mut Out, records: usize) -> Vec<u64> {
        let end = out.0.len();
        let mut offsets = vec![0; self.exports.len()];
        for [index, _] in self.entries.iter().filter(|entry| entry[1] == 1) {
            offsets[*index as usize] = out.0.len() as u64;
            out.0.extend(&self.exports[*index as usize].bytes);
        }
        for (index, export) in self.exports.iter().enumerate() {
            let mut record = Out::default();
            // Older engines do not use the offset.
            record.u64(if self.engine >= (5, 3) { offsets[index] - end as u64 } else { 77 });
            record.u64(export.bytes.len() as u64);
            export.name.iter().for_each(|word| record.u32(*word));
            export.indices.iter().for_each(|word| record.u64(*word));
            record.u32(export.flags);
            record.0.extend([export.filter, 0, 0, 0]);
            out.0[records + 72 * index..][..72].copy_from_slice(&record.0);
        }
        offsets
    }

    /// Returns a package with random tables.
    pub fn random(random: &mut Random) -> Self {
        let engine = random.one_of(&ENGINES);
        let names = (0..1 + random.below(40)).map(|index| match random.below(12) {
            0 => format!("Näme{index}"),
            1 => format!("Имя{index}"),
            2 => "L".repeat(random.below(300)) + &index.to_string(),
            _ => format!("Name{index}"),
        });
        let names: Vec<_> = names.collect();
        let name = |random: &mut Random| [random.below(names.len()) as u32, random.below(3) as u32];
        let count = random.below(9);
        let (hashes, packages) = (1 + random.below(5), 1 + random.below(5));
        let object = |random: &mut Random| match random.below(5) {
            0 if count > 0 => random.below(count) as u64,
            1 => script("/Script/Engine", &format!("Class{}", random.below(9))),
            2 => 2 << 62 | (random.below(packages) as u64) << 32 | random.below(hashes) as u64,
            _ => NULL,
        };
        let exports = (0..count).map(|_| Export {
            bytes: (0..random.below(60)).map(|at| at as u8).collect(),
            name: name(random),
            indices: [object(random), object(random), NULL, object(random), random.next()],
            flags: random.below(64) as u32,
            filter: random.below(3) as u8,
        });
        let exports: Vec<_> = exports.collect();
        let mut entries: Vec<_> =
            (0..count as u32).flat_map(|index| [[index, 0], [index, 1]]).collect();
        for at in (1..entries.len()).rev() {
            entries.swap(at, random.below(at + 1));
        }
        let is_graph = engine < (5, 3);
        let mut bundles = Vec::new();
        while is_graph && bundles.iter().sum::<u32>() < entries.len() as u32 {
            let left = entries.len() as u32 - bundles.iter().sum::<u32>();
            bundles.push(1 + random.below(left as usize) as u32);
        }
        let pairs = |random: &mut Random| {
            (0..random.below(4)).map(|_| [random.below(9) as i32, 1]).collect()
        };
        let stated = engine.0 == 5 && random.below(2) == 0;
        let ue5 = [1004, 1008, 1009, 1009, 1012, 1013, 1017, 1018, 1018];
        let imports: Vec<_> = (0..random.below(9)).map(|_| object(random)).collect();
        let index = |random: &mut Random| {
            random.below(count + imports.len() + 1) as i32 - imports.len() as i32
        };
        let dependency_entries: Vec<_> = (0..random.below(20)).map(|_| index(random)).collect();
        Self {
            engine,
            versions: stated.then(|| [3, 522, ue5[usize::from(engine.1)]]),
            flags: FILTER_EDITOR_ONLY | random.one_of(&[0, UNVERSIONED_PROPERTIES]),
            name: name(random),
            bulk: match engine >= (5, 2) {
                true => (0..random.below(3)).map(|at| [at as i64, -1, 5]).collect(),
                false => Vec::new(),
            },
            hashes: match engine.0 {
                5 => (0..hashes).map(|_| random.next()).collect(),
                _ => Vec::new(),
            },
            cell_imports: match engine >= (5, 6) {
                true => (0..random.below(3)).map(|_| object(random)).collect(),
                false => Vec::new(),
            },
            cell_exports: match engine >= (5, 6) {
                true => (0..random.below(3)).map(|at| [at as u64, 1, 2, 0, 5]).collect(),
                false => Vec::new(),
            },
            dependencies: match is_graph {
                true => Vec::new(),
                false => {
                    (0..count).map(|_| [0, 0, 0, dependency_entries.len() as u32, 0]).collect()
                }
            },
            dependency_entries: if is_graph { Vec::new() } else { dependency_entries },
            packages: match is_graph {
                true => Vec::new(),
                false => (0..packages)
                    .map(|at| (format!("/Game/Package{at}"), random.below(3) as u32))
                    .collect(),
            },
            package_arcs: match engine.0 {
                4 => (0..random.below(3)).map(|_| (random.next(), pairs(random))).collect(),
                _ => Vec::new(),
            },
            bundle_arcs: if is_graph && engine.0 == 5 { pairs(random) } else { Vec::new() },
            import_arcs: match is_graph && engine.0 == 5 {
                true => (0..random.below(3))
                    .map(|_| (0..random.below(3)).map(|at| (at as i32, 1, 0)).collect())
                    .collect(),
                false => Vec::new(),
            },
            names,
            imports,
            exports,
            bundles,
            entries,
        }
    }
}

/// The tables of a package up to the exports, as [`read`] finds them.
#[derive(Debug, Default, PartialEq)]
pub struct Read {
    /// The engine in [`ENGINES`] that introduced the form.
    pub engine: (u16, u16),
    pub size: u64,
    pub names: Vec<Vec<u8>>,
    pub hashes: Vec<u64>,
    pub imported_hashes: Vec<u64>,
    pub imports: Vec<u64>,
    pub exports: Vec<Vec<u8>>,
    pub bulk: usize,
}

struct In<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> In<'a> {
    fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let bytes = self.bytes.get(self.at..self.at.checked_add(len)?)?;
        self.at += len;
        Some(bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().unwrap()))
    }

    fn u64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().unwrap()))
    }
}

/// Reads the table between two offsets as 64-bit numbers.
fn words(bytes: &[u8], from: u32, to: u32) -> Option<Vec<u64>> {
    let table = bytes.get(from as usize..to as usize)?;
    let words = table.chunks(8).map(|word| word.try_into().ok().map(u64::from_le_bytes));
    words.collect()
}

/// Reads a package, or returns `None` if the bytes are not one. Every table must begin where the
/// previous one ends, apart from alignment.
pub fn read(bytes: &[u8]) -> Option<Read> {
    [(4, 26), (5, 0), (5, 2), (5, 3), (5, 4), (5, 6)]
        .into_iter()
        .find_map(|engine| read_as(bytes, engine))
}

fn read_as(bytes: &[u8], engine: (u16, u16)) -> Option<Read> {
    let mut from = In { bytes, at: 0 };
    let mut has_versions = 0;
    let mut size = 0;
    if engine.0 == 5 {
        has_versions = from.u32()?;
        size = from.u32()?;
    }
    from.take(if engine.0 == 5 { 16 } else { 24 })?;
    let count = match engine {
        (4, _) => 10,
        (5, ..3) => 5,
        _ => 7,
    };
    let mut tables = (0..count).map(|_| from.u32()).collect::<Option<Vec<_>>>()?;
    match has_versions {
        0 => {}
        1 => {
            from.take(16)?;
            let custom = from.u32()?;
            let len = u64::from(custom) * 20;
            if custom > i32::MAX as u32 || len > bytes.len() as u64 {
                return None;
            }
            from.take(len as usize)?;
        }
        _ => return None,
    }
    if engine >= (5, 6) {
        let cells = [from.u32()?, from.u32()?];
        tables.splice(3..3, cells);
    }
    let mut found = Read { engine, ..Read::default() };
    if engine.0 == 4 {
        let [names, names_size, hashes, hashes_size] = tables.drain(..4).collect::<Vec<_>>()[..]
        else {
            return None;
        };
        let (graph, graph_size, padding) = (tables[3], tables[4], tables[5]);
        let text = bytes.get(names as usize..)?.get(..names_size as usize)?;
        let table = bytes.get(hashes as usize..)?.get(..hashes_size as usize)?;
        let gap = hashes.checked_sub(names + names_size)?;
        if names != 64
            || gap >= 8
            || padding != 0
            || table.get(..8)? != 0xC164_0000u64.to_le_bytes()
        {
            return None;
        }
        let count = (table.len() - 8) / 8;
        if 2 * count > text.len() || count == 0 {
            return None;
        }
        found.hashes = table[8..]
            .chunks_exact(8)
            .map(|hash| u64::from_le_bytes(hash.try_into().unwrap()))
            .collect();
        let mut at = In { bytes: &bytes[..(names + names_size) as usize], at: names as usize };
        for _ in 0..count {
            let Some(name) = inline_name(&mut at) else { break };
            found.names.push(name);
        }
        found.size = u64::from(graph) + u64::from(graph_size);
        tables.truncate(4);
        let imports = tables[0];
        if imports.checked_sub(hashes + hashes_size)? >= 8 {
            return None;
        }
    } else {
        found.size = size.into();
        let count = from.u32()? as usize;
        let text = from.u32()? as usize;
        if count == 0 || from.u64()? != 0xC164_0000 {
            return None;
        }
        let hashes = from.take(count.checked_mul(8)?)?;
        let lengths = from.take(count * 2)?;
        let mut texts = In { bytes: from.take(text)?, at: 0 };
        found.hashes =
            hashes.chunks(8).map(|hash| u64::from_le_bytes(hash.try_into().unwrap())).collect();
        for length in lengths.chunks(2) {
            let units = usize::from(length[0] & 0x7F) << 8 | usize::from(length[1]);
            let Some(name) = texts.take(units << (length[0] >> 7)) else { break };
            found.names.push(name.to_vec());
        }
        found.bulk = read_bulk(&mut from, engine, tables[0] as usize)?;
        if tables[0] as usize != from.at {
            return None;
        }
        found.imported_hashes = words(bytes, tables[0], tables[1])?;
        tables.remove(0);
    }
    let end = u32::try_from(found.size).ok()?;
    if !tables.is_sorted() || *tables.last()? > end || end as usize > bytes.len() {
        return None;
    }
    found.imports = words(bytes, tables[0], tables[1])?;
    let exports = bytes.get(tables[1] as usize..tables[2] as usize)?;
    if exports.len() % 72 != 0 {
        return None;
    }
    found.exports = exports.chunks(72).map(<[u8]>::to_vec).collect();
    Some(found)
}

fn inline_name(at: &mut In<'_>) -> Option<Vec<u8>> {
    let length = at.take(2)?;
    let units = usize::from(length[0] & 0x7F) << 8 | usize::from(length[1]);
    if length[0] & 0x80 != 0 && at.at % 2 == 1 {
        at.take(1)?;
    }
    at.take(units << (length[0] >> 7)).map(<[u8]>::to_vec)
}

/// Returns the number of records of bulk data, and moves to the end of the table.
fn read_bulk(from: &mut In<'_>, engine: (u16, u16), end: usize) -> Option<usize> {
    if engine < (5, 2) {
        // The next table can be aligned.
        let gap = end.checked_sub(from.at)?;
        from.at = end;
        return (gap < 8).then_some(0);
    }
    if engine >= (5, 4) {
        let padding = from.u64()?;
        if padding >= 8 {
            return None;
        }
        from.take(padding as usize)?;
    }
    let size = from.u64()?;
    if size % 32 != 0 || size > from.bytes.len() as u64 {
        return None;
    }
    from.take(size as usize)?;
    Some(size as usize / 32)
}
