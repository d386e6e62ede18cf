//! CPU time as the system accounts it, beside the time between switches.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

mod support;

use support::{EVERYTHING, feed, import};

#[track_caller]
fn accounted(script: &str, tid: i32) -> String {
    import(EVERYTHING, |importer| feed(importer, script)).accounted(tid)
}

#[test]
fn a_stay_has_what_the_system_accounts_to_it() {
    let script = "0  0 switch 1 S 2
         10 0 switch 2 S 1 13
         15 0 switch 1 R 2 0
         40 0 switch 2 S 0";
    assert_eq!(accounted(script, 2), "0-10 13 | 15-40 ?");
    assert_eq!(accounted(script, 1), "10-15 0");
}

#[test]
fn nobody_saw_the_start_of_what_ran_first() {
    // Whatever the account of such a stay is, it is of more than what the trace has of it.
    let script = "0 0 oncpu 3
         5 0 oncpu 1
         10 0 switch 1 S 2 900
         20 0 switch 2 S 1 10";
    assert_eq!(accounted(script, 1), "0-10 ?");
}

#[test]
fn after_a_loss_a_stay_began_nobody_knows_when() {
    let script = "0 0 switch 1 S 2
         10 0 lost 5
         12 0 sample 2
         20 0 switch 2 S 1 600
         25 0 switch 1 S 2 5";
    assert_eq!(accounted(script, 2), "12-20 ?");
    assert_eq!(accounted(script, 1), "20-25 5");
}

#[test]
fn an_exec_divides_a_stay() {
    // The program before it has the time between events, the one after it what is left of the account.
    let script = "- - seen 1 1 sh
         0 0 switch 9 S 1
         10 0 exec 1 prog
         30 0 switch 1 S 9 33";
    assert_eq!(accounted(script, 1), "0-10 ? | 10-30 23");
}

#[test]
fn what_the_recorder_took_of_a_stay_is_beside_its_account() {
    let script = "0 0 oncpu 3
         5 0 oncpu 1
         10 0 switch 1 S 2 900 100
         20 0 switch 2 S 1 10 4
         25 0 switch 1 S 2 5 0";
    assert_eq!(accounted(script, 2), "10-20 10-4");
    // Of more than what the trace has of the stay.
    assert_eq!(accounted(script, 1), "0-10 ? | 20-25 5-0");
}
