//! Names of processes for people: an interpreter is named after the script that it runs.

use whyslow_model::tables::ProcessRow;

use whyslow_arguments::pattern::NamePattern;

/// A language's interpreter: the name of its program, and which options take the next word.
struct Interpreter {
    names: &'static [&'static str],
    /// Options whose next word is their value.
    with_value: &'static [&'static str],
    /// Options that give the code itself: there is no script.
    with_code: &'static [&'static str],
    /// Options whose next word says what runs: a module, an archive.
    with_module: &'static [&'static str],
}

const INTERPRETERS: &[Interpreter] = &[
    Interpreter {
        names: &["python", "pypy"],
        with_value: &["-W", "-X", "--check-hash-based-pycs"],
        with_code: &["-c"],
        with_module: &["-m"],
    },
    Interpreter {
        names: &["node", "nodejs", "bun"],
        with_value: &[
            "-r",
            "--require",
            "--import",
            "-C",
            "--conditions",
            "--loader",
        ],
        with_code: &["-e", "--eval", "-p", "--print"],
        with_module: &[],
    },
    Interpreter {
        names: &["java"],
        with_value: &[
            "-cp",
            "-classpath",
            "--class-path",
            "-p",
            "--module-path",
            "--upgrade-module-path",
            "--add-modules",
            "--add-opens",
            "--add-exports",
            "--add-reads",
        ],
        with_code: &[],
        with_module: &["-jar", "-m", "--module"],
    },
    Interpreter {
        names: &["perl"],
        with_value: &["-I"],
        with_code: &["-e", "-E"],
        with_module: &[],
    },
    Interpreter {
        names: &["ruby"],
        with_value: &["-I", "-r", "-C"],
        with_code: &["-e"],
        with_module: &[],
    },
    Interpreter {
        names: &["php"],
        with_value: &["-d", "-c"],
        with_code: &["-r"],
        with_module: &["-f"],
    },
    Interpreter {
        names: &["sh", "bash", "dash", "zsh", "ksh"],
        with_value: &["-o", "-O", "--rcfile", "--init-file"],
        with_code: &["-c"],
        with_module: &[],
    },
];

/// Returns the interpreter that a process is named after; `None` where its name says more.
fn interpreter(name: &str) -> Option<&'static Interpreter> {
    let is_it = |known: &str| {
        let version = name.strip_prefix(known);
        version.is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit() || b == b'.'))
    };
    let mut all = INTERPRETERS.iter();
    all.find(|one| one.names.iter().any(|known| is_it(known)))
}

/// Returns the script, the module or the class that the interpreter in a process runs, without folders.
pub fn script(row: &ProcessRow) -> Option<String> {
    let interpreter = interpreter(&row.name)?;
    let words = words(row.command_line.as_deref()?);
    let mut words = words.iter().skip(1).map(String::as_str);
    let found = loop {
        let word = words.next()?;
        let is = |options: &[&str]| options.contains(&word);
        if is(interpreter.with_code) || is_code_of_shell(interpreter, word) {
            return None;
        } else if is(interpreter.with_module) {
            break words.next()?;
        } else if is(interpreter.with_value) {
            words.next()?;
        } else if word == "--" {
            break words.next()?;
        } else if !word.starts_with('-') || word == "-" {
            break word;
        }
    };
    let name = found.rsplit('/').next().unwrap_or(found);
    let is_stream = found == "-" || found.starts_with("/dev/") || found.starts_with("/proc/");
    (!is_stream && !name.is_empty()).then(|| name.to_owned())
}

/// Returns whether a word combines several options of a shell, including the one for code: `-lc`.
fn is_code_of_shell(interpreter: &Interpreter, word: &str) -> bool {
    let options = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
    interpreter.names.contains(&"sh") && options.is_some_and(|rest| rest.contains('c'))
}

