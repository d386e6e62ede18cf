//! What is said about the things that were waited for.

use whyslow_model::tables::{FileCallRow, FileRow, WaitObjectRow};
use whyslow_model::{FileId, FileOperation, Named, Table, TableRow};

use super::*;

pub(super) fn object(kind: &str, name: &str, peer_pid: Option<i32>) -> Vec<Table> {
    vec![Table::from_rows([row(kind, name, peer_pid)])]
}

pub(super) fn row(kind: &str, name: &str, peer_pid: Option<i32>) -> WaitObjectRow {
    WaitObjectRow {
        id: 0,
        kind: kind.to_owned(),
        name: name.to_owned(),
        local: None,
        peer_pid,
        owner_tid: None,
        file_system: None,
        inode: None,
        device: None,
        others: None,
    }
}

#[test]
fn who_is_asked_whether_a_file_may_be_used_is_named() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    process(&mut trace, "guard", 200, None, (0, 1000));
    trace.stack(
        "open",
        "k:fanotify_handle_event < k:fsnotify < k:do_dentry_open < k:do_sys_openat2 < open < load < main",
    );
    trace.play(main, "R50 W900:open R50");
    trace.waited_for(main, Some(0), None);
    trace.tables = object("file", "/srv/plugin.so", Some(200));
    let answer = explain_pid(&trace, 100);
    says(
        &answer,
        &[
            "waited for a scanner to allow it to use a file",
            "/srv/plugin.so",
            "guard (pid 200) decides whether it may use the file.",
        ],
    );
    assert!(!answer.contains("held the lock"), "{answer}");
}

#[test]
fn a_ring_is_for_what_most_of_its_known_requests_are_about() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack(
        "ring",
        "k:io_cqring_wait < k:__do_sys_io_uring_enter < syscall < fetch < main",
    );
    trace.play(main, &"R10 W90:ring ".repeat(10));
    trace.tables = object("tcp", "10.1.2.3:5432", None);
    let named = |trace: &Literal| {
        let all = findings(trace, 100);
        all.iter().find_map(|one| one.fact("object").cloned())
    };
    // Only the last wait says what it was for.
    trace.states.last_mut().expect("one").object = Some(0);
    assert_eq!(named(&trace), None);
    // Half of the time is enough.
    let runs_and_waits = trace.states.iter_mut().rev();
    runs_and_waits
        .take(10)
        .for_each(|state| state.object = Some(0));
    assert_eq!(named(&trace), Some(Value::Text("10.1.2.3:5432".to_owned())));
}

#[test]
fn what_else_was_watched_did_not_reply() {
    let mut trace = waits::pair("app");
    let main = ThreadId::from_index(0).expect("few");
    trace.waited_for(main, Some(0), None);
    let connection = WaitObjectRow {
        others: Some(1),
        ..row("tcp", "127.0.0.1:8099", None)
    };
    trace.tables = vec![Table::from_rows([connection])];
    let answer = explain_pid(&trace, 100);
    says(
        &answer,
        &["waited for replies from other(200)", "127.0.0.1:8099"],
    );
    assert!(!answer.contains("1 more"), "{answer}");
}

#[test]
fn several_connections_with_one_peer_are_one_thing() {
    let answer = |name: &str| {
        let mut trace = waits::pair("app");
        let main = ThreadId::from_index(0).expect("few");
        trace.waited_for(main, Some(0), None);
        let watched = WaitObjectRow {
            others: Some(17),
            ..row("epoll", name, None)
        };
        trace.tables = vec![Table::from_rows([watched])];
        let all = findings(&trace, 100);
        let object = all.first().and_then(|one| one.fact("object").cloned());
        object.and_then(|value| match value {
            Value::Path { full, .. } => Some(full),
            _ => None,
        })
    };
    let sockets = "a Unix socket, /srv/store.sock, /srv/store.sock, /srv/store.sock";
    assert_eq!(answer(sockets).as_deref(), Some("/srv/store.sock"));
    // One of many may have been anything.
    assert_eq!(answer("a Unix socket, /srv/store.sock"), None);
    let mixed = "/srv/store.sock, /srv/store.sock, 127.0.0.1:5432";
    assert_eq!(answer(mixed), None);
}

