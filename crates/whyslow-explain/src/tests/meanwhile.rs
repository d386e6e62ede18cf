//! What is said about other processes while the command waited for them.

use super::*;
use whyslow_detectors::waits_for_strangers;
use whyslow_story::file_names::Names;

const RECEIVES: &str = "k:tcp_recvmsg < k:__x64_sys_recvfrom < recv < ask < main";
const LISTENS: &str = "k:tcp_recvmsg < k:__x64_sys_recvfrom < recv < serve < main";

/// A client that asks a server twice, and waits 400 ms for each reply; the server plays so each time.
fn client_and_server(stack: &str, play: &str) -> Literal {
    let mut trace = Literal::new(1000);
    let (_, client) = process(&mut trace, "app", 100, None, (0, 1000));
    let (_, desk) = process(&mut trace, "desk", 200, None, (0, 1000));
    trace.stack("recv", RECEIVES);
    trace.stack("listen", LISTENS);
    trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
    trace.stack("work", stack);
    trace.play(client, &"R100 W400:recv<desk ".repeat(2));
    trace.play(desk, &format!("W100:listen<app {play} ").repeat(2));
    trace
}

/// Returns the findings below the first one, with the percentage of the time that they are about.
fn below(trace: &Literal) -> Vec<(String, i64)> {
    let all = findings(trace, 100);
    let first = all[0].id.clone();
    let below = all.iter().filter(|one| one.below.as_ref() == Some(&first));
    let shares = below.map(|one| (one.cause.clone(), one.wall_ns / (10 * MS)));
    shares.collect()
}

#[test]
fn a_server_that_syncs_before_it_answers_is_told_with_its_place() {
    let fsync = "k:folio_wait_writeback < k:__x64_sys_fsync < fsync < reserve < main";
    let trace = client_and_server(fsync, "R20 D360:work<! R20");
    says(
        &explain_pid(&trace, 100),
        &[
            "1 It waited for replies from desk(200): 80 % of the time  certain",
            "  below: Meanwhile desk(200) flushed its data to disk (fsync): 72 % of the time  certain\n    \
             main → reserve → fsync\n",
        ],
    );
    assert_eq!(below(&trace), [("fsync".to_owned(), 72)]);
}

#[test]
fn a_server_that_computes_or_sleeps_is_told() {
    let sleep = "k:do_nanosleep < k:hrtimer_nanosleep < clock_nanosleep < pause < main";
    let trace = client_and_server(sleep, "R20 W360:work<!@timer R20");
    assert_eq!(below(&trace), [("sleep".to_owned(), 72)]);
    let mut trace = client_and_server(sleep, "R400");
    let desk = ThreadId::from_index(1).expect("few");
    trace.stack("hot", "hash < price < serve < main");
    trace.sample(desk, &(100..500).collect::<Vec<_>>(), "hot");
    assert_eq!(below(&trace), [("cpu".to_owned(), 80)]);
    says(
        &explain_pid(&trace, 100),
        &["  below: Meanwhile desk(200) computed: 80 % of the time  certain"],
    );
}

#[test]
fn a_server_that_waits_for_another_one_leads_to_that() {
    let mut trace = Literal::new(1000);
    let (_, client) = process(&mut trace, "app", 100, None, (0, 1000));
    let (_, gateway) = process(&mut trace, "gateway", 200, None, (0, 1000));
    let (_, office) = process(&mut trace, "office", 300, None, (0, 1000));
    trace.stack("recv", RECEIVES);
    trace.stack("listen", LISTENS);
    trace.play(client, &"R100 W400:recv<gateway ".repeat(2));
    let passes_on = "W100:listen<app R20 W360:recv<office R20 ";
    trace.play(gateway, &passes_on.repeat(2));
    trace.play(
        office,
        &"W120:listen<gateway R360 W20:listen<gateway ".repeat(2),
    );
    says(
        &explain_pid(&trace, 100),
        &[
            "1 It waited for replies from gateway(200): 80 % of the time",
            "  below: Meanwhile gateway(200) itself waited for office(300): 72 % of the time",
            "  below: Meanwhile office(300) computed: 72 % of the time",
        ],
    );
}

