use crate::rems::ErrorKind;

/// Maximum number of omitted elements of one array or list that the JSON document lists.
const LIMIT: u32 = 1 << 16;
/// Maximum number of omitted elements of one file that the JSON document lists.
const TOTAL_LIMIT: u32 = 1 << 20;

/// Budget for omitted elements. Without it, a file of a few bytes could make the output arbitrarily
/// large.
#[derive(Debug)]
pub(super) struct FillBudget {
    left: u32,
}

impl FillBudget {
    pub(super) const fn new() -> Self {
        Self { left: TOTAL_LIMIT }
    }

    /// Subtracts `count` elements from the budget.
    ///
    /// # Errors
    /// If `count` exceeds the limit for one array or list, or the rest of the budget.
    pub(super) fn take(&mut self, count: u32) -> Result<(), ErrorKind> {
        let limit = if count > LIMIT { LIMIT } else { TOTAL_LIMIT };
        let left = self.left.checked_sub(count).filter(|_| count <= LIMIT);
        self.left = left.ok_or(ErrorKind::NotWritten { count, limit })?;
        Ok(())
    }
}