/// A program that waits four times for 200 ms on a stack, each for at most so long.
fn waits(stack: &str, objects: Vec<Table>, timeout_ms: Option<i64>) -> Literal {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    process(&mut trace, "cargo", 8579, None, (0, 1000));
    trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
    trace.stack("wait", stack);
    trace.play(main, &"R50 W200:wait<!@timer ".repeat(4));
    trace.waited_for(main, Some(0), timeout_ms);
    trace.tables = objects;
    trace
}

const POLL: &str = "k:do_poll < k:do_sys_poll < poll < await_reply < main";

#[test]
fn a_wait_that_times_out_names_the_other_end_and_what_was_asked_for() {
    let trace = waits(POLL, object("tcp", "10.1.2.3:5432", None), Some(200));
    says(
        &explain_pid(&trace, 100),
        &[
            "until it timed out: 80 % of the time",
            "10.1.2.3:5432",
            "It asked to wait for 200 ms at most, 4 times.",
        ],
    );
}

#[test]
fn a_wait_for_a_stream_that_goes_on_after_a_look_is_one_wait() {
    let causes = |kind: &str, look: &str| {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
        let (_, other) = process(&mut trace, "other", 200, None, (0, 1000));
        trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
        trace.stack("loopback", "k:tcp_v4_rcv < k:do_softirq < k:tcp_sendmsg");
        trace.stack("wait", POLL);
        let turn = format!(
            "R10 W100:wait<!@timer {look} W100:wait<!@timer {look} W90:wait<%other@loopback "
        );
        trace.play(main, &turn.repeat(3));
        trace.play(other, "R1000");
        trace.waited_for(main, Some(0), Some(100));
        trace.tables = object(kind, "127.0.0.1:8099", None);
        let found = findings(&trace, 100);
        let waits = found.iter().filter(|one| one.cause != "cpu");
        waits.map(|one| one.cause.clone()).collect::<Vec<_>>()
    };
    assert_eq!(causes("tcp", "R1"), ["slow-peer"]);
    // Datagrams may be lost, and asked for again; and who does something in between may have asked again.
    assert!(causes("udp", "R1").contains(&"timeout".to_owned()));
    assert!(causes("tcp", "R15").contains(&"timeout".to_owned()));
}

#[test]
fn several_ports_of_one_machine_are_that_machine() {
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack("timer", "k:hrtimer_wakeup < k:hrtimer_interrupt");
    trace.stack("wait", POLL);
    trace.play(
        main,
        "R50 W300:wait<!@timer R10 W300:wait<!@timer R10 W300:wait<!@timer",
    );
    for (at, interval) in trace
        .states
        .iter_mut()
        .filter(|row| row.stack.is_some())
        .enumerate()
    {
        interval.object = i32::try_from(at).ok();
    }
    let ports = [4730, 4731, 4732].map(|port| row("udp", &format!("127.0.0.1:{port}"), None));
    trace.tables = vec![Table::from_rows(ports)];
    says(
        &explain_pid(&trace, 100),
        &["until it timed out", "127.0.0.1 (3 ports)"],
    );
}

#[test]
fn the_port_of_a_name_server_makes_it_a_question_to_one() {
    let trace = waits(POLL, object("udp", "127.0.0.1:53", None), Some(200));
    says(
        &explain_pid(&trace, 100),
        &["It waited for a name server (DNS)", "127.0.0.1:53"],
    );
    assert_eq!(findings(&trace, 100)[0].cause, "dns");
    let trace = waits(POLL, object("udp", "127.0.0.1:5353", None), Some(200));
    assert_eq!(findings(&trace, 100)[0].cause, "timeout");
}

