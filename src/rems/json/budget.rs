use crate::rems::ErrorKind;

/// Largest number of omitted elements of one array or list that are written out.
const LIMIT: u32 = 1 << 16;
/// Largest number of omitted elements of one file that are written out.
const TOTAL_LIMIT: u32 = 1 << 20;

/// Budget for omitted elements: a few bytes of a file can declare any number of elements.
#[derive(Debug)]
pub(super) struct FillBudget {
    left: u32,
}

impl FillBudget {
    pub(super) const fn new() -> Self {
        Self { left: TOTAL_LIMIT }
    }

    /// Takes `count` elements from the budget.
    ///
    /// # Errors
    /// If they are too many at once, or in all.
    pub(super) fn take(&mut self, count: u32) -> Result<(), ErrorKind> {
        let limit = if count > LIMIT { LIMIT } else { TOTAL_LIMIT };
        let left = self.left.checked_sub(count).filter(|_| count <= LIMIT);
        self.left = left.ok_or(ErrorKind::NotWritten { count, limit })?;
        Ok(())
    }
}
