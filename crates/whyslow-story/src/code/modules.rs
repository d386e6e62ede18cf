//! Which modules are the user's own.

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::tables;
use whyslow_model::tables::ModuleRow;
use whyslow_query::View;
use whyslow_query::error::QueryError;
use whyslow_query::facts::Facts;

use crate::command::Command;
use whyslow_names::is_system_module;

/// Names of modules.
#[derive(Debug)]
pub(crate) struct OwnModules {
    own: BTreeSet<String>,
    /// Those that are programs of the command.
    programs: BTreeSet<String>,
    /// Those of them that came with the system.
    of_system: BTreeSet<String>,
    /// Files of source that an interpreter runs, and the installed packages that some of them belong to.
    source: BTreeMap<String, Option<String>>,
    /// The paths of all modules.
    paths: BTreeSet<String>,
}

impl OwnModules {
    /// Looks at all modules of the recording.
    pub(crate) fn read(
        view: View<'_>,
        facts: &Facts,
        command: &Command,
    ) -> Result<Self, QueryError> {
        let rows = facts.processes.iter().zip(&command.processes);
        let paths = rows.filter(|(_, of)| **of);
        let paths = paths.filter_map(|(row, _)| row.path.as_deref());
        let programs: BTreeSet<String> = paths
            .map(|path| last_part(path).to_owned())
            .filter(|name| !is_interpreter(name))
            .collect();
        let table = view.read(
            &tables::MODULE,
            &[
                ModuleRow::name.name(),
                ModuleRow::path.name(),
                ModuleRow::kind.name(),
            ],
        )?;
        let (mut own, mut of_system) = (programs.clone(), BTreeSet::new());
        let (mut source, mut paths) = (BTreeMap::new(), BTreeSet::new());
        for row in table.rows::<ModuleRow>() {
            paths.insert(row.path.clone());
            if row.kind == PYTHON {
                if !is_of_python(&row.path) {
                    own.insert(row.name.clone());
                }
                source.insert(row.name, package(&row.path));
            } else if row.kind == JAVASCRIPT {
                if !is_of_node(&row.path) {
                    own.insert(row.name.clone());
                }
                source.insert(row.name, package(&row.path));
            } else if [RUBY, PHP, PERL].contains(&&*row.kind) {
                if !is_of_package(&row.path) {
                    own.insert(row.name.clone());
                }
                source.insert(row.name, package(&row.path));
            } else if row.kind == JAVA {
                if !is_system_path(&row.path) {
                    own.insert(row.name.clone());
                }
                source.insert(row.name, package(&row.path));
            } else if !is_system_path(&row.path)
                && !is_of_python(&row.path)
                && !is_system_module(&row.name)
                && !is_interpreter(&row.name)
            {
                own.insert(row.name);
            } else if programs.contains(&row.name) {
                of_system.insert(row.name);
            }
        }
        Ok(Self {
            own,
            programs,
            of_system,
            source,
            paths,
        })
    }

    /// Returns whether the file is a program, a library, or something that the system maps for them.
    pub(crate) fn is_module(&self, path: &str) -> bool {
        self.paths.contains(path) || is_system_path(path) || path.starts_with("/etc/ld.so.")
    }

    /// Returns whether the module is a file of source that an interpreter runs.
    pub(crate) fn is_source(&self, name: &str) -> bool {
        self.source.contains_key(name)
    }

    /// Returns the installed package that a file of source belongs to.
    pub(crate) fn package(&self, name: &str) -> Option<&str> {
        self.source.get(name)?.as_deref()
    }

    /// Returns whether the frames of an interpreter's programs were recorded.
    pub(crate) fn has_source(&self) -> bool {
        !self.source.is_empty()
    }

    /// Returns whether the module is the user's own.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.own.contains(name)
    }

    /// Returns whether it is a program that came with the system.
    pub(crate) fn is_of_system(&self, name: &str) -> bool {
        self.of_system.contains(name)
    }

    /// Returns whether it is a program of the command.
    pub(crate) fn is_program(&self, name: &str) -> bool {
        self.programs.contains(name)
    }
}