#[test]
fn a_lock_on_a_file_names_the_file_and_who_held_it() {
    let flock = "k:flock_lock_inode_wait < k:__x64_sys_flock < flock < acquire < main";
    let trace = waits(flock, object("file", "/t/.cargo-lock", Some(8579)), None);
    says(
        &explain_pid(&trace, 100),
        &[
            "/t/.cargo-lock",
            "cargo (pid 8579) held the lock when the wait began.",
        ],
    );
    // Who ended the wait is named already.
    let mut trace = Literal::new(1000);
    let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
    let (_, cargo) = process(&mut trace, "cargo", 8579, None, (0, 1000));
    trace.stack("wait", flock);
    trace.play(main, "R50 W900:wait<cargo R50");
    trace.play(cargo, "W950 R50");
    trace.waited_for(main, Some(0), None);
    trace.tables = object("file", "/t/.cargo-lock", Some(8579));
    let answer = explain_pid(&trace, 100);
    says(
        &answer,
        &["The same process held the lock when the wait began."],
    );
    assert!(!answer.contains("cargo (pid 8579)"), "{answer}");
    // Somebody of whom nothing is known.
    let trace = waits(flock, object("file", "/t/.cargo-lock", Some(7)), None);
    assert!(!explain_pid(&trace, 100).contains("held the lock"));
}

#[test]
fn a_sleep_says_what_was_asked_for() {
    let sleep = "k:do_nanosleep < k:hrtimer_nanosleep < clock_nanosleep < main";
    let trace = waits(sleep, Vec::new(), Some(100));
    says(
        &explain_pid(&trace, 100),
        &["It asked to sleep for 100 ms, 4 times."],
    );
}

#[test]
fn the_address_of_a_futex_is_not_shown() {
    let mutex = "k:futex_wait < k:do_futex < __lll_lock_wait < main";
    let trace = waits(mutex, object("futex", "0x7f00", None), None);
    assert!(!explain_pid(&trace, 100).contains("0x7f00"));
}

#[test]
fn who_waits_at_a_terminal_waits_for_its_user() {
    let trace = waits(POLL, object("terminal", "/dev/pts/3", None), None);
    assert_eq!(findings(&trace, 100)[0].cause, "idle");
    let trace = waits(POLL, object("pipe", "pipe:[3]", None), None);
    assert_ne!(findings(&trace, 100)[0].cause, "idle");
}

#[test]
fn a_time_out_beside_what_other_threads_may_wake_it_with_is_a_sleep() {
    const OF_RUNTIME: &str =
        "k:do_poll < k:do_sys_poll < libc.so.6!ppoll < ruby!native_sleep < main";
    let cause = |name: &str| {
        let trace = waits(OF_RUNTIME, object("event", name, None), Some(200));
        findings(&trace, 100)[0].cause.clone()
    };
    assert_eq!(cause("[eventfd]"), "sleep");
    assert_eq!(cause("inotify"), "idle");
}

#[test]
fn who_watches_files_among_other_things_is_idle() {
    let cause = |names: &str| {
        let trace = waits(POLL, object("epoll", names, None), None);
        findings(&trace, 100)[0].cause.clone()
    };
    assert_eq!(cause("[signalfd], [timerfd], inotify"), "idle");
    assert_eq!(cause("[signalfd], inotify and 3 more"), "idle");
    assert_ne!(cause("[signalfd], pipe:[3]"), "idle");
}

#[test]
fn what_the_kernel_made_for_the_wait_is_not_shown() {
    let trace = waits(POLL, object("event", "[eventpoll]", None), None);
    assert!(!explain_pid(&trace, 100).contains("eventpoll"));
}

#[test]
fn what_an_epoll_watches_is_shown_if_it_is_one_thing() {
    const EPOLL: &str = "k:ep_poll < k:do_epoll_wait < epoll_wait < turn < main";
    let says = |name: &str| {
        let trace = waits(EPOLL, object("epoll", name, None), Some(200));
        explain_pid(&trace, 100)
    };
    assert!(says("10.1.2.3:5432, [eventfd]").contains("10.1.2.3:5432"));
    assert!(says("a Unix socket, 10.1.2.3:5432").contains("10.1.2.3:5432"));
    let several = says("10.1.2.3:5432, 10.1.2.4:5432");
    assert!(!several.contains("10.1.2.3"), "{several}");
    assert!(!says("[eventfd]").contains("eventfd"));
}

fn mount(text: &str) -> whyslow_model::tables::FactRow {
    whyslow_model::tables::FactRow {
        subject: "recorder".to_owned(),
        key: "file_system".to_owned(),
        value: text.to_owned(),
    }
}

