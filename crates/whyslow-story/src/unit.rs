//! What distinguishes the processes of a compiler: the file or the crate that each one compiles.

use whyslow_query::called;

/// Compilers of C and its relatives: the programs that translate, and those that call them.
const OF_C: [&str; 12] = [
    "cc1",
    "cc1plus",
    "cc1obj",
    "cc1objplus",
    "f951",
    "gcc",
    "g++",
    "cc",
    "c++",
    "gfortran",
    "clang",
    "clang++",
];

/// How the names of their sources end.
const SOURCES: [&str; 15] = [
    ".c", ".C", ".cc", ".cpp", ".cxx", ".c++", ".m", ".mm", ".i", ".ii", ".f", ".f90", ".F90",
    ".s", ".S",
];

/// Their options whose next word is a value that may look like a source.
const WITH_VALUE: [&str; 15] = [
    "-o",
    "-D",
    "-U",
    "-I",
    "-x",
    "-MF",
    "-MT",
    "-MQ",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-dumpbase",
    "-auxbase",
    "-main-file-name",
];

/// Returns the source file, with its folder, or the crate or package that a compiler with this command line translates.
pub fn of(line: &str) -> Option<String> {
    let words = called::words(line);
    let (program, arguments) = words.split_first()?;
    let program = program.rsplit('/').next()?;
    let after = |option: &str| {
        let at = arguments.iter().position(|word| word == option)?;
        arguments.get(at + 1).map(String::as_str)
    };
    let is_version = |rest: &str| {
        rest.bytes()
            .all(|b| b.is_ascii_digit() || b == b'-' || b == b'.')
    };
    if program == "rustc" {
        let name = after("--crate-name")?;
        // All build scripts have the same name.
        return match name.starts_with("build_script") {
            true => arguments
                .iter()
                .find(|word| word.ends_with(".rs"))
                .map(|file| short(file)),
            false => Some(name.to_owned()),
        };
    }
    if program == "compile" {
        return after("-p").map(str::to_owned);
    }
    // A target may stand before the name: `x86_64-linux-gnu-gcc-12`.
    let is_of_c = |known: &str| {
        let end = program
            .rfind(known)
            .filter(|&at| at == 0 || program[..at].ends_with('-'));
        end.is_some_and(|at| is_version(&program[at + known.len()..]))
    };
    if !OF_C.iter().any(|known| is_of_c(known)) {
        return None;
    }
    let before = std::iter::once("").chain(arguments.iter().map(String::as_str));
    let mut sources = before.zip(arguments).filter(|(before, word)| {
        let is_source = SOURCES.iter().any(|end| word.ends_with(end));
        // For `cc1` these options take a file name; for the driver they take no value.
        let is_of_driver = program.starts_with("cc1") && ["-MD", "-MMD"].contains(before);
        is_source && !word.starts_with('-') && !WITH_VALUE.contains(before) && !is_of_driver
    });
    sources.next().map(|(_, file)| short(file))
}

/// Returns a file with the last of its folders.
fn short(file: &str) -> String {
    let from = file.rmatch_indices('/').nth(1).map_or(0, |(at, _)| at + 1);
    file[from..].to_owned()
}

/// Returns the command line of a compiler without what is the same for all it translates: `cc1 … src/parser.c`; `None` if
/// it is shorter than `letters` anyway, or of another program.
pub fn brief(line: &str, letters: usize) -> Option<String> {
    line.char_indices().nth(letters)?;
    let unit = of(line)?;
    let program = line.split(' ').next()?.rsplit('/').next()?;
    Some(format!("{program} … {unit}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilers_go_by_what_they_translate() {
        for (line, unit) in [
            (
                "/usr/lib/gcc/12/cc1 -quiet -imultiarch x -D A=b.c sqlite3/sqlite3.c -dumpbase 80-sqlite3.c -o /tmp/x.s",
                Some("sqlite3/sqlite3.c"),
            ),
            (
                "x86_64-linux-gnu-gcc-12 -MF x.c -c /home/me/app/src/parser.cc",
                Some("src/parser.cc"),
            ),
            ("clang++-14 -O2 -c main.cpp -o main.o", Some("main.cpp")),
            (
                "/x/bin/rustc --crate-name rusqlite --edition=2024 /r/rusqlite-0.43.0/src/lib.rs",
                Some("rusqlite"),
            ),
            (
                "rustc --crate-name build_script_build --edition=2021 /r/cc-1.2/build.rs -C opt-level=0",
                Some("cc-1.2/build.rs"),
            ),
            (
                "/go/pkg/tool/compile -o $WORK/_pkg_.a -p net/http -std a.go b.go",
                Some("net/http"),
            ),
            ("gcc -o app a.o b.o", None),
            ("scc1 main.c", None),
            ("cat main.c", None),
            ("rustc -vV", None),
            ("", None),
        ] {
            assert_eq!(of(line).as_deref(), unit, "{line}");
        }
    }

    #[test]
    fn a_long_command_line_is_cut_to_what_tells_it_apart() {
        let line =
            "/usr/lib/gcc/12/cc1 -quiet -imultiarch x86_64-linux-gnu -D A src/parser.c -quiet";
        assert_eq!(brief(line, 60).as_deref(), Some("cc1 … src/parser.c"));
        assert_eq!(brief("cc1 src/parser.c", 60), None);
        assert_eq!(brief(&format!("sort {}", "x".repeat(80)), 60), None);
    }
}
