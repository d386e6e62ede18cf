//! Two views of one stack become one: native frames, and runs of an interpreter's frames.
//!
//! Each run belongs to one call of the interpreter's evaluation function, so it goes before (further
//! in than) the native frame of that call:
//!
//! ```text
//! native   memcpy  list_sort  EVAL       builtin_sorted  EVAL  main     the innermost first
//! runs                        [key]                      [load, <module>]
//! both     memcpy  list_sort  key  EVAL  builtin_sorted  load  <module>  EVAL  main
//! ```
//!
//! A stack that was walked to its root is matched from there, because at the other end a thread may
//! be about to call or to leave the function. One that was cut is matched from the innermost frame.

use whyslow_perfdata::abi::context;

/// Frames that share a call of the evaluation function, as addresses, the innermost first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Run {
    /// The addresses.
    pub frames: Vec<u64>,
}

/// Puts `runs` (the innermost first, `is_cut` at the outer end) into `chain`: a marker, native
/// frames, and markers that say how the walk ended. `is_evaluation` recognizes the function by an
/// address in it, and `is_again` another one that calls it again for a run that has a call already: the inner call counts.
pub fn splice(
    chain: &mut Vec<u64>,
    runs: &[Run],
    is_cut: bool,
    is_evaluation: impl Fn(u64) -> bool,
    is_again: impl Fn(u64) -> bool,
) {
    let is_frame = |ip: &u64| *ip < context::MAX;
    let first = usize::from(chain.first() == Some(&context::USER));
    let end = chain.iter().rposition(is_frame).map_or(first, |at| at + 1);
    let native = chain.get(first..end).unwrap_or_default();
    let is_whole = end == chain.len() && !is_cut;
    // All but the innermost are return addresses.
    let place = |at: usize| Some(native.get(at)?.wrapping_sub(u64::from(at > 0)));
    let is_evaluation_at = |at| place(at).is_some_and(&is_evaluation);
    let is_again_at = |at| place(at).is_some_and(&is_again);
    let is_call = |at: &usize| {
        // What runs an operation may be between.
        let mut between = [1, 2]
            .iter()
            .filter_map(|frames| at.checked_sub(frames + 1));
        let mut has_inner = || between.any(|at| is_again_at(at + 1) && is_evaluation_at(at));
        is_evaluation_at(*at) && !has_inner()
    };
    let calls: Vec<usize> = (0..native.len()).filter(is_call).collect();
    let mut spliced = Vec::with_capacity(chain.len() + runs.len());
    let mut runs = runs.iter();
    let (mut unmatched, mut early) = (0, 0);
    if is_whole {
        unmatched = calls.len().saturating_sub(runs.len());
        early = runs.len().saturating_sub(calls.len());
    }
    for run in runs.by_ref().take(early) {
        spliced.extend_from_slice(&run.frames);
    }
    let mut calls = calls.into_iter().skip(unmatched).peekable();
    for (at, &ip) in native.iter().enumerate() {
        if calls.next_if_eq(&at).is_some()
            && let Some(run) = runs.next()
        {
            spliced.extend_from_slice(&run.frames);
        }
        spliced.push(ip);
    }
    // Runs of calls beyond the part of the stack that was walked.
    for run in runs {
        spliced.extend_from_slice(&run.frames);
    }
    chain.splice(first..end, spliced);
}

/// Puts `name` before the innermost frame of a module without names, which is the function it names.
pub fn name_innermost(chain: &mut Vec<u64>, name: u64, is_of_module: impl Fn(u64) -> bool) {
    let first = usize::from(chain.first() == Some(&context::USER));
    let frames = chain.iter().enumerate().skip(first);
    // All but the innermost are return addresses.
    let mut frames = frames.map(|(at, ip)| (at, ip.wrapping_sub(u64::from(at > first))));
    if let Some((at, _)) = frames.find(|(_, ip)| is_of_module(*ip)) {
        chain.insert(at, name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USER: u64 = context::USER;

    /// Addresses from 100 to 199 are the evaluation function.
    #[track_caller]
    fn check(native: &[u64], runs: &[&[u64]], is_cut: bool, wanted: &[u64]) {
        let runs: Vec<Run> = runs
            .iter()
            .map(|run| Run {
                frames: run.to_vec(),
            })
            .collect();
        let mut chain = [&[USER], native].concat();
        let is_evaluation = |ip: u64| (100..200).contains(&ip);
        splice(&mut chain, &runs, is_cut, is_evaluation, |ip| ip == 49);
        assert_eq!(chain, [&[USER], wanted].concat());
    }

    #[test]
    fn each_run_goes_before_its_call() {
        // For callers these are return addresses: one past the function's last byte is in it.
        let native = [1, 101, 2, 200, 3];
        let runs: [&[u64]; 2] = [&[71], &[72, 73]];
        check(&native, &runs, false, &[1, 71, 101, 2, 72, 73, 200, 3]);
        check(&[101], &[&[71, 72]], false, &[71, 72, 101]);
    }

    #[test]
    fn of_two_calls_for_one_run_the_inner_one_counts() {
        let native = [1, 101, 50, 102, 2, 103, 3];
        let runs: [&[u64]; 2] = [&[71], &[72]];
        let wanted = [1, 71, 101, 50, 102, 2, 72, 103, 3];
        check(&native, &runs, false, &wanted);
        check(&native, &runs, true, &wanted);
        let native = [1, 101, 50, 2, 102, 3];
        check(&native, &[&[71]], false, &[1, 71, 101, 50, 2, 102, 3]);
        // The inner call has not begun.
        check(&[49, 102, 2], &[&[71]], false, &[49, 71, 102, 2]);
    }

    #[test]
    fn whole_stacks_are_matched_from_the_root() {
        // About to run a function, or just behind one.
        check(&[150, 1, 120, 2], &[&[71]], false, &[150, 1, 71, 120, 2]);
        check(&[1, 120, 2], &[&[71], &[72]], false, &[71, 1, 72, 120, 2]);
        check(&[1, 120, 2], &[], false, &[1, 120, 2]);
        // A run without frames is still a call.
        check(
            &[150, 1, 120, 2],
            &[&[], &[71]],
            false,
            &[150, 1, 71, 120, 2],
        );
    }

    #[test]
    fn cut_stacks_are_matched_from_the_innermost_frame() {
        let native = [1, 120, 2, 130, USER];
        let runs: [&[u64]; 3] = [&[71], &[72], &[73]];
        check(&native, &runs, false, &[1, 71, 120, 2, 72, 130, 73, USER]);
        let native = [1, 120, 2, 130, 3];
        check(&native, &[&[71]], true, &[1, 71, 120, 2, 130, 3]);
        check(&[], &[&[71]], false, &[71]);
        check(&[USER, USER], &[&[71]], false, &[71, USER, USER]);
    }

    #[test]
    fn a_function_without_a_name_gets_one() {
        let named = |chain: &[u64]| {
            let mut chain = chain.to_vec();
            name_innermost(&mut chain, 7, |ip| (100..200).contains(&ip));
            chain
        };
        // A return address one past the module's end belongs to a call in it; at the leaf it does
        // not.
        assert_eq!(named(&[USER, 1, 2, 200, 130]), [USER, 1, 2, 7, 200, 130]);
        assert_eq!(named(&[USER, 200, 3]), [USER, 200, 3]);
        assert_eq!(named(&[USER, 150, 3]), [USER, 7, 150, 3]);
        assert_eq!(named(&[]), []);
    }
}
