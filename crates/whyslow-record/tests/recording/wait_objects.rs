//! Every long wait comes with what it was for.

use std::ffi::OsStr;
use std::net::Ipv4Addr;

use whyslow_perfdata::whyslow_events::{WaitObject, WaitObjectKind as Kind};
use whyslow_record::Settings;
use whyslow_testenv::{Feature, has};

use crate::recording::Recording;
use crate::{Scratch, program, recorded_whole};

/// The system calls that the program is known to wait in: `read`, `poll`, `select`, `nanosleep`, `connect`,
/// `recvfrom`, `wait4`, `fcntl`, `flock`, `rt_sigtimedwait`, `futex`, `clock_nanosleep`, `epoll_wait`, `waitid`,
/// `pselect6`, `recvmmsg`, `io_uring_enter`.
const CALLS: [u32; 17] = [
    0, 7, 23, 35, 42, 45, 61, 72, 73, 128, 202, 230, 232, 247, 270, 299, RING,
];
const RING: u32 = 426;
const OPENAT: u32 = 257;

#[test]
fn waits_are_for_what_the_program_waits_for() {
    let Some(program) = program().filter(|_| has(Feature::Bpf)) else {
        return;
    };
    let program = program.with_file_name("known_waits");
    let scratch = Scratch::new();
    let output = scratch.path("waits.data");
    let command = [program.as_os_str(), scratch.0.as_os_str()];
    let Some(_) = recorded_whole(&Settings::new(&output), &command) else {
        return;
    };
    let recording = Recording::read(&output);
    let pid: u32 = recording.info("command_pid").unwrap().parse().unwrap();
    let own = recording.wait_objects.iter().filter(|(_, tid)| *tid == pid);
    let told: Vec<String> = own.filter_map(|(object, _)| line(object)).collect();
    let expected = std::fs::read_to_string(scratch.path("waits")).unwrap();
    // A busy machine makes it wait for more, as for its own threads to end.
    let mut rest = told.iter();
    // Older kernels do not say which requests of io_uring are complete.
    let knows_rings = whyslow_proc::release::is_since((6, 16));
    let expected = expected.lines();
    for wanted in expected.filter(|line| knows_rings || !line.starts_with("ring")) {
        assert!(rest.any(|line| line == wanted), "{wanted} not in {told:#?}");
    }
}

#[test]
fn a_wait_that_goes_on_in_the_end_is_for_something_too() {
    if !has(Feature::Bpf) {
        return;
    }
    let scratch = Scratch::new();
    let output = scratch.path("open.data");
    let script = "sleep 300 | cat >/dev/null 2>&1 & sleep 0.3";
    let command = ["sh", "-c", script].map(OsStr::new);
    let Some(_) = recorded_whole(&Settings::new(&output), &command) else {
        return;
    };
    let recording = Recording::read(&output);
    let name = |pid: u32| std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
    let open = recording.wait_objects.iter();
    let open: Vec<_> = open
        .filter(|(object, _)| object.flags & WaitObject::OPEN != 0)
        .collect();
    let cats: Vec<_> = open
        .iter()
        .filter(|(_, tid)| name(*tid) == "cat\n")
        .collect();
    let piped = cats
        .iter()
        .find(|(object, _)| name(object.peer_pid) == "sleep\n");
    let found = piped.map(|(object, _)| (object.kind, object.system_call, object.peer_pid));
    let Some((kind, call, writer)) = found else {
        panic!("no cat that reads from sleep: {cats:?}");
    };
    // The reader ends with it.
    let killed = std::process::Command::new("kill")
        .arg(writer.to_string())
        .status();
    assert!(killed.unwrap().success());
    assert_eq!((kind, call), (Kind::File, 0));
}

