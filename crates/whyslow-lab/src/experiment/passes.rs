//! Further passes: where a curve may be the machine's doing, the experiment is made again.

use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{Context, Run};
use crate::cases::Options;
use crate::error::Error;
use crate::law::Law;
use crate::operation::Measured;
use crate::summary::{judged, laws};

/// A further pass over the sizes of a run.
#[derive(Debug, Clone)]
pub struct Pass {
    /// Its operations, each with its worker.
    pub operations: Vec<(u32, Measured)>,
    /// The size each met.
    pub n: Vec<f64>,
    /// The first sizes, measured again at its end.
    pub again: Vec<Measured>,
}

/// Passes that are enough if each shows the same.
const ENOUGH: usize = 3;

/// A machine that is slow stays so for a while: short passes are at least this far apart.
const APART: Duration = Duration::from_millis(200);

/// One pass over all series of an experiment.
pub(crate) type Once<'a> = dyn Fn(Context<'_>, &mut Vec<Run>) -> Result<(), Error> + 'a;

/// Makes the first pass with `once`, and further ones as long as a series is in doubt, there is time,
/// and the options allow it.
pub(crate) fn passes(
    options: &Options,
    context: Context<'_>,
    runs: &mut Vec<Run>,
    once: &Once<'_>,
) -> Result<(), Error> {
    let (before, begin) = (runs.len(), Instant::now());
    once(context, runs)?;
    let took = begin.elapsed();
    for pass in 2..=options.passes {
        let doubt = runs.iter().skip(before).any(in_doubt);
        let late = begin.elapsed() + took > options.budget;
        if !doubt || late || context.stopped() {
            break;
        }
        sleep(APART.saturating_sub(took));
        let tell = |what: &str| (context.tell)(&format!("{what}, pass {pass} to be sure"));
        let again = Context {
            tell: &tell,
            ..context
        };
        let mut more = Vec::new();
        let done = once(again, &mut more);
        for one in more {
            let mut new = runs.iter_mut().skip(before);
            let same = |run: &&mut Run| run.words == one.words && run.arm == one.arm;
            if let Some(run) = new.find(same) {
                run.take(one);
            }
        }
        done?;
    }
    Ok(())
}

/// Returns whether a further pass may change the verdict.
fn in_doubt(run: &Run) -> bool {
    let sure = || {
        let laws = laws(run);
        laws.len() >= ENOUGH && !laws.contains(&Law::Constant)
    };
    judged(run).in_doubt() && !sure()
}

impl Run {
    /// Takes a further pass, unless it ended long before this one: then its sizes say too little.
    fn take(&mut self, pass: Self) {
        if self.left.is_none() {
            self.left = pass.left;
        }
        if pass.operations.len() * 10 >= self.operations.len() * 9 {
            self.repeats.push(Pass {
                operations: pass.operations,
                n: pass.n,
                again: pass.again,
            });
        }
    }
}
