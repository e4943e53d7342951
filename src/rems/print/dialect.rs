//! The versions of the engine whose text format a writer can produce.

/// Version of the engine whose text format a writer produces.
///
/// ```
/// use gamewire::rems::{Dialect, ItemSink, TextWriter};
///
/// let write = |dialect| {
///     let mut writer = TextWriter::new(Vec::new(), dialect);
///     writer.object("T", Some(1))?;
///     writer.put("at", 0.1_f32)?;
///     writer.put("key", gamewire::rems::Utf16Unit(65))?;
///     writer.end()?;
///     writer.finish()
/// };
/// let of_2021 = br#"[{"class":"T","i:*ptr":1,"f:at":0.1,"c:key":'A'}]"#;
/// assert_eq!(write(Dialect::Engine2021)?, of_2021);
/// let of_2026 = br#"[{"class":"T","i:*ptr":1,"f:at":0.10000000149011612,"c:key":"A"}]"#;
/// assert_eq!(write(Dialect::Engine2026)?, of_2026);
/// # Ok::<(), gamewire::rems::WriteError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// The engine of October 2021, the time of the first public description of the format.
    Engine2021,
    /// The engine of July 2026. Its format has been almost the same since October 2024.
    #[default]
    Engine2026,
}
