//! What threads waited for.

use whyslow_model::tables::GoroutineRow;
use whyslow_model::{GoroutineState, Table};

use super::*;

#[test]
fn waits_end_where_the_scheduler_was_called() {
    let mut trace = Literal::new(100);
    let process = trace.process("cat", 1, None);
    let thread = trace.thread(process, "cat");
    trace.stack(
        "read",
        "k:__traceiter_sched_switch < k:__schedule < k:schedule < k:io_schedule < read",
    );
    trace.play(thread, "R10 W90:read");
    let trace = trace.trace("t");
    let draw = |methods: Option<&str>| {
        let selection = Selection {
            functions: methods.map(FunctionPattern::parse),
            ..Selection::default()
        };
        let outcome = put("stacks", &trace, &selection, &[("by", word("wait"))]);
        cells(
            &outcome.table().expect("recorded"),
            &["function", "exclusive"],
        )
    };
    assert_eq!(draw(None), ["[total] 0", ".read > io_schedule 90"]);
    let asked = draw(Some("__schedule"));
    assert!(
        asked[1].contains("io_schedule > schedule > __schedule"),
        "{asked:?}"
    );
}

#[test]
fn waits_are_told_by_class() {
    let trace = scene().trace("t");
    let table = ask("waits", &trace, &Selection::default());
    let words = [
        "process", "class", "wait", "waits", "longest", "waker", "frames",
    ];
    assert_eq!(
        cells(&table, &words),
        [
            "daemon poll 400 1 400 - poll < main",
            "sh child 300 1 300 cc(510) waitpid < main",
            "cc lock 150 2 100 cc(510) lock_slow < parse < main",
        ]
    );
}

#[test]
fn a_system_that_says_what_a_thread_waits_for_is_believed_where_no_stack_tells() {
    let mut trace = Literal::new(100);
    let process = trace.process("app.exe", 1, None);
    let thread = trace.thread(process, "main");
    trace.stack("nt", "k:KiSwapContext < k:KeWaitForSingleObject < work");
    trace.stack("fsync", "k:schedule < k:jbd2_log_wait_commit < save");
    trace.play(thread, "Z40:nt Z30 M20:nt Z5:fsync W5:nt");
    let trace = trace.trace("t");
    let table = ask("waits", &trace, &Selection::default());
    assert_eq!(
        cells(&table, &["class", "wait"]),
        ["sleep 70", "ipc 20", "journal 5", "other 5"]
    );
}

#[test]
fn waits_say_what_ended_them() {
    let mut trace = Literal::new(100);
    let app = trace.process("app", 100, None);
    trace.processes[app.index()].exit_signal = Some(9);
    let main = trace.thread(app, "main");
    let other = trace.thread(app, "other");
    trace.threads[main.index()].end_ns = Some(60 * MS);
    trace.stack("poll", "k:do_poll < k:do_sys_poll < poll < main");
    trace.stack("lock", "k:futex_wait < __lll_lock_wait < main");
    trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
    trace.stack("kill", "k:complete_signal < k:__x64_sys_kill < kill < main");
    trace.stack("loopback", "k:tcp_v4_rcv < k:__local_bh_enable_ip");
    trace.stack("recv", "k:tcp_recvmsg < recv < main");
    trace.play(
        main,
        "R10 W20:poll<!@timer R5 W5:recv<%other@loopback R5 W15:lock<other@kill",
    );
    trace.play(other, "R100");
    let trace = trace.trace("t");
    let table = ask("waits", &trace, &Selection::default());
    assert_eq!(
        cells(&table, &["class", "ended-by", "waker"]),
        [
            "poll timeout interrupt",
            "lock kill app/other(1001)",
            "socket thread app/other(1001)",
        ]
    );
    let table = ask("threads", &trace, &Selection::default());
    let threads = cells(&table, &["thread", "ended-by"]);
    assert!(threads.contains(&"main timeout".to_owned()), "{threads:?}");
}

#[test]
fn waits_with_the_stack_of_another_wait_are_counted() {
    let mut trace = Literal::new(1300);
    let process = trace.process("cat", 1, None);
    let thread = trace.thread(process, "cat");
    trace.stack("read", "k:schedule < k:pipe_read < read < main");
    for _ in 0..1200 {
        trace.play(thread, "W1:read");
    }
    let notes = |trace: &Literal, question: &str, arguments: &[(&str, ArgumentValue)]| {
        let trace = trace.trace("t");
        let outcome = put(question, &trace, &Selection::default(), arguments);
        let notes = outcome.table().expect("recorded").notes;
        notes.into_iter().map(|note| note.text).collect::<Vec<_>>()
    };
    let by_wait = [("by", word("wait"))];
    assert_eq!(notes(&trace, "waits", &[]), [""; 0]);
    assert_eq!(notes(&trace, "stacks", &by_wait), [""; 0]);
    for state in trace.states.iter_mut().skip(100) {
        state.flags = whyslow_model::StateFlags::APPROXIMATE_STACK.0;
    }
    let said = ["from a sample: the stacks of 100 of 1,200 waits"];
    assert_eq!(notes(&trace, "waits", &[]), said);
    assert_eq!(notes(&trace, "stacks", &by_wait), said);
    assert_eq!(notes(&trace, "stacks", &[]), [""; 0]);
}

#[test]
fn waits_of_goroutines_have_a_call_tree() {
    let mut trace = Literal::new(1000);
    let process = trace.process("ledger", 1, None);
    let thread = trace.thread(process, "ledger");
    trace.play(thread, "R10 Z990");
    let mut row = |stack: &str, ms: i64, count: i64, state: GoroutineState| GoroutineRow {
        from_ns: 0,
        process: Some(process),
        thread: Some(thread),
        duration_ns: ms * 1_000_000,
        goroutine: 1,
        state: state.code(),
        count,
        stack: Some(trace.stack(stack, stack)),
    };
    let waiting = GoroutineState::Waiting;
    let rows = vec![
        row("gopark < post < main", 100, 1, waiting),
        row("gopark < post < main", 200, 1, waiting),
        row("gopark < nap < main", 150, 4, waiting),
        row("gopark < nap < main", 500, 1, GoroutineState::Running),
    ];
    trace.tables.push(Table::from_rows(rows));
    trace.capabilities.set(Capability::Goroutines);
    let by = [("by", word("goroutines"))];
    let outcome = put("stacks", &trace.trace("t"), &Selection::default(), &by);
    assert_eq!(
        cells(
            &outcome.table().expect("recorded"),
            &["function", "inclusive", "count"]
        ),
        [
            "[total] 900 3",
            ".main 900 3",
            "..nap > gopark 600 1",
            "..post > gopark 300 2",
        ]
    );
}
