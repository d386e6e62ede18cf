//! A function that asks channels again and again until one is ready: a `select` with a `default` case.

use crate::detector::{Draft, Extent};
use crate::finding::{Confidence, Query, Value};
use whyslow_query::spans::Spans;
use whyslow_story::path::What;
use whyslow_story::place::Place;
use whyslow_story::story::{Story, share};

/// Less of the command's own time than this percentage is no waste worth a word.
const MUCH: f64 = 30.0;

/// Fewer samples say nothing about what it does.
const FEW_SAMPLES: i64 = 20;

/// Finds waiting by going round a `select`. It may go on beside what mattered: then it only takes a CPU.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "a share of a step"
)]
pub(super) fn find(story: &Story<'_>) -> Option<Draft> {
    let rounds = story.hot.rounds.as_ref()?;
    let ran = story.path.steps.iter();
    let ran = ran.filter(|step| step.what == What::Cpu);
    let part = (rounds.ns as f64 / story.path.cpu_ns().max(1) as f64).min(1.0);
    let on = Spans::new(ran.map(|step| {
        let taken = (step.ns() as f64 * part) as i64;
        (step.to_ns - taken, step.to_ns)
    }));
    if rounds.count < FEW_SAMPLES || share(on.ns(), story.own_ns()) < MUCH {
        return None;
    }
    let place = Place::of_functions(story.code, &rounds.functions);
    let process = story.runner();
    let query = Query::new("where it computed", "stacks", &["--process", process]);
    let draft = Draft::new("spin", Confidence::Likely, Extent::On(on))
        .fact("process", Value::Process(story.called(process)))
        .claim(match process == story.root_name() {
            true => "It kept a CPU busy while it waited: it asked channels again and again (a select with a default case), {share} of the time",
            false => "{process} kept a CPU busy while it waited: it asked channels again and again (a select with a default case), {share} of the time",
        })
        .fact("place", Value::Place(place))
        .rows("cpu_sample", (rounds.ns, rounds.count), query)
        .advise("Leave out the default case, so that select waits until a channel is ready.");
    Some(draft)
}
