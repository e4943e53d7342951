//! The name and type of a column, and how it is stored.

use parquet::basic::{Encoding, LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterPropertiesBuilder};
use parquet::schema::types::{ColumnPath, Type, TypePtr};
use std::sync::Arc;

/// Number of distinct values for which a Bloom filter is large enough. With more values, errors
/// become more frequent than [`BLOOM_ERRORS`]. A filter becomes smaller if a group of rows has fewer
/// values.
const BLOOM_VALUES: u64 = 20_000;
/// Probability that a Bloom filter reports a value that is not in the column.
const BLOOM_ERRORS: f64 = 0.01;

/// The definition of a column.
#[derive(Clone, Debug)]
pub struct Field {
    name: &'static str,
    logical: Option<LogicalType>,
    is_nullable: bool,
    is_list: bool,
    storage: Storage,
    has_bloom_filter: bool,
    has_statistics: bool,
}

/// How the values of a column are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Storage {
    /// One after the other.
    Plain,
    /// Each distinct value once, and the number of the value in each row.
    Dictionary,
    /// Differences between successive integers.
    Delta,
}

impl Field {
    /// Returns a column in which each row has a value.
    pub fn new(name: &'static str) -> Self {
        Self {
            name,
            logical: None,
            is_nullable: false,
            is_list: false,
            storage: Storage::Plain,
            has_bloom_filter: false,
            has_statistics: true,
        }
    }

    /// Permits rows without a value.
    pub fn nullable(self) -> Self {
        Self { is_nullable: true, ..self }
    }

    /// Makes each value of the column a list, which can contain nulls.
    pub fn list(self) -> Self {
        Self { is_list: true, is_nullable: true, ..self }
    }

    /// Stores each distinct value once. This is smaller if there are few distinct values.
    pub fn dictionary(self) -> Self {
        Self { storage: Storage::Dictionary, ..self }
    }

    /// Stores the differences between integers.
    pub fn delta(self) -> Self {
        Self { storage: Storage::Delta, ..self }
    }

    /// Adds Bloom filters, with which a reader can skip groups of rows without a certain value.
    pub fn bloom_filter(self) -> Self {
        Self { has_bloom_filter: true, ..self }
    }

    /// Makes the values points in time, counted in this unit since 1970 (UTC).
    pub fn timestamp(self, unit: TimeUnit) -> Self {
        self.logical(LogicalType::timestamp(true, unit))
    }

    /// Makes the values unsigned integers of 8, 16 or 32 bits.
    pub fn unsigned(self, bits: i8) -> Self {
        self.logical(LogicalType::integer(bits, false))
    }

    /// Makes the values text.
    pub fn text(self) -> Self {
        self.logical(LogicalType::String)
    }

    /// Makes the values JSON. Their type is text, since Polars reads the type JSON as bytes. They
    /// have no statistics, because the minimum and maximum of JSON texts are of no use.
    pub fn json(self) -> Self {
        self.text().without_statistics()
    }

    /// Leaves out the statistics. They are of little use for values that every group of rows has.
    pub fn without_statistics(self) -> Self {
        Self { has_statistics: false, ..self }
    }

    fn logical(self, logical: LogicalType) -> Self {
        Self { logical: Some(logical), ..self }
    }

    pub fn name(&self) -> &'static str {
        self.name
    }

    pub fn is_nullable(&self) -> bool {
        self.is_nullable
    }

    /// Returns the column in the schema of a file.
    pub fn schema(&self, physical: Physical) -> Result<TypePtr, ParquetError> {
        if !self.is_list {
            return self.primitive(self.name, physical).map(Arc::new);
        }
        // The names of the inner groups are those that the format prescribes for lists.
        let list = Type::group_type_builder("list")
            .with_repetition(Repetition::REPEATED)
            .with_fields(vec![Arc::new(self.primitive("element", physical)?)])
            .build()?;
        let column = Type::group_type_builder(self.name)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(Some(LogicalType::List))
            .with_fields(vec![Arc::new(list)])
            .build()?;
        Ok(Arc::new(column))
    }

    fn primitive(&self, name: &str, physical: Physical) -> Result<Type, ParquetError> {
        let repetition = if self.is_nullable { Repetition::OPTIONAL } else { Repetition::REQUIRED };
        Type::primitive_type_builder(name, physical)
            .with_repetition(repetition)
            .with_logical_type(self.logical.clone())
            .build()
    }

    /// Adds the properties of the column to those of a file.
    pub fn properties(&self, properties: WriterPropertiesBuilder) -> WriterPropertiesBuilder {
        let path = self.path();
        let mut properties = properties
            .set_column_dictionary_enabled(path.clone(), self.storage == Storage::Dictionary);
        if self.storage == Storage::Delta {
            properties =
                properties.set_column_encoding(path.clone(), Encoding::DELTA_BINARY_PACKED);
        }
        if self.has_bloom_filter {
            properties = properties
                .set_column_bloom_filter_enabled(path.clone(), true)
                .set_column_bloom_filter_fpp(path.clone(), BLOOM_ERRORS)
                .set_column_bloom_filter_max_ndv(path.clone(), BLOOM_VALUES);
        }
        if !self.has_statistics {
            properties = properties.set_column_statistics_enabled(path, EnabledStatistics::None);
        }
        properties
    }

    fn path(&self) -> ColumnPath {
        let inner: &[&str] = if self.is_list { &["list", "element"] } else { &[] };
        let parts = [self.name].into_iter().chain(inner.iter().copied());
        ColumnPath::new(parts.map(str::to_owned).collect())
    }
}
