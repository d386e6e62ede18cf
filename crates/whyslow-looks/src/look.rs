//! One look: which thread of a command matters now, and what it does.

use std::fs;

use whyslow_proc::calls;
use whyslow_proc::processes::{thread_stat, threads, wait_channel};

/// How many processes a look goes through, from parent to child.
const DEEPEST: usize = 16;

/// Threads of one process that are looked at.
const MOST_THREADS: usize = 64;

/// Children of one process that are looked at.
const MOST_CHILDREN: usize = 64;

/// Longest name of an object that is kept, in bytes.
const MOST_OBJECT_BYTES: usize = 512;

/// What the thread that matters was doing.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seen {
    /// The letter of its state: `R`, `S`, `D`, `T`.
    pub state: char,
    /// The number of the system call that it was in, if it was in one.
    pub call: Option<u64>,
    /// The kernel function in which it slept; empty if hidden.
    pub channel: String,
    /// The name of its process.
    pub process: String,
    /// The file or connection that the call is about; empty if none is known.
    pub object: String,
}

/// Looks at a command whose first process is `pid`; `None` if it is gone.
#[must_use]
pub fn look(pid: u32) -> Option<Seen> {
    let mut pid = pid;
    for _ in 0..DEEPEST {
        let (tid, seen) = of_process(pid)?;
        let next = match kind(&seen) {
            Kind::ForChild => child(pid, tid),
            _ => None,
        };
        match next {
            Some(child) => pid = child,
            None => {
                return Some(Seen {
                    object: object(pid, tid, &seen),
                    ..seen
                });
            }
        }
    }
    None
}

/// What a thread does, as far as it decides which one matters. The order is that in which it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// Runs, or could.
    Runs,
    /// Waits for a thing, such as a disk.
    ForThing,
    /// Waits for a child to end.
    ForChild,
    /// Sleeps.
    Sleeps,
    /// Waits for another thread, or for one of several events.
    ForOthers,
}

/// Kernel functions that wait for a child, for other threads or events, and for a time.
const FOR_CHILD: [&str; 3] = ["do_wait", "do_wait_", "kernel_wait4"];
const FOR_OTHERS: [&str; 7] = [
    "futex_",
    "ep_poll",
    "do_epoll",
    "poll_schedule",
    "do_poll",
    "do_sys_poll",
    "do_select",
];
const SLEEPS: [&str; 2] = ["hrtimer_nanosleep", "do_nanosleep"];

/// Numbers of the calls that do so on x86-64, where the kernel hides its functions.
const CALLS_FOR_CHILD: [u64; 2] = [61, 247];
const CALLS_FOR_OTHERS: [u64; 8] = [7, 23, 202, 232, 270, 271, 281, 441];
const CALLS_THAT_SLEEP: [u64; 2] = [35, 230];

fn kind(seen: &Seen) -> Kind {
    let is_in = |functions: &[&str], calls: &[u64]| {
        let in_function = functions.iter().any(|name| seen.channel.starts_with(name));
        let is_known = !seen.channel.is_empty();
        let in_call =
            cfg!(target_arch = "x86_64") && seen.call.is_some_and(|call| calls.contains(&call));
        in_function || !is_known && in_call
    };
    match seen.state {
        'R' => Kind::Runs,
        _ if is_in(&FOR_CHILD, &CALLS_FOR_CHILD) => Kind::ForChild,
        _ if is_in(&FOR_OTHERS, &CALLS_FOR_OTHERS) => Kind::ForOthers,
        _ if is_in(&SLEEPS, &CALLS_THAT_SLEEP) => Kind::Sleeps,
        _ => Kind::ForThing,
    }
}

/// Returns the thread of a process that matters, and what it does: the first one, or if that waits for others, the
/// one that is busiest.
fn of_process(pid: u32) -> Option<(u32, Seen)> {
    let first = of_thread(pid, pid)?;
    if kind(&first) != Kind::ForOthers {
        return Some((pid, first));
    }
    let others = threads(pid)
        .into_iter()
        .filter(|&tid| tid != pid)
        .take(MOST_THREADS);
    let others = others.filter_map(|tid| Some((tid, of_thread(pid, tid)?)));
    let all = std::iter::once((pid, first)).chain(others);
    all.min_by_key(|(_, seen)| kind(seen))
}