#[test]
fn servers_that_wait_for_each_other_are_no_circle() {
    let mut trace = Literal::new(1000);
    let (_, client) = process(&mut trace, "app", 100, None, (0, 1000));
    let (_, one) = process(&mut trace, "one", 200, None, (0, 1000));
    let (_, two) = process(&mut trace, "two", 300, None, (0, 1000));
    trace.stack("recv", RECEIVES);
    trace.play(client, &"R100 W400:recv<one ".repeat(2));
    trace.play(
        one,
        &"W100:recv<app R10 W190:recv<two R10 W180:recv<two R10 ".repeat(2),
    );
    trace.play(
        two,
        &"W110:recv<one R190 W10:recv<one R180 W10:recv<one ".repeat(2),
    );
    let all = below(&trace);
    assert!(all.contains(&("cpu".to_owned(), 74)), "{all:?}");
}

#[test]
fn what_the_holder_of_a_file_lock_did_is_told() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let (_, holder) = process(&mut trace, "backup", 200, None, (0, 1000));
    trace.stack(
        "flock",
        "k:flock_lock_inode_wait < k:__x64_sys_flock < flock < acquire < main",
    );
    trace.stack("loop", "pack < main");
    trace.play(main, "R100 W800:flock<backup R100");
    trace.play(holder, "R1000");
    trace.sample(holder, &(0..1000).collect::<Vec<_>>(), "loop");
    says(
        &explain_pid(&trace, 100),
        &[
            "It waited for a lock on a file (flock, fcntl): 80 % of the time, until backup(200)",
            "  below: Meanwhile backup(200) computed: 80 % of the time",
            "main → pack: 100 % of the CPU time",
        ],
    );
}

#[test]
fn a_server_of_whose_time_nothing_is_known_is_not_blamed() {
    let trace = client_and_server("k:schedule < main", "R20 W360:work<!@timer R20");
    assert_eq!(below(&trace), []);
    says(
        &explain_pid(&trace, 100),
        &["What desk(200) did meanwhile is not known."],
    );
}

#[test]
fn a_peer_that_is_waited_for_now_and_then_is_not_looked_into() {
    let mut trace = Literal::new(1000);
    let (_, client) = process(&mut trace, "app", 100, None, (0, 1000));
    let (_, desk) = process(&mut trace, "desk", 200, None, (0, 1000));
    trace.stack("recv", RECEIVES);
    trace.play(client, &"R450 W50:recv<desk ".repeat(2));
    trace.play(desk, &"W450:recv<app R50 ".repeat(2));
    let all = findings(&trace, 100);
    assert!(!all.iter().any(|one| one.below.is_some()), "{all:?}");
}

#[test]
fn who_waits_for_room_does_not_wait_for_a_reply() {
    let mut trace = Literal::new(1000);
    let (_, client) = process(&mut trace, "app", 100, None, (0, 1000));
    let (_, node) = process(&mut trace, "node", 200, None, (0, 1000));
    trace.stack(
        "send",
        "k:sk_stream_wait_memory < k:tcp_sendmsg < k:__x64_sys_sendto < send < main",
    );
    trace.stack("listen", LISTENS);
    trace.play(client, &"R100 W400:send<node ".repeat(2));
    trace.play(node, &"W100:listen<app R400 ".repeat(2));
    let answer = explain_pid(&trace, 100);
    says(
        &answer,
        &["It waited until node(200) read what it had sent: 80 % of the time"],
    );
    assert!(!answer.contains("replies from"), "{answer}");
}

