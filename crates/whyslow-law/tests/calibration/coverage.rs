//! How often intervals hold: powers with figures drawn at random, on machines drawn at random.

use crate::random::Random;
use crate::score::Scored;
use crate::situation::{Situation, read};

/// Situations of a half.
const DRAWN: u64 = 120;

/// Returns growing situations, drawn from `seed` on.
pub(crate) fn drawn(seed: u64) -> Vec<Situation> {
    (0..DRAWN).map(|round| one(seed + round)).collect()
}

fn one(seed: u64) -> Situation {
    let mut random = Random(seed);
    let mut pick = |from: &[&'static str]| from[(random.unit() * from.len() as f64) as usize];
    let p = pick(&["0.5", "0.75", "1", "1", "1", "1.25", "1.5", "2"]);
    let rise = pick(&["3", "5", "10", "30", "100"]);
    let machine = pick(&["quiet", "usual", "usual", "busy", "speeds", "loops"]);
    let (a, sizes) = match pick(&["series", "series", "ladder"]) {
        "ladder" => (
            pick(&["1000000", "3000000"]),
            pick(&["ladder 1..1024 x3", "ladder 1..4096 x5"]),
        ),
        _ => (
            pick(&["2000", "9000", "60000"]),
            pick(&["series 1000", "series 5000", "series 20000", "series 50000"]),
        ),
    };
    let line = format!(
        "drawn | power a={a} rise={rise} p={p} | {sizes} | {machine} | growth | {p} | {seed}"
    );
    read(line.leak())
}

/// Returns how many growths were seen, of how many the range of p held the true one, how many were predicted, and
/// how many of these predictions held.
pub(crate) fn coverage(scored: &[Scored]) -> [usize; 4] {
    let count = |is: &dyn Fn(&Scored) -> bool| scored.iter().filter(|one| is(one)).count();
    [
        count(&|one| one.holds_p.is_some()),
        count(&|one| one.holds_p == Some(true)),
        count(&Scored::predicts),
        count(&|one| one.predicts() && one.inside()),
    ]
}
