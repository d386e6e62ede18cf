//! Costs that many operations have, as labels of a picture.

use whyslow_law::Mode;
use whyslow_render::Level;
use whyslow_series::{Run, Summary};

use crate::unit::cost;

/// Returns the bands of the operations of `run`, and what its passes cost typically where they differ.
pub(crate) fn levels(run: &Run, summary: &Summary) -> Vec<Level> {
    let level = |ns, text| Level { ns, text };
    let last = run.first.n.last().copied().unwrap_or(0.0);
    let law = summary.judgement.law.at(last);
    let band = |mode: &Mode| {
        let share = format!("{:.0} %", mode.share * 100.0);
        match law {
            // Beside a curve, a band is a multiple of it.
            Some(ns) => level(
                ns * mode.cost,
                format!("{share}: {:.2} times the law", mode.cost),
            ),
            None => level(mode.cost, format!("{share}: {}", cost(mode.cost))),
        }
    };
    let mut levels: Vec<Level> = summary.modes.bands.iter().map(band).collect();
    if let Some((low, high)) = summary.judgement.levels {
        let pass = |which: &str, ns| level(ns, format!("the {which} pass: {}", cost(ns)));
        levels.extend([pass("fastest", low), pass("slowest", high)]);
    }
    levels
}
