//! Folders for the records with the same day, hour or kind.

use crate::args::PartitionBy;
use chrono::DateTime;
use gamewire::traffic::{Record, RecordKind};
use std::path::PathBuf;

const HOUR: i64 = 3_600_000_000_000;

/// The properties that determine the folder of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Key {
    /// Start of the hour or day, in nanoseconds since 1970. `None` if the time is not known or not
    /// used.
    time: Option<i64>,
    /// `None` if the kind is not used.
    kind: Option<RecordKind>,
}

impl Key {
    /// Returns the key of a record.
    pub fn of(record: &Record<'_>, partition: &[PartitionBy]) -> Self {
        let mut key = Self::default();
        for property in partition {
            match property {
                PartitionBy::Kind => key.kind = Some(record.kind()),
                PartitionBy::Hour => key.time = record.time.map(|time| start(time, HOUR)),
                PartitionBy::Day if !partition.contains(&PartitionBy::Hour) => {
                    key.time = record.time.map(|time| start(time, HOUR.saturating_mul(24)));
                }
                PartitionBy::Day => {}
            }
        }
        key
    }

    /// Returns the path of the folder, in the form that Hive introduced.
    pub fn folders(self, partition: &[PartitionBy]) -> PathBuf {
        let folder = |property: &PartitionBy| match property {
            PartitionBy::Day => format!("day={}", self.time("%Y-%m-%d")),
            PartitionBy::Hour => format!("hour={}", self.time("%Y-%m-%dT%H")),
            PartitionBy::Kind => format!("kind={}", self.kind.map_or("", RecordKind::name)),
        };
        partition.iter().map(folder).collect()
    }

    fn time(self, format: &str) -> String {
        // The name that readers of such folders understand as null.
        let none = || "__HIVE_DEFAULT_PARTITION__".to_owned();
        self.time.map_or_else(none, |time| {
            DateTime::from_timestamp_nanos(time).format(format).to_string()
        })
    }
}

/// Returns the start of the period of this length that contains a time.
fn start(time: i64, length: i64) -> i64 {
    time.saturating_sub(time.checked_rem_euclid(length).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_named_by_hour_day_and_kind() {
        let key = |time| Key { time, kind: Some(RecordKind::Rpc) };
        let at = Some(1_795_224_880_608_740_000);
        let all = &[PartitionBy::Kind, PartitionBy::Day, PartitionBy::Hour];
        for (key, partition, expected) in [
            (key(at), &all[..], "kind=rpc/day=2026-11-21/hour=2026-11-21T01"),
            (key(at), &all[2..], "hour=2026-11-21T01"),
            (key(None), &all[1..2], "day=__HIVE_DEFAULT_PARTITION__"),
            (key(Some(-1)), &all[2..], "hour=1969-12-31T23"),
            (key(Some(i64::MIN)), &all[2..], "hour=1677-09-21T00"),
        ] {
            assert_eq!(key.folders(partition).to_str(), Some(expected));
        }
        assert_eq!([start(HOUR, HOUR), start(-1, HOUR), start(HOUR - 1, HOUR)], [HOUR, -HOUR, 0]);
    }
}
