//! Builds a case, and runs it: what must run beside it, the working directory, the cleaning up.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::case::Case;
use crate::load;
use crate::tools;

/// How long a program beside a case may take until it is ready.
const READY: Duration = Duration::from_secs(20);

/// How long one run may take.
const LONGEST: Duration = Duration::from_secs(180);

/// Why a case could not be run.
#[derive(Debug, Error)]
pub(crate) enum Trouble {
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    #[error("cannot start {0}: {1}")]
    Start(String, io::Error),
    #[error("{0} failed")]
    Failed(String),
    #[error("a program that runs alongside was not ready")]
    NotReady,
    #[error("took longer than {} s", LONGEST.as_secs())]
    Endless,
    #[error("has no main source, and says no \"run\"")]
    NoCommand,
}

/// A case with its directories; removes what a run left.
#[derive(Debug)]
pub(crate) struct Stage<'a> {
    case: &'a Case,
    /// Built programs.
    bin: PathBuf,
    /// The working directory of the next run.
    work: PathBuf,
    /// Where the working directories of earlier runs are kept until the end.
    left: PathBuf,
    python: String,
}

/// What a run of a case gave.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) wall: Duration,
    /// What the program wrote about itself.
    pub(crate) truth: String,
    /// Whether programs that do not belong to the case used the CPUs, too.
    pub(crate) loud: bool,
}

impl Ran {
    /// The share of the time that the program measured itself.
    pub(crate) fn share(&self) -> Option<f64> {
        let share = self
            .truth
            .lines()
            .find_map(|line| line.strip_prefix("share "));
        share.and_then(|number| number.trim().parse().ok())
    }
}

/// Programs that run beside a case, each in a process group of its own, until this is dropped.
#[derive(Debug, Default)]
pub(crate) struct Beside(Vec<Child>);

impl Drop for Beside {
    fn drop(&mut self) {
        for child in &mut self.0 {
            end(child);
        }
    }
}

impl Beside {
    /// One program for each CPU that computes without end.
    pub(crate) fn busy() -> Result<Self, Trouble> {
        let cpus = std::thread::available_parallelism().map_or(1, usize::from);
        let mut neighbors = Self::default();
        for _ in 0..cpus {
            let mut command = Command::new("sh");
            command.args(["-c", "while :; do :; done"]);
            neighbors.0.push(start(&mut command)?);
        }
        Ok(neighbors)
    }
}

impl<'a> Stage<'a> {
    /// Makes the directories of a case below `out`.
    pub(crate) fn new(case: &'a Case, out: &Path) -> Result<Self, Trouble> {
        let stage = Self {
            case,
            bin: out.join(&case.name).join("bin"),
            work: out.join(&case.name).join("work"),
            left: out.join(LEFT),
            python: tools::python().unwrap_or_else(|| "python3".to_owned()),
        };
        make(&stage.bin)?;
        make(&stage.left)?;
        Ok(stage)
    }

    /// Builds what is not built or older than its source.
    pub(crate) fn build(&self) -> Result<(), Trouble> {
        let entries = fs::read_dir(&self.case.dir);
        let entries = entries.map_err(|error| Trouble::File(self.case.dir.clone(), error))?;
        for source in entries.flatten().map(|entry| entry.path()) {
            let stem = source.file_stem().unwrap_or_default().to_string_lossy();
            let extension = source.extension().unwrap_or_default().to_string_lossy();
            let built = match (extension.as_ref(), stem.as_ref()) {
                ("java", _) => self.bin.join(format!("{stem}.class")),
                (_, "main") => self.bin.join(&self.case.name),
                _ => self.bin.join(&*stem),
            };
            if let Some(mut command) = compiler(&extension, &source, &built)
                && is_stale(&source, &built)
            {
                command.current_dir(&self.bin);
                succeed(&mut command)?;
            }
        }
        Ok(())
    }

    /// The recorded command.
    pub(crate) fn command(&self) -> Result<Vec<String>, Trouble> {
        let has = |name: &str| self.case.dir.join(name).exists();
        if !self.case.run.is_empty() {
            return Ok(self.case.run.iter().map(|word| self.fill(word)).collect());
        }
        let words = if ["main.c", "main.cpp", "main.rs", "main.go"]
            .into_iter()
            .any(has)
        {
            vec![format!("{{bin}}/{}", self.case.name)]
        } else if has("Main.java") {
            ["java", "-cp", "{bin}", "Main"].map(str::to_owned).to_vec()
        } else if has("main.py") {
            ["{python}", "{case}/main.py"].map(str::to_owned).to_vec()
        } else if has("main.js") {
            ["node", "{case}/main.js"].map(str::to_owned).to_vec()
        } else {
            return Err(Trouble::NoCommand);
        };
        Ok(words.iter().map(|word| self.fill(word)).collect())
    }

    /// Runs `words` in a fresh working directory, with everything that belongs to the case. Its outputs go
    /// to `log`.
    pub(crate) fn run(&self, words: &[String], log: &Path) -> Result<Ran, Trouble> {
        // What an earlier run left is no reason to fail.
        self.put_away();
        make(&self.work)?;
        let before = load::Reading::now();
        let ran = self.run_inside(words, log);
        let loud = before.is_some_and(load::Reading::is_loud);
        for command in &self.case.cleanup {
            succeed(&mut self.ready_command(command))?;
        }
        let truth = fs::read_to_string(self.work.join("truth")).unwrap_or_default();
        self.put_away();
        ran.map(|wall| Ran { wall, truth, loud })
    }