#[test]
fn a_slow_file_system_says_whose_it_is() {
    let stack = "k:request_wait_answer < k:fuse_lookup < k:path_openat < openat < load < main";
    let told = |mounts: &[&str]| {
        let mut tables = object("name", "/mnt/photos/1.jpg", None);
        tables.push(Table::from_rows(mounts.iter().map(|text| mount(text))));
        explain_pid(&waits(stack, tables, None), 100)
    };
    let root = "1 ext4 /dev/vda / - rw";
    let served = "46 fuse.photofs photos /mnt/photos 8579 rw";
    says(
        &told(&[root, served]),
        &["The files are on photos, served by cargo (pid 8579)."],
    );
    // It is not known to be on another one.
    assert!(!told(&[root]).contains("The files are on"));
    assert!(
        !told(&[root, "46 fuse.photofs photos /mnt/other 8579 rw"]).contains("The files are on")
    );
    // A share that no program serves is not what it waited for.
    let share = "47 nfs4 box:/photos /mnt/photos - rw";
    assert!(!told(&[root, share]).contains("The files are on"));
}

#[test]
fn a_file_is_on_its_device_whatever_is_mounted_at_its_path() {
    let stack = "k:request_wait_answer < k:fuse_direct_io < k:vfs_read < read < load < main";
    let told = |device: Option<i32>| {
        // Another namespace of mounts has other things there.
        let file = WaitObjectRow {
            device,
            ..row("file", "/data/1.jpg", None)
        };
        let mounts = [
            "1 ext4 /dev/vda / - rw",
            "45 fuse.other other /data - rw",
            "46 fuse.photofs photos /mnt/photos 8579 rw",
        ];
        let mounts = mounts.iter().map(|text| mount(text));
        let tables = vec![Table::from_rows([file]), Table::from_rows(mounts)];
        explain_pid(&waits(stack, tables, None), 100)
    };
    says(
        &told(Some(46)),
        &["The files are on photos, served by cargo (pid 8579)."],
    );
    // Nothing is said of an unknown device.
    assert!(!told(Some(47)).contains("The files are on"));
    says(&told(None), &["The files are on other"]);
}

#[test]
fn pages_of_a_served_file_come_from_who_serves_it() {
    let stack = "k:folio_wait_bit_common < k:filemap_read < k:ksys_read < read < load < main";
    let told = |device: i32| {
        let file = WaitObjectRow {
            device: Some(device),
            ..row("file", "/mnt/photos/1.jpg", None)
        };
        let mounts = [
            "1 ext4 /dev/vda / - rw",
            "46 fuse.photofs photos /mnt/photos 8579 rw",
            "47 nfs4 box:/photos /mnt/share - rw,vers=4.2",
        ];
        let mounts = mounts.iter().map(|text| mount(text));
        let tables = vec![Table::from_rows([file]), Table::from_rows(mounts)];
        explain_pid(&waits(stack, tables, None), 100)
    };
    let served = told(46);
    says(
        &served,
        &[
            "(FUSE)",
            "The files are on photos, served by cargo (pid 8579).",
        ],
    );
    assert!(!served.contains("waited for the disk"), "{served}");
    says(
        &told(47),
        &["network file system", "The files are on box:/photos"],
    );
    says(&told(1), &["waited for the disk"]);
}

#[test]
fn without_a_path_it_is_the_only_file_system_of_its_kind() {
    let told = |stack: &str, mounts: &[&str]| {
        let mounts = mounts.iter().map(|text| mount(text));
        explain_pid(&waits(stack, vec![Table::from_rows(mounts)], None), 100)
    };
    let of_program = "k:request_wait_answer < k:fuse_lookup < k:path_openat < openat < load < main";
    let of_server =
        "k:rpc_wait_bit_killable < k:nfs4_proc_getattr < k:vfs_statx < stat < load < main";
    let share = "47 nfs4 box:/photos /mnt/photos - rw,vers=4.2";
    let served = "46 fuse.photofs photos /mnt/served 8579 rw";
    let of_share = "The files are on box:/photos (NFS 4.2).";
    let of_served = "The files are on photos, served by cargo (pid 8579).";
    says(&told(of_server, &[share]), &[of_share]);
    says(&told(of_program, &[served]), &[of_served]);
    says(&told(of_server, &[share, served]), &[of_share]);
    says(&told(of_program, &[share, served]), &[of_served]);
    assert!(!told(of_program, &[share]).contains("The files are on"));
    assert!(!told(of_server, &[served]).contains("The files are on"));
}

