//! Finds the classes and structs that a package declares.

use super::Package;
use crate::unreal::mappings::{MappingsBuf, StructBuf};
use crate::unreal::properties::{Declarations, is_declaration};
use crate::unreal::tables::Export;
use alloc::string::ToString;

impl<'a> Package<'a> {
    /// Returns the classes and structs that the package itself declares, such as the class of a
    /// blueprint. The mappings of a game usually lack them. Once [`Mappings::extended`] has added
    /// them to the mappings, the properties of their objects can be read.
    ///
    /// Returns no structs if properties have tags, or if the package
    /// [has no mappings](Self::with_mappings). Leaves out declarations that cannot be read.
    ///
    /// [`Mappings::extended`]: crate::unreal::Mappings::extended
    ///
    /// ```
    /// use gamewire::unreal::{Error, Mappings, Package};
    ///
    /// fn print(package: &Package<'_>, game: &Mappings<'_>) -> Result<(), Error> {
    ///     let own = package.clone().with_mappings(game).declared_structs().write();
    ///     let mappings = game.extended(&own)?;
    ///     let package = package.clone().with_mappings(&mappings);
    ///     for export in package.exports() {
    ///         println!("{:?}", package.properties(&export?)?);
    ///     }
    ///     Ok(())
    /// }
    /// ```
    pub fn declared_structs(&self) -> MappingsBuf {
        let mut all = MappingsBuf::new(u8::MAX);
        if !self.context.layout.unversioned_properties {
            return all;
        }
        // Damaged exports can share bytes. To take linear time, reading ends when the declarations
        // are together larger than the data.
        let (header, exports) = self.sizes();
        let mut left = exports.unwrap_or(header);
        for export in self.exports().flatten() {
            if !self.declares(&export) {
                continue;
            }
            let size = u64::try_from(export.serial.size).unwrap_or(u64::MAX);
            match left.checked_sub(size) {
                Some(rest) => left = rest,
                None => break,
            }
            all.structs.extend(self.declared(&export));
        }
        all
    }

    fn declares(&self, export: &Export) -> bool {
        self.schema(export).is_some_and(|class| is_declaration(&class, self.layout()))
    }

    fn declared(&self, export: &Export) -> Option<StructBuf> {
        let name = |index| self.object_name(index).map(|name| name.to_string());
        let declarations = Declarations { context: &self.context, name: &name };
        let tail = self.properties(export).ok()??.tail().ok()?;
        declarations.read(self.name(export.object_name)?.to_string(), tail.native).ok()
    }
}
