//! The curve of a law, to be drawn over what was measured.

use whyslow_law::{Growth, Judgement, Law, Step};
use whyslow_render::{Fit, FitPoint};
use whyslow_series::{Run, Summary};

use crate::unit::cost;

/// Points of a curve; a straight line would need fewer.
const POINTS: u32 = 80;

/// Returns the curve of the law of `run`, if it has one.
pub(crate) fn fit(run: &Run, summary: &Summary) -> Option<Fit> {
    let span = (*run.first.n.first()?, *run.first.n.last()?);
    let judgement = &summary.judgement;
    Some(match &judgement.law {
        Law::Constant => level(judgement, span),
        Law::Steps(steps) => stairs(steps, span),
        Law::Growth(growth) => grown(growth, span),
        Law::Exponential(found) => curve("exponential growth", span, |n| found.at(n)),
        Law::LevelsOff(found) => curve("growth that levels off", span, |n| found.at(n)),
        Law::GrowthWithStep(found) => stepped(found.from, span, |n| found.at(n)),
        Law::Bend(bend) => cornered(bend.from, span, |n| bend.at(n)),
        Law::WarmUp(found) => Fit {
            label: format!("after the warm-up, {}", cost(found.then)),
            points: vec![point(found.until, found.then), point(span.1, found.then)],
        },
        _ => return None,
    })
}

fn point(n: f64, ns: f64) -> FitPoint {
    FitPoint {
        n,
        ns,
        range_ns: (ns, ns),
    }
}

/// Returns the sizes at which a curve is drawn.
fn sizes((first, last): (f64, f64)) -> impl Iterator<Item = f64> {
    (0..=POINTS).map(move |step| {
        // Closer where a power bends most: at the small sizes.
        let share = f64::from(step) / f64::from(POINTS);
        first + (last - first) * share * share
    })
}

/// A curve without a band.
fn curve(label: &str, span: (f64, f64), at: impl Fn(f64) -> f64) -> Fit {
    Fit {
        label: label.to_owned(),
        points: sizes(span).map(|n| point(n, at(n))).collect(),
    }
}

/// A curve that is level up to `from`.
fn cornered(from: f64, span: (f64, f64), at: impl Fn(f64) -> f64) -> Fit {
    let mut points: Vec<FitPoint> = sizes(span).map(|n| point(n, at(n))).collect();
    points.push(point(from, at(from)));
    points.sort_by(|a, b| a.n.total_cmp(&b.n));
    Fit {
        label: "the same at first, then growth".to_owned(),
        points,
    }
}

/// A curve that jumps at `from`.
fn stepped(from: f64, span: (f64, f64), at: impl Fn(f64) -> f64) -> Fit {
    let before = from * (1.0 - 1e-9);
    let mut points: Vec<FitPoint> = sizes(span).map(|n| point(n, at(n))).collect();
    points.extend([before, from].map(|n| point(n, at(n))));
    points.sort_by(|a, b| a.n.total_cmp(&b.n));
    Fit {
        label: "growth with a step".to_owned(),
        points,
    }
}

/// A cost that stays: from what it was at first to what it was at the end is what its band leaves open.
fn level(judgement: &Judgement, (first, last): (f64, f64)) -> Fit {
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
fn stairs(steps: &[Step], (first, last): (f64, f64)) -> Fit {
    let from = steps.first().map_or(0.0, |step| step.from);
    let mut points = vec![point(first, from)];
    for step in steps {
        points.push(point(step.after, step.from));
        points.push(point(step.before, step.to));
    }
    let to = steps.last().map_or(from, |step| step.to);
    points.push(point(last, to));
    Fit {
        label: "steps".to_owned(),
        points,
    }
}

/// `a + b·nᵖ`, with what the noise leaves open.
fn grown(growth: &Growth, span: (f64, f64)) -> Fit {
    let points = sizes(span).map(|n| FitPoint {
        n,
        ns: growth.at(n),
        range_ns: growth.range_at(n),
    });
    let label = match growth.exponent {
        0.0 => "growth like the logarithm of n".to_owned(),
        p => format!("growth like n to the power of {p:.2}"),
    };
    Fit {
        label,
        points: points.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rises(fit: &Fit) -> bool {
        fit.points.windows(2).all(|pair| pair[0].n <= pair[1].n)
    }

    #[test]
    fn steps_go_up_between_the_sizes_where_they_are() {
        let step = Step {
            after: 40.0,
            before: 41.0,
            from: 7.0,
            to: 9.0,
        };
        let fit = stairs(&[step], (1.0, 100.0));
        let points: Vec<(f64, f64)> = fit.points.iter().map(|point| (point.n, point.ns)).collect();
        assert_eq!(points, [(1.0, 7.0), (40.0, 7.0), (41.0, 9.0), (100.0, 9.0)]);
    }

    #[test]
    fn a_bend_is_drawn_with_its_corner() {
        let fit = cornered(50.0, (1.0, 100.0), |n| 10.0 + (n - 50.0).max(0.0));
        assert!(rises(&fit), "{fit:?}");
        let corner = fit
            .points
            .iter()
            .find(|point| point.n.total_cmp(&50.0).is_eq());
        assert_eq!(corner.map(|point| point.ns), Some(10.0));
        assert_eq!(fit.points.last().map(|point| point.ns), Some(60.0));
    }

    #[test]
    fn a_step_within_growth_is_drawn_as_one() {
        let fit = stepped(50.0, (1.0, 100.0), |n| if n < 50.0 { n } else { 3.0 * n });
        assert!(rises(&fit), "{fit:?}");
        let jump = fit
            .points
            .windows(2)
            .find(|pair| (pair[1].n - 50.0).abs() < 1e-9);
        let jump = jump.map(|pair| (pair[0].ns.round(), pair[1].ns));
        assert_eq!(jump, Some((50.0, 150.0)));
    }
}
