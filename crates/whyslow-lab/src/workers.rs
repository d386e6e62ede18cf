//! Workers that are processes of their own: started first, then set off together.
//!
//! ```text
//! parent                     worker (the same program, with a hidden command)
//!   start ──────────────────►  opens the place
//!   ◄───────────────── ready ─┘
//!   at T, go ───────────────►  sleeps until T, measures
//!   ◄── ending, operations ───┘
//! ```
//!
//! A worker's output is validated: a worker whose output is cut off, nonsensical or endless counts as
//! lost, and the experiment ends with that.
//!
//! A worker whose parent dies is interrupted by the kernel and ends.

mod wire;

use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Builder;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, set_parent_process_death_signal};

use crate::clock::now_ns;
use crate::error::Error;
use crate::file_operation::{FileOperation, Work};
use crate::operation::{Limits, measure, room};
use crate::shortnames::Generation;
use crate::store;
use whyslow_series::{Ending, Measured};

/// The hidden command that a worker runs.
pub const WORKER: &str = "lab-worker";

/// From when all workers are ready to when they begin.
const LEAD: Duration = Duration::from_millis(20);

/// What workers do together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Together<'a> {
    /// Our own program.
    pub(crate) program: &'a Path,
    /// What each does.
    pub(crate) operation: FileOperation,
    /// Who gives new names a short one.
    pub(crate) short: Option<Generation>,
    /// How many there are.
    pub(crate) workers: u32,
    /// How much they do, all together, and how long each may.
    pub(crate) limits: Limits,
}

impl Together<'_> {
    /// Returns how much `worker` does.
    fn share(&self, worker: u32) -> u64 {
        let (worker, all) = (u64::from(worker), u64::from(self.workers.max(1)));
        // The first ones take what is left over.
        self.limits.count / all + u64::from(worker < self.limits.count % all)
    }
}

/// Children that are interrupted and waited for if they are dropped.
struct Children(Vec<Child>);

impl Children {
    fn interrupt(&self) {
        for child in &self.0 {
            let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
            if let Some(pid) = pid {
                // One that is gone needs no signal.
                let _gone = kill_process(pid, Signal::INT);
            }
        }
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        self.interrupt();
        for child in &mut self.0 {
            drop(child.stdin.take());
            drop(child.stdout.take());
            let _status = child.wait();
        }
    }
}

/// Lets workers do their operations in `place`; returns each one's operations and ending.
pub(crate) fn work(
    together: Together<'_>,
    place: &OsStr,
    stop: &AtomicBool,
) -> Result<Vec<(Vec<Measured>, Ending)>, Error> {
    let mut children = Children(Vec::new());
    let lost = |worker, why| lost_or_stopped(worker, why, stop);
    for worker in 0..together.workers {
        children.0.push(start(together, worker, place)?);
    }
    let outs = children.0.iter_mut().map(|child| child.stdout.take());
    let mut outs: Vec<_> = outs.collect();
    let ready = |outs: &mut [Option<ChildStdout>]| {
        let silent = |(worker, out): (u32, &mut Option<ChildStdout>)| {
            let heard = out.as_mut().map(|out| out.read_exact(&mut [0]));
            (!matches!(heard, Some(Ok(())))).then_some(worker)
        };
        (0..).zip(outs).find_map(silent)
    };
    if let Some(worker) = listen(&children, stop, || ready(&mut outs))? {
        return Err(lost(worker, "it did not get ready"));
    }
    // A worker that is interrupted twice ends at once, silently.
    if stop.load(Ordering::Relaxed) {
        return Err(Error::Interrupted);
    }
    let lead = u64::try_from(LEAD.as_nanos()).unwrap_or(0);
    let begin = now_ns() + lead;
    for (worker, child) in (0..).zip(&mut children.0) {
        let told = child
            .stdin
            .as_mut()
            .map(|input| input.write_all(&begin.to_le_bytes()));
        if !matches!(told, Some(Ok(()))) {
            return Err(lost(worker, "it did not listen"));
        }
    }
    collect((&children, outs), together, begin, stop)
}

