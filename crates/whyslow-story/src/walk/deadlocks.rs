//! Threads of a process that block each other: both wait for a lock, and no thread could continue.

use whyslow_model::ProcessId;
use whyslow_query::facts::Facts;
use whyslow_query::wait::Rules;

use super::threads::{Piece, Threads};

/// Shorter waits for locks end before anybody notices.
const SHORT_NS: i64 = 10_000_000;

/// The most pairs of waits that are compared.
const MOST_PAIRS: usize = 100_000;

/// Two threads in waits for locks, with their numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Blocked {
    pub(crate) sides: [(usize, Piece); 2],
    /// When both waited.
    pub(crate) time: (i64, i64),
}

/// Finds pairs of waits for locks that lasted together until both were given up or cut short, while
/// every other thread of the process waited for another one, or for work.
pub(crate) fn find(facts: &Facts, threads: &Threads, rules: &Rules) -> Vec<Blocked> {
    let lock = rules.find("lock");
    let given_up = |piece: &Piece| {
        let ended = rules.is_timeout(piece.end) || rules.is_cut_short(piece.end);
        piece.is_wait() && Some(piece.class) == lock && ended && piece.ns() >= SHORT_NS
    };
    let mut waits: Vec<(ProcessId, usize, Piece)> = Vec::new();
    for (id, row) in facts.threads.iter().enumerate() {
        let given_up = threads.all(id).iter().filter(|piece| given_up(piece));
        waits.extend(given_up.map(|piece| (row.process, id, *piece)));
    }
    waits.sort_by_key(|&(process, id, piece)| (process, piece.start_ns, id));
    let blocked_by_others = others(rules);
    let (mut found, mut pairs) = (Vec::new(), 0);
    for (at, &(process, first, one)) in waits.iter().enumerate() {
        let later = waits[at + 1..].iter();
        let later = later.take_while(|other| other.0 == process && other.2.start_ns < one.end_ns);
        for &(_, second, other) in later {
            pairs += 1;
            if pairs > MOST_PAIRS {
                return found;
            }
            let time = (other.start_ns, one.end_ns.min(other.end_ns));
            let together = (time.1 - time.0) * 5 >= one.ns().max(other.ns()) * 3;
            if first == second || !together {
                continue;
            }
            let of_process = facts.threads.iter().enumerate();
            let mut rest = of_process
                .filter(|&(id, row)| row.process == process && id != first && id != second);
            let stuck = |(id, _)| {
                let busy = threads.busy_ns(id, time, &blocked_by_others);
                busy * 5 <= time.1 - time.0
            };
            if rest.all(stuck) {
                let sides = [(first, one), (second, other)];
                found.push(Blocked { sides, time });
            }
        }
    }
    found
}

/// Returns, per class, whether a thread in such a wait holds up no other unless it is held up
/// itself.
fn others(rules: &Rules) -> Vec<bool> {
    let mut others = rules.kinds_of("futex");
    for (other, id) in others.iter_mut().zip(0..) {
        *other |= rules.is_for_work(id);
        *other &= rules.find("sleep") != Some(id);
    }
    others
}
