//! Random traces: processes, threads, stacks, samples and intervals that are consistent.

use crate::literal::Literal;
use crate::random::Random;

/// Returns a trace of random stacks, samples and intervals.
pub fn random_trace(seed: u64) -> Literal {
    let mut dice = Random(seed.wrapping_mul(0x9e37_79b9) | 1);
    let mut trace = Literal::new(400);
    let names: Vec<String> = (0..12).map(|n| format!("s{n}")).collect();
    for name in &names {
        let depth = 1 + dice.below(6);
        let frames: Vec<String> = (0..depth)
            .map(|_| match dice.below(8) {
                0 => format!("f{}+f{}", dice.below(4), dice.below(4)),
                n => format!("f{}", n % 5),
            })
            .collect();
        trace.stack(name, &frames.join(" < "));
    }
    for process in 0..3 {
        let id = trace.process(&format!("p{process}"), process + 1, None);
        for thread in 0..=(process * 2) {
            let thread = trace.thread(id, &format!("t{thread}"));
            let mut plays = Vec::new();
            let mut at = 0;
            while at < 350 {
                let (run, wait, ready) = (dice.below(9), dice.below(40), dice.below(5));
                let stack = &names[dice.below(12)];
                for ms in 0..run {
                    let on = &names[dice.below(12)];
                    trace.sample(thread, &[i64::try_from(at + ms).expect("small")], on);
                }
                plays.push(format!("R{run} W{wait}:{stack} r{ready}:{stack}"));
                at += run + wait + ready;
            }
            trace.play(thread, &plays.join(" "));
        }
    }
    trace
}