/// Lets a thread `hear` what the children say, and interrupts them when it is time to stop.
fn listen<T: Send>(
    children: &Children,
    stop: &AtomicBool,
    hear: impl FnOnce() -> T + Send,
) -> Result<T, Error> {
    std::thread::scope(|scope| {
        let listener = Builder::new().spawn_scoped(scope, hear);
        let listener = listener.map_err(|_| lost(0, "nobody listens"))?;
        let mut told = false;
        while !listener.is_finished() {
            if stop.load(Ordering::Relaxed) && !told {
                children.interrupt();
                told = true;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        listener.join().map_err(|_| lost(0, "nobody listened"))
    })
}

fn lost(worker: u32, why: &str) -> Error {
    Error::Worker {
        worker,
        why: why.to_owned(),
    }
}

/// Why nothing came from a worker: one that is interrupted before it begins reports nothing.
fn lost_or_stopped(worker: u32, why: &str, stop: &AtomicBool) -> Error {
    match stop.load(Ordering::Relaxed) {
        true => Error::Interrupted,
        false => lost(worker, why),
    }
}

fn start(together: Together<'_>, worker: u32, place: &OsStr) -> Result<Child, Error> {
    let budget = u64::try_from(together.limits.budget.as_nanos()).unwrap_or(u64::MAX);
    let mut command = Command::new(together.program);
    let short = together.short.map_or("", Generation::name);
    command.args([WORKER, &format!("{}+{short}", together.operation.name())]);
    command.args([
        format!("{worker}/{}", together.workers),
        together.share(worker).to_string(),
        budget.to_string(),
    ]);
    // The terminal's Ctrl-C is for us: a worker that receives it twice reports nothing.
    command
        .arg(place)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .process_group(0);
    command
        .spawn()
        .map_err(Error::io("start", together.program))
}

/// Takes what the workers report. They are read one after another: a worker that is done waits, and
/// nothing is done while others still measure.
fn collect(
    (children, outs): (&Children, Vec<Option<ChildStdout>>),
    together: Together<'_>,
    begin: u64,
    stop: &AtomicBool,
) -> Result<Vec<(Vec<Measured>, Ending)>, Error> {
    let read = move |(worker, out): (u32, Option<ChildStdout>)| {
        out.and_then(|mut out| wire::read(&mut out, together.share(worker)).ok())
    };
    let told = listen(children, stop, || {
        (0..).zip(outs).map(read).collect::<Vec<_>>()
    })?;
    let times = begin..=now_ns();
    let logs = (0..).zip(told).map(|(worker, bytes)| {
        let bytes = bytes.unwrap_or_default();
        let log = wire::understood(&bytes, together.share(worker), times.clone());
        log.map_err(|why| lost_or_stopped(worker, why, stop))
    });
    logs.collect()
}

/// Returns which worker, from 0, of how many `word` names: `3/20`.
fn of_all(word: &str) -> Option<(u32, u32)> {
    let (worker, all) = word.split_once('/')?;
    Some((worker.parse().ok()?, all.parse().ok()?))
}

/// Returns which worker, from 0, of how many runs as `command_line`; `None` if that is no worker's.
pub fn who(command_line: &str) -> Option<(u32, u32)> {
    let mut words = command_line.split(' ').skip_while(|word| *word != WORKER);
    of_all(words.nth(2)?)
}

/// Does what a worker does; `words` are those after [`WORKER`].
///
/// # Errors
/// When the words are not those of a parent, the place is gone, or the parent does not listen.
pub fn serve(
    words: &[OsString],
    stop: &AtomicBool,
    input: &mut dyn Read,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let odd =
        || Error::Options("a worker needs an operation, three numbers and a place".to_owned());
    let [operation, worker, count, budget, place] = words else {
        return Err(odd());
    };
    let number = |word: &OsString| word.to_str().and_then(|word| word.parse::<u64>().ok());
    let (operation, short) = operation
        .to_str()
        .and_then(|text| text.split_once('+'))
        .ok_or_else(odd)?;
    let operation = FileOperation::parse(operation).ok_or_else(odd)?;
    let short = Generation::named(short);
    let (worker, _) = worker.to_str().and_then(of_all).ok_or_else(odd)?;
    let limits = Limits {
        count: number(count).ok_or_else(odd)?,
        budget: Duration::from_nanos(number(budget).ok_or_else(odd)?),
    };
    let path = Path::new(place);
    // Without it, the parent's end shows at the pipe.
    let _unsupported = set_parent_process_death_signal(Some(Signal::INT));
    let mut directory = store::open(place, stop)?;
    let mut files = directory.operation(Work {
        operation,
        worker,
        step: operation.files_at_once(limits.count),
        short,
    })?;
    let gone = || Error::io::<std::io::Error>("talk to the parent about", path);
    let mut log = room(limits.count);
    out.write_all(b"r")
        .and_then(|()| out.flush())
        .map_err(gone())?;
    let mut begin = [0; 8];
    input.read_exact(&mut begin).map_err(gone())?;
    let wait = u64::from_le_bytes(begin).saturating_sub(now_ns());
    std::thread::sleep(Duration::from_nanos(wait.min(1_000_000_000)));
    let ending = measure(&mut *files, limits, stop, &mut log);
    let bytes = wire::written(&log, ending);
    out.write_all(&bytes)
        .and_then(|()| out.flush())
        .map_err(gone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::{Ground, Place};

    #[test]
    fn a_worker_does_its_operation_and_reports() {
        let dir = std::env::temp_dir().join(format!("lab-workers-{}", std::process::id()));
        let ground = Ground::enter(&dir, false).expect("ground");
        let place = Place::make(&ground).expect("a place");
        let mut words: Vec<OsString> = ["create+", "2/3", "25", "60000000000"]
            .map(OsString::from)
            .into();
        words.push(place.path().into());
        let mut told = Vec::new();
        let stop = AtomicBool::new(false);
        let begin = now_ns().to_le_bytes();
        serve(&words, &stop, &mut &begin[..], &mut told).expect("served");
        let (log, ending) = wire::understood(&told[1..], 25, 0..=now_ns()).expect("understood");
        assert_eq!((log.len(), ending), (25, Ending::Done));
        assert!(place.path().join("w000000024-002").exists());
        place.remove().expect("all of it is ours");
        let failed = serve(&words, &stop, &mut &begin[..], &mut told).expect_err("no place");
        assert!(matches!(failed, Error::Io { .. }), "{failed}");
        let line = format!("/usr/bin/whyslow {WORKER} create+ 2/3 25 60000000000 /tmp/x");
        assert_eq!(who(&line), Some((2, 3)));
        assert_eq!(who("vi lab-worker-notes 2/3"), None);
        serve(&words[1..], &stop, &mut &begin[..], &mut told).expect_err("too few words");
    }

    /// Lets `script` be the program of two workers; returns what becomes of them.
    fn worked_by(script: &str) -> Result<usize, Error> {
        worked_until(&AtomicBool::new(false), script)
    }

    fn worked_until(stop: &AtomicBool, script: &str) -> Result<usize, Error> {
        use std::os::unix::fs::PermissionsExt;
        static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let dir = format!("lab-script-{}-{number}", std::process::id());
        let ground = Ground::enter(&std::env::temp_dir().join(dir), false).expect("ground");
        let place = Place::make(&ground).expect("a place");
        let program = ground.dir().join("worker");
        std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).expect("a script");
        let all = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&program, all).expect("executable");
        let together = Together {
            program: &program,
            operation: FileOperation::Create,
            short: None,
            workers: 2,
            limits: Limits {
                count: 6,
                budget: Duration::from_secs(5),
            },
        };
        // What another test starts meanwhile may hold the script open for writing until it has begun.
        let is_busy = |error: &Error| matches!(error, Error::Io { source, .. } if source.kind() == std::io::ErrorKind::ExecutableFileBusy);
        let done = loop {
            let done = work(together, place.path().as_os_str(), stop);
            if !done.as_ref().is_err_and(is_busy) {
                break done;
            }
        };
        std::fs::remove_file(&program).expect("there");
        place.remove().expect("all of it is ours");
        done.map(|logs| logs.len())
    }

    #[test]
    fn workers_share_what_is_to_be_done() {
        let shares = |count, workers| -> Vec<u64> {
            let together = Together {
                program: Path::new("none"),
                operation: FileOperation::Create,
                short: None,
                workers,
                limits: Limits {
                    count,
                    budget: Duration::from_secs(5),
                },
            };
            (0..workers).map(|worker| together.share(worker)).collect()
        };
        assert_eq!(shares(10, 4), [3, 3, 2, 2]);
        assert_eq!(shares(2, 3), [1, 1, 0]);
        assert_eq!(shares(u64::MAX, 1), [u64::MAX]);
    }

    #[test]
    fn workers_that_never_get_ready_are_interrupted() {
        let done = worked_until(&AtomicBool::new(true), "exec sleep 30");
        assert!(matches!(done, Err(Error::Interrupted)), "{done:?}");
    }

    #[test]
    fn workers_that_an_interrupt_ends_are_interrupted() {
        let stop = AtomicBool::new(false);
        let done = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(200));
                stop.store(true, Ordering::Relaxed);
            });
            worked_until(&stop, "printf r; head -c 8 >/dev/null; exec sleep 30")
        });
        assert!(matches!(done, Err(Error::Interrupted)), "{done:?}");
    }

    #[test]
    fn workers_that_die_or_talk_nonsense_are_lost() {
        for (script, why) in [
            ("exit 1", "it did not get ready"),
            ("printf r; head -c 8 >/dev/null; exit 3", "it ended early"),
            (
                "printf r; head -c 8 >/dev/null; kill -9 $$",
                "it ended early",
            ),
            (
                "printf r; head -c 8 >/dev/null; printf '\\0\\0\\0\\0half'",
                "is cut off",
            ),
            (
                "printf r; head -c 8 >/dev/null; exec head -c 100000000 /dev/zero",
                "more operations than",
            ),
            (
                "printf r; head -c 8 >/dev/null; exec head -c 28 /dev/zero",
                "is impossible",
            ),
        ] {
            let failed = worked_by(script).expect_err(script).to_string();
            assert!(failed.contains(why), "{script}: {failed}");
        }
        let silent = worked_by("printf r; head -c 8 >/dev/null; exec head -c 4 /dev/zero");
        assert_eq!(silent.expect("an ending without operations"), 2);
    }
}