    /// Puts the working directory aside until [`clear`]: creating files takes much longer for some minutes after a
    /// program has deleted many on the same file system, which must not slow down the case that comes next.
    fn put_away(&self) {
        let old = |number: u32| self.left.join(format!("{}-{number}", self.case.name));
        let free = (0..u32::MAX).map(old).find(|path| !path.exists());
        let moved = free.and_then(|to| fs::rename(&self.work, to).ok());
        if moved.is_none() {
            drop(fs::remove_dir_all(&self.work));
        }
    }

    fn run_inside(&self, words: &[String], log: &Path) -> Result<Duration, Trouble> {
        for command in &self.case.prepare {
            succeed(&mut self.ready_command(command))?;
        }
        let _beside = self.start_beside()?;
        let file = |error| Trouble::File(log.to_owned(), error);
        let log = File::create(log).map_err(file)?;
        let mut command = self.ready_command(words);
        command.stderr(log);
        let before = Instant::now();
        let mut child = start(&mut command)?;
        loop {
            match child.try_wait() {
                Ok(Some(status)) if status.success() => return Ok(before.elapsed()),
                Ok(None) if before.elapsed() < LONGEST => {}
                Ok(None) => {
                    end(&mut child);
                    return Err(Trouble::Endless);
                }
                Ok(Some(_)) | Err(_) => return Err(Trouble::Failed(words.join(" "))),
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn start_beside(&self) -> Result<Beside, Trouble> {
        let mut beside = Beside::default();
        for words in &self.case.beside {
            beside.0.push(start(&mut self.ready_command(words))?);
        }
        let before = Instant::now();
        while !beside.0.is_empty() && !self.work.join("ready").exists() {
            if before.elapsed() > READY {
                return Err(Trouble::NotReady);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(beside)
    }

    /// A command in the working directory that knows where things are.
    fn ready_command(&self, words: &[String]) -> Command {
        let words: Vec<_> = words.iter().map(|word| self.fill(word)).collect();
        let mut command = Command::new(words.first().map_or("", String::as_str));
        command.args(words.iter().skip(1)).current_dir(&self.work);
        command
            .env("CASE", &self.case.dir)
            .env("CASE_BIN", &self.bin);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command
    }

    fn fill(&self, word: &str) -> String {
        let bin = self.bin.to_string_lossy();
        let case = self.case.dir.to_string_lossy();
        let word = word.replace("{bin}", &bin).replace("{case}", &case);
        word.replace("{python}", &self.python)
    }
}

/// The folder of what earlier runs left.
const LEFT: &str = "left";

/// Removes what the runs left below `out`.
pub(crate) fn clear(out: &Path) {
    drop(fs::remove_dir_all(out.join(LEFT)));
}

fn make(dir: &Path) -> Result<(), Trouble> {
    fs::create_dir_all(dir).map_err(|error| Trouble::File(dir.to_owned(), error))
}

/// How a source becomes a program; none for what needs no compiler.
fn compiler(extension: &str, source: &Path, built: &Path) -> Option<Command> {
    let (program, flags): (_, &[&str]) = match extension {
        "c" => ("cc", &["-g", "-O1", "-fno-inline", "-pthread", "-o"]),
        "cpp" => ("c++", &["-g", "-O1", "-fno-inline", "-pthread", "-o"]),
        "rs" => (
            "rustc",
            &["--edition", "2024", "-g", "-C", "opt-level=1", "-o"],
        ),
        "go" => ("go", &["build", "-o"]),
        "java" => ("javac", &["-g", "-d"]),
        _ => return None,
    };
    let mut command = Command::new(program);
    command.args(flags);
    match extension {
        "java" => command.arg("."),
        _ => command.arg(built),
    };
    command.arg(source);
    // Libraries come after what needs them.
    if extension == "c" {
        command.arg("-lm");
    }
    Some(command)
}

fn is_stale(source: &Path, built: &Path) -> bool {
    let time = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
    time(built).is_none_or(|built| time(source).is_none_or(|source| built < source))
}

fn describe(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}

fn succeed(command: &mut Command) -> Result<(), Trouble> {
    let status = command.status();
    match status
        .map_err(|error| Trouble::Start(describe(command), error))?
        .success()
    {
        true => Ok(()),
        false => Err(Trouble::Failed(describe(command))),
    }
}

/// Starts a program in a process group of its own, so that its children can be ended with it.
fn start(command: &mut Command) -> Result<Child, Trouble> {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    command
        .spawn()
        .map_err(|error| Trouble::Start(describe(command), error))
}

/// Ends a program with its children and waits for it. It may have ended by itself.
fn end(child: &mut Child) {
    #[cfg(unix)]
    if let Ok(pid) = i32::try_from(child.id())
        && let Some(group) = rustix::process::Pid::from_raw(pid)
    {
        _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    drop(child.kill());
    drop(child.wait());
}