/// Returns what a program waited for in `pwrite64`, whose calls wrote for so long to two files.
fn written(times_ms: [i64; 2]) -> Option<Value> {
    let mut trace = Literal::new(1000);
    let (app, main) = process(&mut trace, "app", 100, None, (0, 1000));
    trace.stack(
        "write",
        "k:io_schedule < k:__iomap_dio_rw < k:__x64_sys_pwrite64 < pwrite < record < main",
    );
    trace.stack("disk", "k:blk_mq_end_request < k:handle_irq");
    trace.play(main, &"R50 W200:write<!@disk ".repeat(4));
    let ids: Vec<_> = (0..2).filter_map(FileId::from_index).collect();
    let names = ids.iter().zip(["/t/film.raw", "/t/notes"]);
    let files = names.map(|(&id, path)| FileRow {
        id,
        path: path.to_owned(),
        kind: Some("file".to_owned()),
        ..FileRow::unknown()
    });
    let calls = ids.iter().zip(times_ms).map(|(&id, ms)| FileCallRow {
        process: Some(app),
        thread: Some(main),
        duration_ns: 1000 * MS,
        file: Some(id),
        operation: FileOperation::Write.code(),
        count: 4,
        bytes: Some(4 * 4096),
        time_ns: Some(ms * MS),
        longest_ns: Some(ms * MS / 4),
        timed_count: 4,
        ..FileCallRow::unknown()
    });
    trace.tables.push(Table::from_rows(files));
    trace.tables.push(Table::from_rows(calls));
    let all = findings(&trace, 100);
    let disk = all.iter().find(|one| one.cause == "disk");
    disk.expect("a finding").fact("object").cloned()
}

#[test]
fn a_wait_for_the_disk_names_the_file_whose_calls_took_the_time() {
    let name = |times_ms| match written(times_ms) {
        Some(Value::Path { full, .. } | Value::Text(full)) => Some(full),
        _ => None,
    };
    assert_eq!(name([790, 10]).as_deref(), Some("/t/film.raw"));
    // The calls took too little time to be what waited.
    assert_eq!(name([90, 10]), None);
    // Not one file, but the folder of both.
    assert_eq!(name([400, 400]).as_deref(), Some("/t/"));
}

#[test]
fn a_semaphore_of_system_v_is_held_by_who_ends_the_wait_and_a_message_is_work() {
    let cause = |kind: &str, calls: i64| {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
        let (_, press) = process(&mut trace, "press", 200, None, (0, 1000));
        trace.stack(
            "wait",
            "k:__do_semtimedop < k:do_syscall_64 < semop < take_press < main",
        );
        trace.play(main, &"R5 W45:wait<press ".repeat(20));
        trace.play(press, "R1000");
        trace.waited_for(main, Some(0), None);
        trace.tables = object(kind, "semaphores 3", None);
        const SEMOP: i32 = 65;
        trace.calls(main, (SEMOP, 0), calls, None, 900);
        findings(&trace, 100)[0].cause.clone()
    };
    assert_eq!(cause("semaphore", 40), "semaphore");
    assert_ne!(cause("queue", 40), "semaphore");
    // Who never gives it back takes what others make.
    assert_ne!(cause("semaphore", 20), "semaphore");
}

#[test]
fn who_only_receives_messages_waits_for_work() {
    let cause = |sends: i64| {
        let mut trace = Literal::new(1000);
        let (_, main) = process(&mut trace, "app", 100, None, (0, 1000));
        let (_, desk) = process(&mut trace, "desk", 200, None, (0, 1000));
        let wait =
            "k:wq_sleep < k:do_mq_timedreceive < k:__x64_sys_mq_timedreceive < mq_receive < main";
        trace.stack("wait", wait);
        trace.play(main, &"R5 W45:wait<desk ".repeat(20));
        trace.play(desk, "R1000");
        const MQ_TIMEDSEND: i32 = 242;
        trace.calls(main, (MQ_TIMEDSEND, 0), sends, None, 1);
        findings(&trace, 100)[0].cause.clone()
    };
    assert_eq!(cause(0), "idle");
    // Who also sends waits for replies.
    assert_eq!(cause(20), "slow-peer");
}
