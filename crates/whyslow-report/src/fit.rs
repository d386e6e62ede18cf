//! The curve of a law, to be drawn over what was measured.

use whyslow_lab::{Run, Summary};
use whyslow_law::{Growth, Judgement, Law, Step};
use whyslow_render::{Fit, FitPoint};

use crate::unit::cost;

/// Points of a curve; a straight line would need fewer.
const POINTS: u32 = 80;

/// Returns the curve of the law of `run`, if it has one.
pub(crate) fn fit(run: &Run, summary: &Summary) -> Option<Fit> {
    let (first, last) = (*run.n.first()?, *run.n.last()?);
    let judgement = &summary.judgement;
    match &judgement.law {
        Law::Constant => Some(level(judgement, first, last)),
        Law::Steps(steps) => Some(stairs(steps, first, last)),
        Law::Growth(growth) => Some(grown(growth, judgement.largest_n, first, last)),
        _ => None,
    }
}

fn point(n: f64, ns: f64) -> FitPoint {
    FitPoint {
        n,
        ns,
        range_ns: (ns, ns),
    }
}

/// A cost that stays: from what it was at first to what it was at the end is what its band leaves open.
fn level(judgement: &Judgement, first: f64, last: f64) -> Fit {
    let (low, high) = (
        judgement.first.min(judgement.last),
        judgement.first.max(judgement.last),
    );
    let ns = (low * high).sqrt();
    let at = |n| FitPoint {
        n,
        ns,
        range_ns: (low, high),
    };
    Fit {
        label: match judgement.passes {
            1 => format!("constant, {}", cost(ns)),
            passes => format!("constant over {passes} passes, {}", cost(ns)),
        },
        points: vec![at(first), at(last)],
    }
}

/// Levels and the steps between them.
fn stairs(steps: &[Step], first: f64, last: f64) -> Fit {
    let from = steps.first().map_or(0.0, |step| step.from);
    let mut points = vec![point(first, from)];
    for step in steps {
        points.push(point(step.before, step.from));
        points.push(point(step.after, step.to));
    }
    let to = steps.last().map_or(from, |step| step.to);
    points.push(point(last, to));
    Fit {
        label: "steps".to_owned(),
        points,
    }
}

/// `a + b·nᵖ`.
fn grown(growth: &Growth, largest: f64, first: f64, last: f64) -> Fit {
    let (p, a) = (growth.exponent, growth.offset);
    let b = (growth.fitted.1 - a).max(0.0);
    let at = |p: f64, n: f64| {
        let share = if p == 0.0 {
            n.ln_1p() / largest.ln_1p().max(f64::MIN_POSITIVE)
        } else {
            (n / largest.max(f64::MIN_POSITIVE)).powf(p)
        };
        a + b * share
    };
    let points = (0..=POINTS).map(|step| {
        // Closer where a power bends most: at the small sizes.
        let share = f64::from(step) / f64::from(POINTS);
        let n = first + (last - first) * share * share;
        let edges = [growth.exponent_low, growth.exponent_high].map(|p| at(p, n));
        FitPoint {
            n,
            ns: at(p, n),
            range_ns: (edges[0].min(edges[1]), edges[0].max(edges[1])),
        }
    });
    let label = match p {
        0.0 => "growth like a logarithm of n".to_owned(),
        p => format!("growth like n to the power of {p:.2}"),
    };
    Fit {
        label,
        points: points.collect(),
    }
}