#[test]
fn each_peer_answers_for_its_own_time() {
    let mut trace = Literal::new(1000);
    let (_, client) = process(&mut trace, "app", 100, None, (0, 1000));
    let (_, one) = process(&mut trace, "one", 200, None, (0, 1000));
    let (_, two) = process(&mut trace, "two", 300, None, (0, 1000));
    trace.stack("recv", RECEIVES);
    trace.stack("again", &RECEIVES.replace("ask", "ask_again"));
    trace.stack("listen", LISTENS);
    trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
    trace.stack(
        "nap",
        "k:do_nanosleep < k:hrtimer_nanosleep < clock_nanosleep < pause < main",
    );
    trace.play(client, "R100 W220:recv<one R100 W220:again<two R360");
    trace.play(one, "W100:listen<app R10 W200:nap<!@timer R10");
    trace.play(two, "W420:listen<app R10 W200:nap<!@timer R10");
    says(
        &explain_pid(&trace, 100),
        &[
            "Meanwhile one(200) slept: 20 % of the time",
            "Meanwhile two(300) slept: 20 % of the time",
        ],
    );
}

#[test]
fn a_peer_that_waited_for_the_command_or_for_nobody_known_is_not_accused() {
    let pipe = "k:anon_pipe_read < k:__x64_sys_read < read < take < main";
    for (stack, ended_by) in [
        (pipe, "worker"),
        (pipe, "!"),
        (RECEIVES, "worker"),
        (RECEIVES, "!@card"),
    ] {
        let mut trace = Literal::new(1000);
        let (app, client) = process(&mut trace, "app", 100, None, (0, 1000));
        let worker = trace.thread(app, "worker");
        let (_, desk) = process(&mut trace, "desk", 200, None, (0, 1000));
        trace.stack("recv", RECEIVES);
        trace.stack("listen", LISTENS);
        trace.stack("card", "k:tcp_v4_rcv < k:virtnet_poll < k:net_rx_action");
        trace.stack("work", stack);
        trace.play(client, &"R100 W400:recv<desk ".repeat(2));
        trace.play(worker, "R1000");
        let does = format!("W100:listen<app R20 W360:work<{ended_by} R20 ");
        trace.play(desk, &does.repeat(2));
        assert_eq!(below(&trace), [], "{stack} {ended_by}");
    }
}

#[test]
fn threads_that_wait_at_once_make_nobody_more_important() {
    let mut trace = Literal::new(1000);
    let (_, client) = process(&mut trace, "app", 100, None, (0, 1000));
    let (desk, main) = process(&mut trace, "desk", 200, None, (0, 1000));
    let second = trace.thread(desk, "second");
    let (office, clerk) = process(&mut trace, "office", 300, None, (0, 1000));
    trace.stack("recv", RECEIVES);
    trace.stack("listen", LISTENS);
    trace.play(client, "R100 W800:recv<desk R100");
    trace.play(main, "W100:listen<app R20 W50:recv<office R730");
    trace.play(second, "R120 W50:recv<office R730");
    trace.play(clerk, "R1000");
    let trace = trace.raw("t");
    let target = Target {
        os_pid: Some(100),
        ..Target::default()
    };
    let facts = Facts::read(&trace).expect("facts");
    let command = Command::find(&facts, &target, None).expect("a command");
    let stacks = Stacks::read(&trace).expect("stacks");
    let code = Code::read(&trace, &facts, &command, &stacks).expect("code");
    let story = Story::read(&trace, &facts, &command, &code, &Names::of(&trace)).expect("a story");
    let followed = waits_for_strangers(&story).collect();
    let found = Strangers::find(&trace, &facts, &story, &followed).expect("peers");
    let found = found.expect("peers").command;
    assert!(found.has_process(desk) && !found.has_process(office));
}

#[test]
fn each_peer_was_without_a_cpu_for_its_own_time() {
    let mut trace = Literal::new(1000);
    let (_, client) = process(&mut trace, "app", 100, None, (0, 1000));
    let (_, one) = process(&mut trace, "one", 200, None, (0, 1000));
    let (_, two) = process(&mut trace, "two", 300, None, (0, 1000));
    trace.stack("recv", RECEIVES);
    trace.stack("again", &RECEIVES.replace("ask", "ask_again"));
    trace.stack("listen", LISTENS);
    trace.stack("loop", "step < main");
    trace.play(client, "R100 W220:recv<one R100 W220:again<two R360");
    trace.play(one, "W100:listen<app R10 P200:loop R10");
    trace.play(two, "W420:listen<app R10 P200:loop R10");
    trace.ready_was(one, [200, 0, 0]);
    trace.ready_was(two, [200, 0, 0]);
    let without = |name: &str| {
        format!("Meanwhile {name} was ready to run, but others used the CPUs: 20 % of the time")
    };
    let answer = explain_pid(&trace, 100);
    says(&answer, &[&without("one(200)"), &without("two(300)")]);
}

