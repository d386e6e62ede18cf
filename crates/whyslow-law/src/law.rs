//! The laws a cost may follow, and what is found out about a series.

use crate::curve::Curve;
use crate::growth::Growth;
use crate::levels::Step;
use crate::measure::Measure;
use crate::paid::Paid;

/// How the cost depends on *n*.
#[derive(Debug, Clone, PartialEq)]
pub enum Law {
    /// Too few operations to find a law.
    TooFew,
    /// The same from first to last, within what noise allows to say.
    Constant,
    /// Levels, and where one ends and the next begins.
    Steps(Vec<Step>),
    /// `a + b·nᵖ`.
    Growth(Growth),
    /// `a + b·2^(n/d)`: faster than any power.
    Exponential(Exponential),
    /// It grows, and stays at a level from some size on.
    LevelsOff(LevelsOff),
    /// `a + b·nᵖ`, and from some size on a multiple of it.
    GrowthWithStep(GrowthWithStep),
    /// The same up to this *n*, and more and more from there.
    Bend(Bend),
    /// It grows, and what was measured is too little to name a law.
    Rise(Rise),
    /// The first operations cost more than all others, which cost the same.
    WarmUp(WarmUp),
    /// It rises and falls again and again, after equally many operations each.
    Periodic(Periodic),
    /// It rose with time, not with *n*.
    Drift,
    /// It fell throughout.
    Falls,
    /// It changed up and down, and none of the above describes how.
    Irregular,
}

/// Growth faster than any power of n.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exponential {
    /// The cost that does not depend on *n*.
    pub offset: f64,
    /// The cost beyond the offset doubles whenever *n* grows by this.
    pub doubles_after: f64,
    /// The least and the most that this may be (95 %).
    pub doubles_range: (f64, f64),
    /// Whether it shows only at the end of the series, beyond a cost that hides its beginning.
    pub(crate) late: bool,
    pub(crate) curve: Curve,
}

impl Exponential {
    /// Returns the cost at `n`.
    pub fn at(&self, n: f64) -> f64 {
        self.curve.at(n)
    }
}

/// Growth that ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LevelsOff {
    /// The cost stays from about this *n* on …
    pub from: f64,
    /// … at this level.
    pub level: f64,
    pub(crate) curve: Curve,
}

impl LevelsOff {
    /// Returns the cost at `n`.
    pub fn at(&self, n: f64) -> f64 {
        self.curve.at(n)
    }
}

/// A level, and growth from some size on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bend {
    /// It is the same up to about this *n*.
    pub from: f64,
    pub(crate) curve: Curve,
}

impl Bend {
    /// Returns about what the cost is at `n`: beyond the bend, as if it grew linearly.
    pub fn at(&self, n: f64) -> f64 {
        self.curve.at(n)
    }
}

/// Growth that costs a multiple from some size on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GrowthWithStep {
    /// The growth before the step, and beside it.
    pub growth: Growth,
    /// From about this *n* on …
    pub from: f64,
    /// … it costs this many times as much.
    pub factor: f64,
    pub(crate) curve: Curve,
}

impl GrowthWithStep {
    /// Returns the cost at `n`.
    pub fn at(&self, n: f64) -> f64 {
        let factor = if n < self.from { 1.0 } else { self.factor };
        factor * self.curve.at(n)
    }
}

/// Growth without a law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rise {
    /// What fits best; it says nothing beyond the series.
    pub growth: Growth,
    /// Why that is not a law.
    pub why: Open,
}

/// Why growth has no law.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Open {
    /// The cost did not double.
    LessThanDouble,
    /// The largest *n* is less than a hundred times the smallest.
    LessThanTwoDecades,
    /// Too many powers fit.
    Vague,
    /// Powers above three fit, and an exponential does too.
    FasterThanCubic,
    /// The passes show different laws.
    Contradicting,
    /// What it predicted was not measured.
    Refuted,
}

