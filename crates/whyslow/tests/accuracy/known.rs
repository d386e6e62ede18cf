//! One recording of the example `known_threads`.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use whyslow_testenv::{Feature, has};

/// One row of an answer: the cells by the names of their columns.
pub(crate) type Row = HashMap<String, String>;

/// What one thread said of itself.
#[derive(Debug)]
pub(crate) struct Mark {
    pub(crate) name: String,
    pub(crate) tid: i32,
    /// First and second mark, in nanoseconds of the recording's clock.
    pub(crate) from_ns: i64,
    pub(crate) to_ns: i64,
    /// The kernel's account: on a CPU, on a run queue.
    pub(crate) run_ns: i64,
    pub(crate) queue_ns: i64,
}

/// A recording, gone when dropped.
#[derive(Debug)]
pub(crate) struct Known {
    dir: PathBuf,
    pub(crate) extract: PathBuf,
    pub(crate) marks: Vec<Mark>,
    /// Facts that `stats` tells.
    facts: Vec<Row>,
}

impl Known {
    /// Records the example; `None`, and says so, where that is not possible.
    pub(crate) fn record(busy_ms: u32) -> Option<Self> {
        if !has(Feature::Recording) || !has(Feature::Bpf) {
            return None;
        }
        let program = example().expect("built by cargo build --examples");
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("accuracy-{}-{number}", std::process::id()));
        fs::create_dir_all(&dir).expect("a directory for the test");
        let mut known = Self {
            dir,
            extract: PathBuf::new(),
            marks: Vec::new(),
            facts: Vec::new(),
        };
        // The time limit is for a machine that hangs; it takes seconds.
        let said = Command::new("timeout")
            .args(["--signal=KILL", "600", env!("CARGO_BIN_EXE_whyslow")])
            .args(["run", "-o", "why.txt", "--"])
            .arg(program)
            .arg(busy_ms.to_string())
            .current_dir(&known.dir)
            .stdin(Stdio::null())
            .output()
            .expect("`timeout` runs");
        let text = String::from_utf8_lossy(&said.stdout);
        assert!(said.status.success(), "{said:?}");
        known.marks = text.lines().filter_map(Mark::parse).collect();
        assert_eq!(known.marks.len(), 12, "{said:?}");
        let files = fs::read_dir(&known.dir).expect("the directory");
        let mut files = files.map(|file| file.expect("a file").path());
        let extract = files.find(|path| path.extension().is_some_and(|end| end == "whyslow"));
        known.extract = extract.expect("an extract");
        known.facts = known.rows(&["stats", "-c", "key,value"]);
        assert_eq!(known.fact("scope"), "machine");
        assert_eq!(known.find("missing"), None);
        let start_ns: i64 = known.fact("start_ns").parse().expect("a time");
        for mark in &mut known.marks {
            mark.from_ns -= start_ns;
            mark.to_ns -= start_ns;
        }
        Some(known)
    }

    /// Returns the mark of the thread called `name`.
    pub(crate) fn mark(&self, name: &str) -> &Mark {
        let mut marks = self.marks.iter();
        marks.find(|mark| mark.name == name).expect("a thread")
    }

    /// Returns how long the trace is.
    pub(crate) fn duration_ns(&self) -> i64 {
        self.fact("duration_ns").parse().expect("a duration")
    }

    /// Asks a question of the thread between its marks.
    pub(crate) fn ask(&self, question: &str, mark: &Mark, arguments: &[&str]) -> Vec<Row> {
        let (tid, from, to) = (
            mark.tid.to_string(),
            format!("{}ns", mark.from_ns),
            format!("{}ns", mark.to_ns),
        );
        let mut all = vec![question, "--thread", &tid, "--from", &from, "--to", &to];
        all.extend(arguments);
        self.rows(&all)
    }

    /// Returns whether no event was lost.
    pub(crate) fn is_whole(&self) -> bool {
        let losses = self.rows(&["problems", "-c", "kind"]);
        !losses.iter().any(|row| row["kind"] == "lost-events")
    }

    /// Returns how long the recorder's programs took at such a moment on average, as the kernel measured it; 0
    /// where it cannot.
    pub(crate) fn handler_ns(&self, moment: &str) -> i64 {
        let fact = |what| {
            let value = self.find(&format!("handlers.{moment}_{what}"))?;
            value.parse::<i64>().ok()
        };
        let (ns, count) = (fact("ns"), fact("count").filter(|&count| count > 0));
        ns.zip(count).map_or(0, |(ns, count)| ns / count)
    }

    fn fact(&self, name: &str) -> &str {
        self.find(name).expect("a fact")
    }

    fn find(&self, name: &str) -> Option<&str> {
        let mut facts = self.facts.iter();
        Some(facts.find(|row| row["key"] == name)?["value"].as_str())
    }

    fn rows(&self, arguments: &[&str]) -> Vec<Row> {
        let said = Command::new(env!("CARGO_BIN_EXE_whyslow"))
            .args(arguments)
            .args(["--format", "csv"])
            .arg(&self.extract)
            .output()
            .expect("the program runs");
        let text = String::from_utf8(said.stdout).expect("UTF-8");
        let mut lines = text.lines();
        let names: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
        let row = |line: &str| {
            let names = names.iter().map(|&name| name.to_owned());
            names.zip(line.split(',').map(str::to_owned)).collect()
        };
        lines.map(row).collect()
    }
}

impl Drop for Known {
    fn drop(&mut self) {
        // What is left lies in the build directory.
        let _left = fs::remove_dir_all(&self.dir);
    }
}

impl Mark {
    /// Reads `thread NAME TID FROM_NS TO_NS RUN_NS RUN_QUEUE_NS`.
    fn parse(line: &str) -> Option<Self> {
        let mut words = line.strip_prefix("thread ")?.split(' ');
        let name = words.next()?.to_owned();
        let tid = words.next()?.parse().ok()?;
        let mut number = || words.next()?.parse().ok();
        Some(Self {
            name,
            tid,
            from_ns: number()?,
            to_ns: number()?,
            run_ns: number()?,
            queue_ns: number()?,
        })
    }
}

/// Returns the example, which cargo builds with the tests: `examples` beside `deps`.
fn example() -> Option<PathBuf> {
    let own = std::env::current_exe().ok()?;
    let path = own.parent()?.parent()?.join("examples/known_threads");
    path.exists().then_some(path)
}
