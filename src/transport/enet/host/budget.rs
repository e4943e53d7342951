//! How peers share a pool: each has a guaranteed part, and what is left over goes to those who need
//! more, up to a limit. So no peer can take what others are guaranteed.

/// The rules of a shared pool, and what is left of its shared part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    guaranteed: u32,
    most: u32,
    shared: u32,
}

impl Budget {
    /// Divides `total` units: a half is guaranteed to the peers in equal parts. A peer may have at
    /// most its part and three quarters of the rest.
    pub(super) fn new(total: usize, peers: usize) -> Self {
        let total = u32::try_from(total).unwrap_or(u32::MAX);
        let peers = u32::try_from(peers.max(1)).unwrap_or(u32::MAX);
        let guaranteed = (total / 2).checked_div(peers).unwrap_or(0);
        let shared = total.saturating_sub(guaranteed.saturating_mul(peers));
        let part = if peers == 1 { shared } else { (shared / 4).saturating_mul(3) };
        Self { guaranteed, most: guaranteed.saturating_add(part), shared }
    }

    /// Returns the units that one peer can have at most.
    pub(super) fn most(&self) -> u32 {
        self.most
    }

    /// Adds `units` to what a peer uses. Returns `false` and changes nothing if they are too many.
    #[must_use]
    pub(super) fn take(&mut self, used: &mut u32, units: u32) -> bool {
        let wanted = used.saturating_add(units);
        let extra = self.extra(wanted).saturating_sub(self.extra(*used));
        if wanted > self.most || extra > self.shared {
            return false;
        }
        self.shared = self.shared.saturating_sub(extra);
        *used = wanted;
        true
    }

    /// Subtracts `units` from what a peer uses.
    pub(super) fn give_back(&mut self, used: &mut u32, units: u32) {
        let left = used.saturating_sub(units);
        let extra = self.extra(*used).saturating_sub(self.extra(left));
        self.shared = self.shared.saturating_add(extra);
        *used = left;
    }

    fn extra(&self, used: u32) -> u32 {
        used.saturating_sub(self.guaranteed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greedy_peers_leave_the_guaranteed_parts() {
        let mut budget = Budget::new(1000, 4);
        let mut used = [0; 4];
        for used in &mut used[..3] {
            while budget.take(used, 1) {}
        }
        assert_eq!(used, [500, 250, 125, 0]);
        assert!(budget.take(&mut used[3], 125) && !budget.take(&mut used[3], 1));
        budget.give_back(&mut used[0], 400);
        assert!(budget.take(&mut used[3], 375) && !budget.take(&mut used[3], 1));
        for used in &mut used {
            budget.give_back(used, u32::MAX);
        }
        let fresh = Budget::new(1000, 4);
        assert_eq!((budget.shared, budget.most, used), (fresh.shared, fresh.most, [0; 4]));
    }
}