/// First operations that cost more.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WarmUp {
    /// From about this *n* on …
    pub until: f64,
    /// … they cost this.
    pub then: f64,
}

/// Ups and downs in a rhythm of operations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Periodic {
    /// After this many operations it is as before.
    pub every: f64,
    /// What nine of ten operations cost at least, as far as one neighborhood shows.
    pub low: f64,
    /// What nine of ten cost at most.
    pub high: f64,
}

/// A law checked beyond the series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Check {
    /// The size.
    pub n: f64,
    /// What the law of the series predicted for it.
    pub said: f64,
    /// What was measured there.
    pub measured: f64,
    /// How many times as slow as during the series the machine was then, by the largest size measured once more; 1
    /// where it was not.
    pub slower: f64,
    /// Whether that, by this factor or a part of it, is what the law said, within its interval or a quarter.
    pub holds: bool,
}

impl Check {
    /// Returns how far the measured cost lies off, as a logarithm.
    pub(crate) fn off(&self) -> f64 {
        (self.measured / self.said).ln().abs()
    }
}

/// A law of the slow operations or of the mean that costs more time than that of the typical one.
#[derive(Debug, Clone, PartialEq)]
pub struct Tail {
    /// What has the law.
    pub measure: Measure,
    /// The law.
    pub law: Law,
    /// The measure of the first tenth.
    pub first: f64,
    /// The measure of the last tenth.
    pub last: f64,
}

/// What was found out about a series.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// The law of the typical operation.
    pub law: Law,
    /// The slow operations or the mean, where they cost more time than what `law` says.
    pub tail: Option<Tail>,
    /// Median of the first tenth, in the unit of the costs; of several passes, the quickest size by size, but of a
    /// drift, the first pass.
    pub first: f64,
    /// The same of the last tenth.
    pub last: f64,
    /// Passes that were made.
    pub passes: usize,
    /// What the costs of the first pass say, where there were more.
    pub one_pass: Option<Law>,
    /// Medians of the quickest and of the slowest pass, where these differ by three times or more.
    pub levels: Option<(f64, f64)>,
    /// Whether the cost changed within such a pass, too.
    pub is_uneven: bool,
    /// What an operation costs on average, where the typical one explains less than half of it.
    pub paid: Option<Paid>,
    /// The law checked at larger sizes.
    pub checks: Vec<Check>,
    /// The size at which the operation failed, so that there is nothing beyond it to predict.
    pub limit: Option<f64>,
    /// The step of the clock, where the costs are whole multiples of one that shows.
    pub grain: Option<f64>,
    /// The smallest *n* of the series.
    pub smallest_n: f64,
    /// The largest *n* of the series.
    pub largest_n: f64,
    /// Relative scatter between neighboring bins, from 0.
    pub noise: f64,
    /// Whether the costs went up and down for many operations at a time, as where a machine is now
    /// slower and now faster.
    pub unsteady: bool,
    /// Whether the largest size cost clearly more than all others.
    pub(crate) ends_high: bool,
    /// How far costs measured again lay on the way from first (0) to last (1); `None` where nothing
    /// was measured again or nothing had changed.
    pub again: Option<f64>,
    /// Whether the costs are exact counts.
    pub(crate) exact: bool,
}

/// Growth by this factor that predicts itself is nothing a machine does by itself.
const SURE_RISE: f64 = 4.0;

/// A change from first to last within this factor is none.
pub(crate) const SAME: f64 = 1.25;

/// Passes that are enough if each shows something.
pub(crate) const ENOUGH: usize = 3;

impl Judgement {
    /// Returns the cost of the last tenth over that of the first.
    pub fn change(&self) -> f64 {
        // Both may be nothing.
        if self.first.total_cmp(&self.last).is_eq() {
            return 1.0;
        }
        self.last / self.first.max(f64::MIN_POSITIVE)
    }