/// Returns the words of a command line that was quoted for a shell.
pub fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut has_word) = (Vec::new(), String::new(), false);
    let mut quote = None;
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (Some('\''), _) => word.push(letter),
            (_, '\\') => word.extend(letters.next()),
            (Some(_), _) => word.push(letter),
            (None, '\'' | '"') => (quote, has_word) = (Some(letter), true),
            (None, ' ') => {
                if has_word || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                has_word = false;
            }
            (None, _) => word.push(letter),
        }
    }
    if has_word || !word.is_empty() {
        words.push(word);
    }
    words
}

/// Returns whether a process is wanted: by its name, its pid, the script that it runs, or as answers show it.
pub fn is_wanted(row: &ProcessRow, wanted: &NamePattern) -> bool {
    let id = row.os_pid.into();
    match script(row) {
        Some(script) => {
            let [shown, with_pid] = [process(row), with_pid(row)];
            wanted.matches_any(&[&row.name, &script, &shown, &with_pid], id)
        }
        None => wanted.matches(&row.name, id),
    }
}

/// Returns the name of a process: `rate_server.py (python3)`, or its name.
pub fn process(row: &ProcessRow) -> String {
    match script(row) {
        Some(script) => format!("{script} ({})", row.name),
        None => row.name.clone(),
    }
}

/// Returns the same with its pid: `rate_server.py (python3 31583)`, `postgres(99)`.
pub fn with_pid(row: &ProcessRow) -> String {
    match script(row) {
        Some(script) => format!("{script} ({} {})", row.name, row.os_pid),
        None => format!("{}({})", row.name, row.os_pid),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, line: &str) -> ProcessRow {
        let mut trace = whyslow_testkit::Literal::new(1);
        let id = trace.process(name, 99, None);
        let mut row = trace.processes[id.index()].clone();
        row.command_line = Some(line.to_owned());
        row
    }

    #[test]
    fn a_process_is_found_by_each_of_its_names() {
        let server = row("python3.11", "python3.11 manage.py runserver");
        let is_it = |text: &str| is_wanted(&server, &NamePattern::parse(text));
        for text in [
            "99",
            "python3*",
            "manage.py",
            "manage.py (python3.11)",
            "manage.py (python3.11 99)",
        ] {
            assert!(is_it(text), "{text}");
        }
        assert!(!is_it("runserver") && !is_it("!manage.py") && !is_it("98"));
    }

    #[test]
    fn interpreters_go_by_what_they_run() {
        for (name, line, script) in [
            (
                "python3",
                "python3 -u /srv/app/rate_server.py --port 1",
                "rate_server.py",
            ),
            (
                "python3.11",
                "/usr/bin/python3.11 -X dev -m http.server 80",
                "http.server",
            ),
            (
                "node",
                "node --inspect -r dotenv/config app/main.js",
                "main.js",
            ),
            ("java", "java -Xmx1g -cp 'a b:c' shop.Main x", "shop.Main"),
            ("java", "java -jar /opt/shop.jar", "shop.jar"),
            ("bash", "bash -e ./deploy.sh now", "deploy.sh"),
            ("perl", "perl -w '/x/my report.pl'", "my report.pl"),
        ] {
            assert_eq!(
                super::script(&row(name, line)).as_deref(),
                Some(script),
                "{line}"
            );
        }
        for (name, line) in [
            ("python3", "python3 -c 'print(1)' x"),
            ("python3", "python3"),
            ("bash", "bash -lc 'make all'"),
            ("bash", "bash /dev/fd/3"),
            ("node", "node -e 1"),
            ("gunicorn", "python3 /usr/bin/gunicorn"),
            ("nodes", "nodes a.js"),
            ("postgres", "postgres -D data"),
        ] {
            assert_eq!(script(&row(name, line)), None, "{line}");
        }
    }

    #[test]
    fn a_process_is_called_by_its_script_and_its_program() {
        let server = row("python3", "python3 rate_server.py");
        assert_eq!(process(&server), "rate_server.py (python3)");
        assert_eq!(with_pid(&server), "rate_server.py (python3 99)");
        let database = row("postgres", "postgres -D data");
        assert_eq!(process(&database), "postgres");
        assert_eq!(with_pid(&database), "postgres(99)");
    }
}