#[test]
fn a_lock_that_a_server_waited_for_is_told_below_the_wait_for_the_server() {
    let mut trace = Literal::new(1000);
    let (_, client) = process(&mut trace, "app", 100, None, (0, 1000));
    let (_, desk) = process(&mut trace, "desk", 200, None, (0, 1000));
    let (_, indexer) = process(&mut trace, "indexer", 300, None, (0, 1000));
    trace.stack("recv", RECEIVES);
    trace.stack("listen", LISTENS);
    trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
    trace.stack(
        "flock",
        "k:flock_lock_inode_wait < k:__x64_sys_flock < flock < look_up < main",
    );
    trace.stack("nap", "k:do_nanosleep < k:hrtimer_nanosleep < nap < main");
    trace.play(client, &"R50 W450:recv<desk ".repeat(2));
    trace.play(desk, &"W50:listen<app R5 W440:flock<indexer R5 ".repeat(2));
    trace.play(indexer, &"W490:nap<!@timer R10 ".repeat(2));
    says(
        &explain_pid(&trace, 100),
        &[
            "1 It waited for replies from desk(200): 90 % of the time",
            "  below: Meanwhile desk(200) itself waited for a lock on a file (flock, fcntl) that indexer(300) held: 88 % of the time",
            "  below: Meanwhile indexer(300) slept: 87 % of the time",
        ],
    );
}

#[test]
fn a_thread_that_waits_all_the_time_serves_nobody() {
    let lock = "k:futex_wait < k:do_futex < pthread_cond_timedwait < lock_wait < update < main";
    let mut trace = client_and_server(lock, "R20 W360:work<!@timer R20");
    let desk = ProcessId::from_index(1).expect("few");
    let aio = trace.thread(desk, "aio");
    trace.stack(
        "aio",
        "k:io_cqring_wait < k:__x64_sys_io_uring_enter < io_uring_wait_cqe < main",
    );
    trace.play(aio, "W1000:aio");
    let answer = explain_pid(&trace, 100);
    assert!(!answer.contains("io_uring"), "{answer}");
    says(
        &answer,
        &["Meanwhile desk(200) waited for another thread", "lock_wait"],
    );
}

/// A client waits for a broker, whose timers go off every 50 ms or so, and which passes on what a worker sends.
fn broker(ticks: &str) -> Vec<(String, i64)> {
    let mut trace = Literal::new(1000);
    let (_, client) = process(&mut trace, "app", 100, None, (0, 1000));
    let (_, broker) = process(&mut trace, "broker", 200, None, (0, 1000));
    let (_, worker) = process(&mut trace, "worker", 300, None, (0, 1000));
    trace.stack("recv", RECEIVES);
    trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
    trace.stack(
        "loop",
        "k:ep_poll < k:do_epoll_wait < epoll_wait < aeProcessEvents < aeMain < main",
    );
    trace.play(client, "R100 W801:recv<broker R99");
    trace.play(broker, &format!("W100:loop<app {ticks} R1 W99:loop<app"));
    trace.play(worker, "R1000");
    below(&trace)
}

#[test]
fn a_broker_waits_for_who_sends_what_it_passes_on_whatever_its_timers_do() {
    let regular = format!("{}W200:loop<worker", "W50:loop<!@timer ".repeat(12));
    assert_eq!(
        broker(&regular),
        [("slow-peer".to_owned(), 80), ("cpu".to_owned(), 80)]
    );
    // Timers for one purpose each, such as to answer later, are waited for themselves.
    let own = "W10:loop<!@timer W200:loop<!@timer W50:loop<!@timer W90:loop<!@timer W20:loop<!@timer W130:loop<!@timer W100:loop<!@timer W200:loop<worker";
    let found = broker(own);
    assert!(!found.contains(&("slow-peer".to_owned(), 80)), "{found:?}");
}
