//! Estimates of a peer's line: round-trip time, throttle, and loss, with ENet's formulas.

/// Round-trip times in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoundTrip {
    pub(super) mean: u32,
    pub(super) variance: u32,
    /// The lowest mean and the highest variance of the interval before.
    last: u32,
    last_variance: u32,
    /// The lowest mean and the highest variance of the current interval.
    lowest: u32,
    highest_variance: u32,
    /// Start of the current interval.
    epoch: Option<u64>,
}

impl Default for RoundTrip {
    fn default() -> Self {
        const FIRST: u32 = 500;
        Self {
            mean: FIRST,
            variance: 0,
            last: FIRST,
            last_variance: 0,
            lowest: FIRST,
            highest_variance: 0,
            epoch: None,
        }
    }
}

impl RoundTrip {
    /// Returns the time after which a command is sent again.
    pub(super) fn timeout(&self) -> u32 {
        self.mean.saturating_add(self.variance.saturating_mul(4))
    }

    /// Adds a measured time. `is_first` is `true` for the first one of the connection.
    pub(super) fn add(&mut self, sample: u32, is_first: bool) {
        if is_first {
            (self.mean, self.variance) = (sample, sample.saturating_add(1) / 2);
        } else {
            let difference = sample.abs_diff(self.mean);
            let kept = self.variance.wrapping_sub(self.variance / 4);
            self.variance = kept.saturating_add(difference / 4);
            self.mean = if sample >= self.mean {
                self.mean.saturating_add(difference / 8)
            } else {
                self.mean.saturating_sub(difference / 8)
            };
        }
        self.lowest = self.lowest.min(self.mean);
        self.highest_variance = self.highest_variance.max(self.variance);
    }

    /// Begins a new interval if the current one is over.
    pub(super) fn advance(&mut self, now: u64, interval: u32) {
        let is_over = |start: u64| now.saturating_sub(start) >= interval.into();
        if self.epoch.is_none_or(is_over) {
            self.last = self.lowest;
            self.last_variance = self.highest_variance.max(1);
            self.lowest = self.mean;
            self.highest_variance = self.variance;
            self.epoch = Some(now);
        }
    }
}

/// The share of unreliable packets that are sent, and of the window for reliable ones, in
/// thirty-seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Throttle {
    pub(super) value: u32,
    /// Upper limit, from the bandwidth.
    pub(super) limit: u32,
    counter: u32,
    pub(super) interval: u32,
    pub(super) acceleration: u32,
    pub(super) deceleration: u32,
}

impl Default for Throttle {
    fn default() -> Self {
        Self {
            value: Self::SCALE,
            limit: Self::SCALE,
            counter: 0,
            interval: 5000,
            acceleration: 2,
            deceleration: 2,
        }
    }
}

impl Throttle {
    pub(super) const SCALE: u32 = 32;
    const STEP: u32 = 7;

    /// Opens or closes the throttle after a measured round-trip time.
    pub(super) fn adapt(&mut self, sample: u32, line: &RoundTrip) {
        if line.last <= line.last_variance {
            self.value = self.limit;
        } else if sample <= line.last {
            self.value = self.value.saturating_add(self.acceleration).min(self.limit);
        } else if sample > line.last.saturating_add(line.last_variance.saturating_mul(2)) {
            self.value = self.value.saturating_sub(self.deceleration);
        }
    }

    pub(super) fn set_limit(&mut self, limit: u32) {
        self.limit = limit;
        self.value = self.value.min(limit);
    }

    /// Returns `true` if the next unreliable packet is to be sent.
    pub(super) fn admits(&mut self) -> bool {
        self.counter = self.counter.wrapping_add(Self::STEP) % Self::SCALE;
        self.counter <= self.value
    }

    /// Returns the open part of a window of `bytes`.
    pub(super) fn window(&self, bytes: u32) -> u32 {
        let part = u64::from(bytes).saturating_mul(self.value.into());
        u32::try_from(part / 32).unwrap_or(u32::MAX)
    }

    pub(super) fn share(&self) -> f32 {
        self.value.min(Self::SCALE) as f32 / Self::SCALE as f32
    }
}

/// The share of commands that were sent again.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Loss {
    epoch: Option<u64>,
    pub(super) sent: u32,
    pub(super) lost: u32,
    ratio: u32,
}

impl Loss {
    const SCALE: u32 = 1 << 16;
    const INTERVAL: u64 = 10_000;

    /// Begins a new interval if the current one is over.
    pub(super) fn advance(&mut self, now: u64) {
        let epoch = *self.epoch.get_or_insert(now);
        if now.saturating_sub(epoch) < Self::INTERVAL || self.sent == 0 {
            return;
        }
        let scaled = u64::from(self.lost).saturating_mul(Self::SCALE.into());
        let ratio = scaled.checked_div(self.sent.into()).unwrap_or(0).min(Self::SCALE.into());
        self.ratio = self.ratio.saturating_mul(7).saturating_add(ratio as u32) / 8;
        *self = Self { epoch: Some(now), ratio: self.ratio, ..Self::default() };
    }

    pub(super) fn share(&self) -> f32 {
        self.ratio as f32 / Self::SCALE as f32
    }
}
