//! Runs the program in a directory of its own and compares what it says.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A directory that is gone when the test ends.
#[derive(Debug)]
pub(crate) struct Place {
    path: PathBuf,
}

impl Place {
    /// Returns an empty directory.
    pub(crate) fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        whyslow_testenv::fresh();
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("cli-{}-{number}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).expect("a directory for the test");
        Self { path }
    }

    /// Returns the path of `name` in it.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).expect("a file for the test");
    }

    /// Returns the names in it, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.path).expect("the directory of the test");
        let mut names: Vec<String> = entries
            .map(|entry| {
                entry
                    .expect("an entry")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        names.sort();
        names
    }

    /// Returns the program, ready to run in it.
    pub(crate) fn whyslow(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_whyslow"));
        command
            .args(args)
            .current_dir(&self.path)
            .stdin(Stdio::null());
        let ours = ["NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR", "COLUMNS"];
        let callers = [
            "SUDO_UID",
            "SUDO_GID",
            "SUDO_USER",
            "PKEXEC_UID",
            "DOAS_USER",
        ];
        let ours = ours.into_iter().chain(callers);
        for variable in ours.chain(["_NT_SYMBOL_PATH"]) {
            command.env_remove(variable);
        }
        command.env("TZ", "UTC0").env("TERM", "xterm");
        command.env("XDG_CACHE_HOME", self.path.join("cache"));
        command
    }

    /// Runs the program.
    pub(crate) fn run(&self, args: &[&str]) -> Said {
        Said::of(self.whyslow(args).output().expect("the program runs"))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // What is left lies in the build directory.
        let _left = fs::remove_dir_all(&self.path);
    }
}

/// What the program said.
#[derive(Debug)]
pub(crate) struct Said {
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
    /// Exit code; `None` if a signal ended it.
    pub(crate) code: Option<i32>,
}

impl Said {
    /// Returns what `output` holds.
    pub(crate) fn of(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        Self {
            out: text(output.stdout),
            err: text(output.stderr),
            code: output.status.code(),
        }
    }

    /// Returns standard output with its sentences on a line each.
    pub(crate) fn sentences(&self) -> String {
        self.out.replace("\n  ", " ")
    }

    /// Asserts that it failed with `code`, in lines that begin like these.
    pub(crate) fn fails(&self, code: i32, lines: &[&str]) {
        assert_eq!(self.code, Some(code), "{self:#?}");
        assert_eq!(self.out, "", "an error is no answer");
        let said: Vec<&str> = self.err.lines().collect();
        assert_eq!(said.len(), lines.len(), "{said:#?}");
        for (said, line) in said.iter().zip(lines) {
            assert!(
                said.starts_with(line),
                "{said:?} does not begin with {line:?}"
            );
        }
    }
}

/// Compares a conversation with `golden/NAME.txt`.
pub(crate) fn golden(name: &str, place: &Place, lines: &[&[&str]]) {
    let mut text = String::new();
    for args in lines {
        let said = place.run(args);
        let words: Vec<String> = args.iter().map(|word| shown(word)).collect();
        text.push_str(&format!("$ whyslow {}\n", words.join(" ")));
        text.push_str(&visible(&said.out));
        for line in said.err.lines() {
            text.push_str(&format!("2> {line}\n"));
        }
        if said.code != Some(0) {
            text.push_str(&format!("exit code {:?}\n", said.code));
        }
        text.push('\n');
    }
    let text = text.replace(env!("CARGO_PKG_VERSION"), "VERSION");
    compare(
        &Path::new("tests/cli/golden").join(format!("{name}.txt")),
        &text,
    );
}

/// Compares `text` with a file of the crate.
pub(crate) fn compare(file: &Path, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if std::env::var_os("BLESS").is_some() {
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(&path, text).expect("a golden file");
        return;
    }
    let wanted = fs::read_to_string(&path).unwrap_or_default();
    let differs = wanted
        .lines()
        .zip(text.lines())
        .position(|(wanted, said)| wanted != said);
    let line = differs.unwrap_or_else(|| wanted.lines().count().min(text.lines().count()));
    assert!(
        wanted == text,
        "{} differs from line {} on; BLESS=1 writes it anew\nwanted: {:?}\nsaid:   {:?}",
        path.display(),
        line + 1,
        wanted.lines().nth(line),
        text.lines().nth(line),
    );
}

/// Spells out carriage returns, which an editor would lose.
fn visible(text: &str) -> String {
    text.replace('\r', "\\r")
}

fn shown(word: &str) -> String {
    if word.contains([' ', '*', ';', '?']) {
        format!("'{word}'")
    } else {
        word.to_owned()
    }
}
