//! What is said about functions that answer questions from a file or from the kernel.

use whyslow_model::FileOperation;

use super::*;

const CLOSE: i32 = 3;
const OPENAT: i32 = 257;

#[test]
fn a_function_that_answers_from_a_file_costs_all_of_its_time() {
    let share = |function: &str| {
        let read = [
            (FileOperation::Open, 5000, 30),
            (FileOperation::Read, 10_000, 30),
        ];
        let calls = [(OPENAT, 5000, 30), (CLOSE, 5000, 10)];
        let below = format!("{function} < label < main");
        let mut trace = reopened::uses_in(&below, &read, &calls);
        trace.stack(
            "open",
            &format!("k:do_sys_openat2 < k:__x64_sys_openat < {below}"),
        );
        let main = trace.threads[0].id;
        trace.called_from(main, &[100, 200], (OPENAT, 5000), "open");
        let all = findings(&trace, 100).into_iter();
        let mut all = all.filter(|one| one.cause == "reopen");
        all.next().map(|one| one.wall_ns / MS)
    };
    assert_eq!(share("libc.so.6!getservbyport"), Some(1000));
    assert_eq!(share("libc.so.6!tabulate"), Some(70));
}