    /// Returns the growth that holds beyond the series too: nothing speaks against it, and its first
    /// sizes cost little again.
    pub fn predicting(&self) -> Option<Growth> {
        match self.law {
            Law::Growth(growth)
                if growth.confirmed
                    && self.limit.is_none()
                    && (self.again.is_some() || self.exact) =>
            {
                Some(growth)
            }
            _ => None,
        }
    }

    /// Returns the judgement of a series that ended at the size `n`, because the operation failed there: it predicts
    /// nothing.
    #[must_use]
    pub fn up_to(self, n: f64) -> Self {
        Self {
            limit: Some(n),
            ..self
        }
    }

    /// Returns the judgement of a series that something other than its operations hindered: it predicts nothing.
    #[must_use]
    pub fn hindered(self) -> Self {
        let law = match self.law {
            Law::Growth(growth) => Law::Growth(growth.unconfirmed()),
            law => law,
        };
        Self { law, ..self }
    }

    /// Returns whether what is predicted was not yet looked at beyond the series.
    pub fn wants_check(&self) -> bool {
        self.checks.is_empty() && !self.exact && self.predicting().is_some()
    }

    /// Returns whether a further pass may show that the machine caused this.
    pub fn in_doubt(&self) -> bool {
        let few = self.passes < ENOUGH;
        let paid = self.paid.is_some_and(|paid| paid.is_common());
        if few && (self.tail.is_some() || self.levels.is_some() || paid) {
            return true;
        }
        match &self.law {
            Law::TooFew => false,
            // Of two that differ, none is right by that.
            _ if self.passes == 2 => true,
            Law::Constant => {
                let changed = !(1.0 / SAME..SAME).contains(&self.change());
                self.unsteady || self.ends_high || changed
            }
            Law::Growth(growth) => !growth.confirmed || growth.rise() < SURE_RISE,
            // Something that slowed the machine down at the end looks the same.
            Law::Exponential(found) => few && found.late,
            Law::Rise(rise) => few || rise.why != Open::LessThanTwoDecades,
            Law::Steps(_)
            | Law::LevelsOff(_)
            | Law::GrowthWithStep(_)
            | Law::Bend(_)
            | Law::WarmUp(_)
            | Law::Periodic(_)
            | Law::Drift
            | Law::Falls
            | Law::Irregular => true,
        }
    }
}

impl Law {
    /// Returns what it says that the cost at `n` is, if it is one curve.
    pub fn at(&self, n: f64) -> Option<f64> {
        Some(match self {
            Self::Growth(growth) => growth.at(n),
            Self::Exponential(found) => found.at(n),
            Self::LevelsOff(found) => found.at(n),
            Self::GrowthWithStep(found) => found.at(n),
            Self::Bend(found) => found.at(n),
            _ => return None,
        })
    }

    /// Returns whether the cost is higher with many than with few.
    pub(crate) fn is_up(&self) -> bool {
        match self {
            Self::Steps(steps) => steps.iter().all(|step| step.to > step.from),
            Self::Growth(_)
            | Self::Exponential(_)
            | Self::LevelsOff(_)
            | Self::GrowthWithStep(_)
            | Self::Bend(_)
            | Self::Rise(_) => true,
            Self::TooFew
            | Self::Constant
            | Self::WarmUp(_)
            | Self::Periodic(_)
            | Self::Drift
            | Self::Falls
            | Self::Irregular => false,
        }
    }

    /// Returns the law as one word, or as the fewest.
    pub fn name(&self) -> &'static str {
        match self {
            Self::TooFew => "too few",
            Self::Constant => "constant",
            Self::Steps(_) => "steps",
            Self::Growth(_) => "growth",
            Self::Exponential(_) => "exponential",
            Self::LevelsOff(_) => "levels off",
            Self::GrowthWithStep(_) => "growth with a step",
            Self::Bend(_) => "bend",
            Self::Rise(_) => "rise",
            Self::WarmUp(_) => "warm-up",
            Self::Periodic(_) => "periodic",
            Self::Drift => "drift",
            Self::Falls => "falls",
            Self::Irregular => "irregular",
        }
    }
}
