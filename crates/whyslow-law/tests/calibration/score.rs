//! The strict score.

use std::fmt;

use whyslow_law::{Judgement, Law, Series, is_settled, judge};

use crate::situation::{Lab, Situation};

/// Passes at most, as the lab makes them.
const PASSES: usize = 7;

/// A range of p that is wider says nothing.
const WIDEST: f64 = 1.5;

/// What is said about one situation, and whether that is right.
#[derive(Debug)]
pub(crate) struct Scored {
    line: &'static str,
    pub(crate) aside: bool,
    said: String,
    right: bool,
    /// Whether the range of p holds the true one, of growths.
    pub(crate) holds_p: Option<bool>,
    /// The true cost at ten times n over the least and the most predicted, and the prediction over it.
    prediction: Option<(f64, f64, f64)>,
    /// An exponential that was called a level or a step.
    exponential_missed: bool,
    /// What the machine makes of the true cost when it is slow.
    slow: f64,
    /// A flat one that is said to grow.
    flat_grows: bool,
}

impl Scored {
    pub(crate) fn of(situation: &Situation) -> Self {
        let judgement = judged(situation);
        let verdict = verdict(&judgement);
        let mut right = situation.right.contains(&verdict);
        let mut said = verdict.to_owned();
        let mut holds_p = None;
        if let Law::Growth(growth) = &judgement.law {
            let (low, high) = (growth.exponent_low, growth.exponent_high);
            said += &format!(" p {:.2} ({low:.2}–{high:.2})", growth.exponent);
            if let Some((least, most)) = situation.exponent {
                let holds = low <= most && least <= high;
                holds_p = Some(holds);
                right &= holds && high - low <= WIDEST;
            }
        }
        if let Law::Rise(rise) = &judgement.law {
            said += &format!(" ({:?}, {:?})", rise.why, judgement.checks);
        }
        let ten = 10.0 * situation.most();
        let truth = situation.mechanism.typical(ten, situation.most());
        let prediction = judgement.predicting().map(|growth| {
            let (low, high) = growth.at_ten_times_range;
            said += &format!(
                ", at 10 n {:.3} ({:.3}–{:.3}) of the true cost",
                growth.at_ten_times / truth,
                low / truth,
                high / truth
            );
            (low / truth, high / truth, growth.at_ten_times / truth)
        });
        said += &format!(", {} passes", judgement.passes);
        let level = matches!(verdict, "constant" | "steps");
        let grows = matches!(
            verdict,
            "growth" | "rise" | "exponential" | "growth-step" | "bend"
        );
        Self {
            line: situation.line,
            aside: situation.aside,
            said,
            right,
            holds_p,
            prediction,
            slow: situation.slow(),
            exponential_missed: situation.is_exponential() && level,
            flat_grows: situation.is_flat() && grows,
        }
    }

    pub(crate) fn predicts(&self) -> bool {
        self.prediction.is_some()
    }

    /// Returns whether the true cost lies in the interval; a machine of two speeds has two.
    pub(crate) fn inside(&self) -> bool {
        let holds = |(low, high, _): (f64, f64, f64)| low <= self.slow && 1.0 <= high;
        self.prediction.is_none_or(holds)
    }

    fn off_by_two(&self) -> bool {
        self.prediction
            .is_some_and(|(_, _, off)| off < 0.5 || off > 2.0 * self.slow)
    }

    pub(crate) fn is_worth_showing(&self) -> bool {
        !self.right || !self.inside() || self.off_by_two()
    }
}

impl fmt::Display for Scored {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.right {
            "right, but predicts wrong"
        } else {
            "not right"
        };
        write!(out, "{what}: {}\n    is {}", self.line, self.said)
    }
}

/// The score of many.
#[derive(Debug, Default)]
pub(crate) struct Score {
    pub(crate) situations: usize,
    pub(crate) right: usize,
    pub(crate) predictions: usize,
    pub(crate) inside: usize,
    pub(crate) off_by_two: usize,
    pub(crate) exponentials_missed: usize,
    pub(crate) flat_that_grow: usize,
}

impl Score {
    pub(crate) fn of(scored: &[&Scored]) -> Self {
        let count = |is: &dyn Fn(&Scored) -> bool| scored.iter().filter(|one| is(one)).count();
        Self {
            situations: scored.len(),
            right: count(&|one| one.right),
            predictions: count(&|one| one.prediction.is_some()),
            inside: count(&|one| one.prediction.is_some() && one.inside()),
            off_by_two: count(&Scored::off_by_two),
            exponentials_missed: count(&|one| one.exponential_missed),
            flat_that_grow: count(&|one| one.flat_grows),
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "{} of {} right; exponentials called level or step: {}; growth on flat ones: {}; {} of {} \
             predictions inside their interval, {} off by more than 2",
            self.right,
            self.situations,
            self.exponentials_missed,
            self.flat_that_grow,
            self.inside,
            self.predictions,
            self.off_by_two
        )
    }
}

/// Returns the verdict as the lines spell it: what leads the sentence.
fn verdict(judgement: &Judgement) -> &'static str {
    if judgement.tail.is_some() {
        return "tail";
    }
    if judgement.levels.is_some() && judgement.law == Law::Constant {
        return "levels";
    }
    match &judgement.law {
        Law::TooFew => "too-few",
        Law::Constant => "constant",
        Law::Steps(_) => "steps",
        Law::Growth(_) => "growth",
        Law::Exponential(_) => "exponential",
        Law::LevelsOff(_) => "levels-off",
        Law::GrowthWithStep(_) => "growth-step",
        Law::Bend(_) => "bend",
        Law::Rise(_) => "rise",
        Law::WarmUp(_) => "warm-up",
        Law::Periodic(_) => "periodic",
        Law::Drift => "drift",
        Law::Falls => "falls",
        Law::Irregular => "irregular",
    }
}

/// Operations that check a law at each of the largest size, and twice and four times it.
const CHECKED: usize = 25;

/// Measures as the lab does: passes until nothing is in doubt, then what is predicted.
fn judged(situation: &Situation) -> Judgement {
    let mut lab = Lab::new(situation);
    let cost = lab.pass();
    let again = lab.again();
    let (mut repeats, mut beyond) = (Vec::new(), Vec::new());
    loop {
        let series = Series {
            n: &situation.sizes,
            cost: &cost,
            again: &again,
            repeats: &repeats,
            beyond: &beyond,
            exact: situation.mechanism.is_exact(),
        };
        let judgement = judge(&series);
        let enough = !judgement.in_doubt() || is_settled(&series) || repeats.len() + 1 == PASSES;
        if !enough && !series.exact && beyond.is_empty() {
            repeats.push(lab.pass());
            lab.again();
        } else if judgement.wants_check() {
            for times in [1.0, 2.0, 4.0] {
                let size = times * situation.most();
                let costs = lab.measure(&[size; CHECKED]);
                beyond.extend(costs.into_iter().map(|cost| (size, cost)));
            }
        } else {
            return judgement;
        }
    }
}