/// Returns the child of a process that matters: one that runs, or else waits for a thing.
fn child(pid: u32, tid: u32) -> Option<u32> {
    let text = fs::read_to_string(format!("/proc/{pid}/task/{tid}/children")).ok()?;
    let children = text
        .split_ascii_whitespace()
        .filter_map(|word| word.parse().ok());
    let seen = children.take(MOST_CHILDREN).filter_map(|child| {
        let (_, seen) = of_process(child)?;
        (seen.state != 'Z').then(|| (kind(&seen), child))
    });
    seen.min().map(|(_, child)| child)
}

fn of_thread(pid: u32, tid: u32) -> Option<Seen> {
    let stat = thread_stat(pid, tid)?;
    let state = char::from(stat.state);
    let sleeps = state != 'R';
    let channel = match sleeps {
        true => String::from_utf8_lossy(&wait_channel(pid, tid)).into_owned(),
        false => String::new(),
    };
    let call = match sleeps {
        true => calls::of_thread(pid, tid).map(|call| call.number),
        false => None,
    };
    Some(Seen {
        state,
        call,
        channel,
        process: String::from_utf8_lossy(&stat.name).into_owned(),
        object: String::new(),
    })
}

/// Calls of x86-64 whose first argument is a file or a connection.
const ABOUT_DESCRIPTORS: [u64; 22] = [
    0, 1, 17, 18, 19, 20, 42, 43, 44, 45, 46, 47, 73, 74, 75, 217, 277, 288, 295, 296, 299, 307,
];

/// Returns what the call that a thread is in is about.
fn object(pid: u32, tid: u32, seen: &Seen) -> String {
    let is_about = |number: &u64| ABOUT_DESCRIPTORS.contains(number);
    if !cfg!(target_arch = "x86_64") || !seen.call.as_ref().is_some_and(is_about) {
        return String::new();
    }
    // It may have gone on meanwhile.
    let call = calls::of_thread(pid, tid).filter(|call| Some(call.number) == seen.call);
    let path =
        call.and_then(|call| fs::read_link(format!("/proc/{pid}/fd/{}", call.arguments[0])).ok());
    let path = path.map_or_else(String::new, |path| path.to_string_lossy().into_owned());
    match path.len() <= MOST_OBJECT_BYTES {
        true => path,
        false => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Child, Command, Stdio};

    use super::*;

    /// Looks until `is_there` holds; the machine decides how long that takes.
    fn until(pid: u32, is_there: impl Fn(&Seen) -> bool) -> Seen {
        loop {
            let seen = look(pid).expect("it still runs");
            if is_there(&seen) {
                return seen;
            }
            std::thread::yield_now();
        }
    }

    struct Running(Child);

    impl Drop for Running {
        fn drop(&mut self) {
            let _gone = self.0.kill();
            let _status = self.0.wait();
        }
    }

    fn run(program: &str, arguments: &[&str]) -> Running {
        let mut command = Command::new(program);
        let command = command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::null());
        Running(command.spawn().expect("it runs"))
    }

    #[test]
    fn a_child_that_sleeps_is_found_behind_its_shell() {
        let shell = run("sh", &["-c", "sleep 60; true"]);
        let seen = until(shell.0.id(), |seen| {
            seen.process == "sleep" && seen.state == 'S'
        });
        assert!(
            kind(&seen) == Kind::Sleeps || seen.channel.is_empty(),
            "{seen:?}"
        );
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn what_a_call_is_about_is_named() {
        let cat = run("cat", &[]);
        let seen = until(cat.0.id(), |seen| {
            seen.process == "cat" && !seen.object.is_empty()
        });
        assert!(seen.object.starts_with("pipe:["), "{seen:?}");
    }

    #[test]
    fn the_thread_that_computes_matters_more_than_those_that_wait() {
        let seen = |state, channel: &str| Seen {
            state,
            channel: channel.to_owned(),
            ..Seen::default()
        };
        let kinds = [
            seen('R', ""),
            seen('D', "folio_wait_bit_common"),
            seen('S', "do_wait"),
            seen('S', "hrtimer_nanosleep"),
            seen('S', "futex_do_wait"),
        ];
        assert!(kinds.map(|seen| kind(&seen)).is_sorted());
    }

    #[test]
    fn who_is_gone_is_not_seen() {
        assert_eq!(look(u32::MAX), None);
    }
}
