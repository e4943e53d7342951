//! Finds the classes and structs that a Zen package declares.

use super::package::ZenPackage;
use crate::unreal::mappings::{MappingsBuf, StructBuf};
use crate::unreal::properties::{Declarations, is_declaration};
use crate::unreal::tables::ZenExport;
use alloc::string::ToString;

impl<'a> ZenPackage<'a> {
    /// Returns the classes and structs that the package itself declares, as
    /// [`Package::declared_structs`](crate::unreal::Package::declared_structs) does. The package
    /// must have [script names](Self::with_script_names) with mappings.
    pub fn declared_structs(&self) -> MappingsBuf {
        let mut all = MappingsBuf::new(u8::MAX);
        if !self.layout().unversioned_properties {
            return all;
        }
        // Damaged exports can share bytes. To take linear time, reading ends when the declarations
        // are together larger than the data.
        let mut left = self.size();
        for (export, index) in self.exports().flatten().zip(0..) {
            if !self.declares(&export) {
                continue;
            }
            match left.checked_sub(export.serial_size) {
                Some(rest) => left = rest,
                None => break,
            }
            all.structs.extend(self.declared(&export, index));
        }
        all
    }

    fn declares(&self, export: &ZenExport) -> bool {
        self.structure(export.class).is_some_and(|class| is_declaration(&class, self.layout()))
    }

    fn declared(&self, export: &ZenExport, index: u32) -> Option<StructBuf> {
        let name = |index| Some(self.object_name(self.object_at(index)?)?.to_string());
        let declarations = Declarations { context: self.context(), name: &name };
        let tail = self.properties(index).ok()??.tail().ok()?;
        declarations.read(self.mapped_name(export.object_name)?.to_string(), tail.native).ok()
    }
}