fn last_part(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// The kinds of modules that are files of Python, Java, JavaScript, Ruby, PHP and Perl.
const PYTHON: &str = "python";
const JAVA: &str = "java";
const JAVASCRIPT: &str = "javascript";
const RUBY: &str = "ruby";
const PHP: &str = "php";
const PERL: &str = "perl";

/// Returns whether a file of Ruby, PHP or Perl belongs to the language or to an installed package. What a Perl program
/// evaluates has no file.
fn is_of_package(path: &str) -> bool {
    const FOLDERS: [&str; 7] = [
        "/gems/",
        "/lib/ruby/",
        "/rubygems/",
        "/vendor/",
        "/perl5/",
        "/site_perl/",
        "/vendor_perl/",
    ];
    path.starts_with("<internal:")
        || path.starts_with("(eval ")
        || is_system_path(path)
        || FOLDERS.iter().any(|folder| path.contains(folder))
}

/// Returns the installed package that a file of source belongs to: the folder in which its language keeps it.
fn package(path: &str) -> Option<String> {
    const FOLDERS: [&str; 4] = [
        "/site-packages/",
        "/dist-packages/",
        "/node_modules/",
        "/gems/",
    ];
    let ends = FOLDERS
        .iter()
        .filter_map(|folder| Some(path.rfind(folder)? + folder.len()));
    let rest = path.get(ends.max()?..)?;
    // Packages of Node.js may be in a folder of who publishes them.
    let parts = if rest.starts_with('@') { 2 } else { 1 };
    let (end, _) = rest.match_indices('/').nth(parts - 1)?;
    Some(rest[..end].to_owned())
}

/// Returns whether a file ships with Node.js, or belongs to an installed package.
fn is_of_node(path: &str) -> bool {
    path.is_empty()
        || path == "?"
        || path.starts_with("node:")
        || path.contains("/node_modules/")
        || is_system_path(path) && !path.starts_with("[eval")
}

/// Returns whether a file is of Python's own library or of an installed package.
fn is_of_python(path: &str) -> bool {
    const FOLDERS: [&str; 4] = [
        "/site-packages/",
        "/dist-packages/",
        "/lib/python3.",
        "/lib64/python3.",
    ];
    path.starts_with("<frozen ")
        || path == "[python runtime]"
        || FOLDERS.iter().any(|folder| path.contains(folder))
}

/// Returns whether a file is of the system, wherever it is installed to.
fn is_system_path(path: &str) -> bool {
    const FOLDERS: &[&str] = &[
        "/usr/",
        "/lib/",
        "/lib32/",
        "/lib64/",
        "/bin/",
        "/sbin/",
        "/nix/store/",
        "/snap/",
        // Java's library, whose files are named with their packages.
        "java/",
        "javax/",
        "jdk/",
        "sun/",
        "com/sun/",
        "[",
    ];
    let folder = FOLDERS.iter().any(|folder| path.starts_with(folder));
    folder || path.to_ascii_lowercase().contains("\\windows\\")
}

/// Returns whether a program or its library runs programs in a language of its own.
pub(crate) fn is_interpreter(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "python",
        "node",
        "java",
        "ruby",
        "perl",
        "php",
        "dotnet",
        "luajit",
        "lua",
        "mono-sgen",
        "mono",
        "libpython",
        "libjvm",
        "libnode",
        "libruby",
        "libperl",
        "libluajit",
        "liblua",
        "libmono",
        "libcoreclr",
        "libclrjit",
        "libjava",
        "libnio",
    ];
    let rest = NAMES.iter().find_map(|known| name.strip_prefix(known));
    rest.is_some_and(|rest| {
        let version = rest.strip_prefix('-');
        let is_version = version.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        is_version || !rest.starts_with(|c: char| c.is_ascii_lowercase() || c == '_' || c == '-')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_system() {
        for path in [
            "/usr/bin/sort",
            "/lib64/ld-linux.so.2",
            "[vdso]",
            "java/util/HashMap.java",
            "C:\\Windows\\System32\\ntdll.dll",
        ] {
            assert!(is_system_path(path), "{path}");
        }
        for path in [
            "/home/me/app",
            "/app/server",
            "shop/Cart.java",
            "/library/x",
            "D:\\work\\app.exe",
        ] {
            assert!(!is_system_path(path), "{path}");
        }
    }

    #[test]
    fn files_of_node() {
        for path in [
            "node:internal/timers",
            "/app/node_modules/express/lib/router.js",
            "/usr/share/nodejs/npm/lib/cli.js",
        ] {
            assert!(is_of_node(path), "{path}");
        }
        for path in ["/app/server.js", "evalmachine.<anonymous>", "[eval]"] {
            assert!(!is_of_node(path), "{path}");
        }
    }

    #[test]
    fn files_of_packages() {
        for path in [
            "/usr/share/perl/5.36/Time/Piece.pm",
            "/usr/local/lib/perl5/site_perl/5.38.2/JSON.pm",
            "/home/me/perl5/lib/perl5/Moo.pm",
            "/app/vendor/autoload.php",
            "(eval 12)",
        ] {
            assert!(is_of_package(path), "{path}");
        }
        for path in [
            "-e",
            "report.pl",
            "/home/me/perl/lib/Report.pm",
            "/srv/shop/lib/Cart.pm",
        ] {
            assert!(!is_of_package(path), "{path}");
        }
    }

    #[test]
    fn files_of_python() {
        for path in [
            "<frozen importlib._bootstrap>",
            "/usr/lib/python3.11/json/decoder.py",
            "/app/venv/lib/python3.9/site-packages/x/y.py",
            "/home/me/python/lib/python3.9/lib-dynload/_datetime.so",
        ] {
            assert!(is_of_python(path), "{path}");
        }
        for path in ["job.py", "/home/me/lib/python/job.py", "<string>"] {
            assert!(!is_of_python(path), "{path}");
        }
    }

    #[test]
    fn packages_of_files() {
        for (path, of) in [
            ("/app/venv/lib/python3.9/site-packages/x/y/z.py", Some("x")),
            ("/usr/lib/python3/dist-packages/six.py", None),
            ("/app/node_modules/a/node_modules/b/lib/c.js", Some("b")),
            ("/app/node_modules/@who/b/c.js", Some("@who/b")),
            (
                "/var/lib/gems/3.1.0/gems/rack-2.2/lib/rack.rb",
                Some("rack-2.2"),
            ),
            ("/usr/lib/python3.11/json/decoder.py", None),
            ("job.py", None),
        ] {
            assert_eq!(package(path).as_deref(), of, "{path}");
        }
    }

    #[test]
    fn interpreters() {
        for name in [
            "python3.11",
            "libpython3.11.so.1.0",
            "libruby-3.1.so.3.1.7",
            "node",
            "java",
            "perl5.36",
            "luajit-2.1.0-beta3",
            "lua5.4",
            "mono-sgen",
        ] {
            assert!(is_interpreter(name), "{name}");
        }
        for name in [
            "nodes",
            "javac",
            "python-script",
            "libperlite.so",
            "monotone",
            "app",
        ] {
            assert!(!is_interpreter(name), "{name}");
        }
    }
}