#[test]
fn children_of_a_container_have_no_numbers_of_the_machine() {
    if !has(Feature::Bpf) {
        return;
    }
    let scratch = Scratch::new();
    let output = scratch.path("children.data");
    // The outer one waits for the shell, the shell, which counts processes from 1, for what it starts.
    let command = ["unshare", "-fp", "sh", "-c", "sleep 0.2; sleep 0.2"].map(OsStr::new);
    let Some(_) = recorded_whole(&Settings::new(&output), &command) else {
        return;
    };
    let recording = Recording::read(&output);
    let pid: u32 = recording.info("command_pid").unwrap().parse().unwrap();
    let waits = recording.wait_objects.iter();
    let waits = waits.filter(|(object, _)| object.kind == Kind::Child);
    let numbers = |is_of: &dyn Fn(u32) -> bool| {
        let of = waits.clone().filter(|(_, tid)| is_of(*tid));
        of.map(|(object, _)| object.number).collect::<Vec<_>>()
    };
    let outer = numbers(&|tid| tid == pid);
    let [shell] = outer[..] else {
        panic!("one child: {outer:?}");
    };
    assert!(shell > u64::from(pid), "the shell is {shell}");
    let inner = numbers(&|tid| u64::from(tid) == shell);
    assert_eq!(inner, [0, 0]);
}

/// What a wait was for, as the program tells it; `None` where it is none of those.
fn line(object: &WaitObject) -> Option<String> {
    let text = String::from_utf8_lossy(&object.text);
    let text = text.trim_end_matches('\0');
    let [a, b, c, d, ..] = object.remote;
    let remote = format!("{}:{}", Ipv4Addr::new(a, b, c, d), object.remote_port);
    if object.kind == Kind::Tracer {
        return Some(format!("tracer {}", object.peer_pid));
    }
    // What a program opens is no known wait, unless it had to be allowed.
    let is_asked = object.system_call == OPENAT && object.peer_pid != 0;
    if !CALLS.contains(&object.system_call) && !is_asked {
        return None;
    }
    Some(match (object.kind, object.system_call) {
        (Kind::Unknown, _) => "unknown".to_owned(),
        (Kind::Futex, _) if object.peer_pid == 0 => return None,
        (Kind::Futex, _) => format!("owner {}", object.peer_pid),
        (Kind::Signal, _) => format!("signal {} {}", object.number, object.peer_pid),
        (Kind::File, OPENAT) => format!("allowed {text} {}", object.peer_pid),
        (Kind::File, RING) => format!("ring pipe {}", object.number),
        (Kind::Poll, RING) => {
            let pipes = object.watched.iter().map(|pipe| pipe.number);
            let number = pipes.min()?;
            match object.others {
                0 => format!("ring of pipes {number}"),
                others => format!("ring of pipes {number} and {others}"),
            }
        }
        (Kind::Epoll | Kind::Poll, _) => {
            let watched: Vec<String> = object.watched.iter().map(watched).collect();
            let kind = if object.kind == Kind::Poll {
                "poll"
            } else {
                "epoll"
            };
            format!("{kind} {}: {}", object.number, watched.join(", "))
        }
        (Kind::Socket, 42) => format!("connect {text}"),
        (Kind::Socket, _) if object.protocol == 17 => format!("udp {remote}"),
        (Kind::Socket, 7) => format!("poll {remote} {}", object.asked_ns?),
        (Kind::Socket, _) if object.family == 1 => format!("unix {text} {}", object.peer_pid),
        (Kind::Socket, _) => format!("tcp {remote}"),
        (Kind::Nothing, _) => format!("nothing {}", object.asked_ns?),
        (Kind::File, 23 | 270) => format!("select {} {}", object.number, object.others),
        (Kind::File, 72 | 73) => format!("lock {text} {}", object.peer_pid),
        (Kind::File, _) => format!("pipe {}", object.number),
        (Kind::Child, _) => format!("child {}", object.number),
        (Kind::Time, _) => format!("time {}", object.asked_ns?),
        _ => return None,
    })
}

/// What an epoll watches, as the program tells it.
fn watched(object: &WaitObject) -> String {
    let [a, b, c, d, ..] = object.local;
    let text = String::from_utf8_lossy(&object.text);
    match object.kind {
        Kind::Socket if object.flags & WaitObject::LISTENING != 0 => {
            format!(
                "{}:{} listening",
                Ipv4Addr::new(a, b, c, d),
                object.local_port
            )
        }
        Kind::File if text.is_empty() => format!("pipe {}", object.number),
        Kind::File => text.into_owned(),
        _ => "unknown".to_owned(),
    }
}
