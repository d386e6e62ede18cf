//! What is said about event loops that wait for their own timers.

use whyslow_model::Table;

use super::objects::{object, row};
use super::*;

const UV: &str = "k:ep_poll < k:do_epoll_wait < epoll_wait < uv__io_poll < uv_run < main";
const EPOLL: &str = "k:ep_poll < k:do_epoll_wait < epoll_wait < run_loop < main";

/// A program that waits on a stack as `play` says, at something called `names`.
fn waits(stack: &str, play: &str, names: &str) -> Literal {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    process(&mut trace, "client", 200, None, (0, 1000));
    trace.stack("loop", stack);
    trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
    trace.play(main, play);
    trace.waited_for(main, Some(0), Some(40));
    trace.tables = object("epoll", names, None);
    trace
}

fn first_cause(trace: &Literal) -> String {
    findings(trace, 100)[0].cause.clone()
}

#[test]
fn a_loop_that_nobody_else_wakes_waits_for_its_own_timers() {
    let ticks = "R2 W38:loop<!@timer ".repeat(25);
    let cause = |names: &str| first_cause(&waits(UV, &ticks, names));
    for own in [
        "pipe:[7], [eventfd]",
        "a Unix socket",
        "[eventfd], [eventfd]",
    ] {
        assert_eq!(cause(own), "sleep", "{own}");
    }
    // Only some event loops make a pipe to wake themselves.
    let glib = "k:poll_schedule_timeout < k:do_sys_poll < poll < g_main_context_iterate < g_main_loop_run < main";
    let trace = waits(glib, &ticks, "pipe:[7], [eventfd]");
    assert_eq!(first_cause(&trace), "idle");
    // A client, a child, or a user may come.
    for others in [
        "127.0.0.1:80 (listening), pipe:[7], [eventfd]",
        "10.1.2.3:5432, [eventfd]",
        "pipe:[7], pipe:[8], [eventfd]",
        "/dev/pts/1, [eventfd]",
        "inotify, [eventfd]",
    ] {
        assert_eq!(cause(others), "idle", "{others}");
    }
    says(
        &explain_pid(&waits(UV, &ticks, "pipe:[7], [eventfd]"), 100),
        &[
            "It waited for its own timers: 95 % of the time",
            "25 waits of 38 ms each",
            "It asked to sleep for 40 ms, 25 times.",
        ],
    );
}

#[test]
fn another_process_of_the_same_name_does_not_matter() {
    let mut trace = Literal::new(1000);
    let (sh, main) = process(&mut trace, "sh", 100, None, (0, 1000));
    let (_, app) = process(&mut trace, "app", 101, Some(sh), (0, 1000));
    let (_, other) = process(&mut trace, "app", 102, Some(sh), (0, 1000));
    trace.stack("child", "k:do_wait < k:kernel_wait4 < wait4 < main");
    trace.stack("loop", UV);
    trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
    trace.play(app, &"R2 W38:loop<!@timer ".repeat(25));
    trace.waited_for(app, Some(0), Some(40));
    trace.play(main, "W1000:child<app");
    trace.play(other, "R1");
    trace.tables = object("epoll", "a Unix socket", None);
    says(
        &explain_pid(&trace, 100),
        &["app waited for its own timers: 95 % of the time"],
    );
}

#[test]
fn a_loop_that_others_wake_is_idle() {
    let ticks = "R2 W38:loop<!@timer ".repeat(20);
    let asked = "R2 W38:loop<client ".repeat(5);
    let trace = waits(UV, &(ticks + &asked), "pipe:[7], [eventfd]");
    assert_eq!(first_cause(&trace), "idle");
}

#[test]
fn a_loop_beside_a_child_is_idle() {
    let ticks = "R2 W38:loop<!@timer ".repeat(25);
    let mut trace = waits(UV, &ticks, "pipe:[7], [eventfd]");
    let parent = trace.processes[0].id;
    let (_, child) = process(&mut trace, "child", 101, Some(parent), (0, 1000));
    trace.play(child, "W1000");
    assert_ne!(first_cause(&trace), "sleep");
}

#[test]
fn a_call_of_the_users_own_waits_for_something_until_its_time_out() {
    let ticks = "W40:loop<!@timer ".repeat(25);
    let cause = |names: &str| first_cause(&waits(EPOLL, &ticks, names));
    assert_eq!(cause("[eventfd]"), "timeout");
    // A server looks up every now and then.
    assert_eq!(cause("127.0.0.1:80 (listening)"), "idle");
    assert_eq!(cause("127.0.0.1:80 (listening), [eventfd]"), "idle");
    // It may also wait for its own server.
    assert_eq!(cause("127.0.0.1:80 (listening), 10.1.2.3:5432"), "timeout");
    let answer = explain_pid(&waits(EPOLL, &ticks, "[eventfd]"), 100);
    says(
        &answer,
        &[
            "until it timed out: 100 % of the time",
            "main → run_loop",
            "It asked to wait for 40 ms at most, 25 times.",
        ],
    );
}

/// A client that asks a server of the same command ten times. The server waits as `answers` says, and then answers.
fn asks(answers: &str) -> Literal {
    let mut trace = Literal::new(1000);
    let (sh, main) = process(&mut trace, "sh", 100, None, (0, 1000));
    let (_, client) = process(&mut trace, "client", 101, Some(sh), (0, 1000));
    let (_, server) = process(&mut trace, "server", 102, Some(sh), (0, 1000));
    trace.stack("child", "k:do_wait < k:kernel_wait4 < wait4 < main");
    trace.stack(
        "receive",
        "k:tcp_recvmsg < k:__x64_sys_recvfrom < recv < ask < main",
    );
    trace.stack("loop", UV);
    trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
    trace.stack("card", "k:tcp_v4_rcv < k:virtnet_poll < k:net_rx_action");
    trace.play(main, "W1000:child<client");
    trace.play(client, &"R2 W98:receive<server ".repeat(10));
    trace.play(server, &format!("W2:loop<client {answers}").repeat(10));
    trace.tables = vec![Table::from_rows([row(
        "epoll",
        "127.0.0.1:80 (listening)",
        None,
    )])];
    trace
}

#[test]
fn a_server_that_answers_late_waits_for_its_own_timers() {
    says(
        &explain_pid(&asks("R1 W96:loop<!@timer R1 "), 100),
        &["server waited for its own timers: 96 % of the time"],
    );
    // Between two ticks it waits for something else.
    let answer = explain_pid(&asks("R1 W46:loop<!@timer R1 W49:loop<!@card R1 "), 100);
    assert!(!answer.contains("its own timers"), "{answer}");
}
