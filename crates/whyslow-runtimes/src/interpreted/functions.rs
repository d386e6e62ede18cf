//! The functions of interpreted programs, numbered by the addresses that represent them.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use whyslow_perfdata::whyslow_events::{CODE_ADDRESSES, CodeLanguage, CodeObject};
use whyslow_symbols::python::Lines;
use whyslow_symbols::script::RubyLines;

use super::Runs;
use super::payload::{Code, ScriptCode, ScriptLines};

/// What stands for the file of what PHP itself does.
const OF_PHP: &str = "[php]";
/// What stands for the statements of a Perl program that are in no subroutine, and for those of a file that it
/// requires.
const PERL_MAIN: &str = "<main>";
const PERL_REQUIRED: &str = "<top (required)>";
/// Lines that a subroutine of Perl may span, beyond the first one: it does not know its last one.
const MOST_PERL_LINES: u32 = 64 << 10;
/// Functions that are told apart, over all processes.
const MOST_FUNCTIONS: usize = 256 << 10;
/// Most code objects that are remembered per process.
const MOST_CODES: usize = 256 << 10;
/// Lines that one function may span.
const MOST_LINES: u32 = 1 << 20;

/// All functions.
#[derive(Debug, Default)]
pub struct Functions {
    all: Vec<Function>,
    by_content: HashMap<u64, usize>,
    /// By process: code objects, by address and sum.
    codes: HashMap<u32, HashMap<(u64, u32), usize>>,
    next: u64,
    /// What the interpreter itself does, by name.
    of_interpreter: HashMap<&'static str, u64>,
    /// Those that are still to be written.
    untold: Vec<CodeObject>,
    /// Functions beyond the limit.
    refused: u64,
}

/// What is reported about a function.
struct Described {
    language: CodeLanguage,
    name: String,
    file: String,
    /// The first and the last line.
    span: (u32, u32),
}

#[derive(Debug)]
struct Function {
    object: CodeObject,
    lines: Places,
}

/// How the places in a function tell their lines.
#[derive(Debug)]
enum Places {
    Python(Lines),
    Ruby(RubyLines),
    /// The place is the line.
    Lines,
}

impl Places {
    fn line(&self, place: Option<u32>) -> Option<u32> {
        match self {
            Self::Python(lines) => lines.at(place.unwrap_or(0)),
            Self::Ruby(lines) => lines.at(place.unwrap_or(0)),
            Self::Lines => place,
        }
    }
}

impl Functions {
    /// Takes a code object of process `pid`, which runs Python 3.`minor`; returns the function if
    /// it is new.
    pub fn add(&mut self, pid: u32, minor: u32, code: &Code<'_>) -> Option<CodeObject> {
        let (name, file) = (code.name.text(), code.file.text());
        let lines = Lines::read(minor, code.first_line, code.lines);
        // The interpreter's own, which it puts between frames to begin and end them, have no
        // source.
        if name == file && lines.all().next().is_none() {
            return None;
        }
        let mut hasher = DefaultHasher::new();
        (&name, &file, minor, code.first_line, code.lines).hash(&mut hasher);
        let content = hasher.finish();
        let span = lines
            .all()
            .chain([code.first_line])
            .fold((u32::MAX, 0), |(first, last), line| {
                (first.min(line), last.max(line))
            });
        let described = Described {
            language: CodeLanguage::Python,
            name,
            file,
            span,
        };
        self.number(
            pid,
            (code.code, code.sum),
            content,
            described,
            Places::Python(lines),
        )
    }

    /// Takes a code object of process `pid`, which runs Ruby, PHP or Perl; returns the function if it is new.
    pub fn add_script(
        &mut self,
        pid: u32,
        runs: Runs,
        code: &ScriptCode<'_>,
    ) -> Option<CodeObject> {
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        let (class, name) = (text(code.name.0), text(code.name.1));
        let mut hasher = DefaultHasher::new();
        (&class, &name, code.file, code.lines).hash(&mut hasher);
        let content = hasher.finish();
        let described = match (code.lines, runs) {
            (ScriptLines::Ruby(entries, index), Runs::Ruby { entry_bytes }) => {
                let lines = RubyLines::read(entries, entry_bytes, index);
                let first = lines.all().min()?;
                let last = lines.all().max()?;
                let described = Described {
                    language: CodeLanguage::Ruby,
                    name,
                    file: text(code.file),
                    span: (first, last),
                };
                (described, Places::Ruby(lines))
            }
            (ScriptLines::Php(first, last), Runs::Php) => {
                let described = Described {
                    language: CodeLanguage::Php,
                    name: match (&*class, &*name) {
                        ("", "") => "{main}".to_owned(),
                        ("", name) => name.to_owned(),
                        (class, name) => format!("{class}::{name}"),
                    },
                    file: match code.file {
                        [] => OF_PHP.to_owned(),
                        file => text(file),
                    },
                    span: (first, last),
                };
                (described, Places::Lines)
            }
            (ScriptLines::Perl(first), Runs::Perl) => {
                let described = Described {
                    language: CodeLanguage::Perl,
                    name: format!("{class}::{name}"),
                    file: text(code.file),
                    span: (first, first.saturating_add(MOST_PERL_LINES)),
                };
                (described, Places::Lines)
            }
            (ScriptLines::PerlFile(is_required), Runs::Perl) => {
                let name = if is_required {
                    PERL_REQUIRED
                } else {
                    PERL_MAIN
                };
                let described = Described {
                    language: CodeLanguage::Perl,
                    name: name.to_owned(),
                    file: text(code.file),
                    span: (1, MOST_LINES),
                };
                (described, Places::Lines)
            }
            _ => return None,
        };
        let (described, places) = described;
        self.number(pid, (code.code, code.sum), content, described, places)
    }

    /// Numbers a function that holds `content`; returns it if it is new.
    fn number(
        &mut self,
        pid: u32,
        code: (u64, u32),
        content: u64,
        described: Described,
        lines: Places,
    ) -> Option<CodeObject> {
        let known = self.by_content.get(&content).copied();
        let number = known.unwrap_or(self.all.len());
        if number >= MOST_FUNCTIONS {
            self.refused += 1;
            return None;
        }
        let of_process = self.codes.entry(pid).or_default();
        if of_process.len() < MOST_CODES {
            of_process.insert(code, number);
        } else {
            self.refused += 1;
        }
        if known.is_some() {
            return None;
        }
        let (first_line, last_line) = described.span;
        let object = CodeObject {
            language: described.language,
            address: CODE_ADDRESSES.start + self.next,
            first_line,
            n_lines: last_line.saturating_sub(first_line).min(MOST_LINES) + 1,
            name: described.name,
            file: described.file,
        };
        self.next += object.size();
        self.by_content.insert(content, number);
        self.all.push(Function {
            object: object.clone(),
            lines,
        });
        Some(object)
    }

    /// The address that represents the instruction at `offset` bytes (`None`: not begun) of a code
    /// object of process `pid`; `None`: the code object is not known.
    pub fn address(&self, pid: u32, code: (u64, u32), offset: Option<u32>) -> Option<u64> {
        let number = *self.codes.get(&pid)?.get(&code)?;
        let Function { object, lines } = self.all.get(number)?;
        Some(object.address_of_line(lines.line(offset)))
    }

    /// Whether a code object of process `pid` is a function of this name; since 3.11 its class precedes it.
    pub fn is_called(&self, pid: u32, code: (u64, u32), name: &str) -> bool {
        let number = self.codes.get(&pid).and_then(|codes| codes.get(&code));
        let function = number.and_then(|&number| self.all.get(number));
        function.is_some_and(|function| function.object.name.rsplit('.').next() == Some(name))
    }

    /// The address that stands for a function of the interpreter itself, whose file does not name it.
    pub fn of_interpreter(&mut self, runs: Runs, name: &'static str) -> u64 {
        if let Some(&address) = self.of_interpreter.get(name) {
            return address;
        }
        let (language, file) = match runs {
            Runs::Python { .. } => (CodeLanguage::Python, "[python runtime]"),
            Runs::Ruby { .. } => (CodeLanguage::Ruby, "[ruby]"),
            Runs::Php => (CodeLanguage::Php, OF_PHP),
            Runs::Perl => (CodeLanguage::Perl, "[perl]"),
        };
        let object = CodeObject {
            language,
            address: CODE_ADDRESSES.start + self.next,
            first_line: 0,
            n_lines: 1,
            name: name.to_owned(),
            file: file.to_owned(),
        };
        let address = object.address_of_line(None);
        self.next += object.size();
        self.of_interpreter.insert(name, address);
        self.untold.push(object);
        address
    }

    /// Takes the functions of interpreters that were not written yet.
    pub fn take_untold(&mut self) -> Vec<CodeObject> {
        std::mem::take(&mut self.untold)
    }

    /// How often a function exceeded the limit.
    pub fn refused(&self) -> u64 {
        self.refused
    }

    /// Process `pid` ended.
    pub fn exit(&mut self, pid: u32) {
        self.codes.remove(&pid);
    }
}

#[cfg(test)]
mod tests {
    use super::super::payload::{Event, Payload};
    use super::*;

    /// `struct code` of a subroutine or file of Perl.
    fn perl(code: u64, first_line: u32, package: &str, name: &str, is_required: bool) -> Vec<u8> {
        let file = "/home/me/report.pl";
        let length = |bytes: usize| u32::try_from(bytes).expect("a short text");
        let mut raw = Vec::new();
        let put = |raw: &mut Vec<u8>, words: &[u32]| {
            raw.extend(words.iter().flat_map(|word| word.to_ne_bytes()));
        };
        put(&mut raw, &[5, 0, 7, 7, 0, 0]);
        raw.extend(code.to_ne_bytes());
        put(&mut raw, &[8, first_line]);
        put(
            &mut raw,
            &[
                length(package.len()),
                length(package.len() + name.len()),
                0,
                0,
            ],
        );
        put(&mut raw, &[length(file.len()), length(file.len()), 0, 0]);
        put(&mut raw, &[is_required.into(), 0, 0, 0]);
        raw.extend_from_slice(package.as_bytes());
        raw.extend_from_slice(name.as_bytes());
        raw.extend_from_slice(file.as_bytes());
        raw
    }

    fn added(functions: &mut Functions, raw: &[u8]) -> Option<CodeObject> {
        let payload = Payload::parse(raw).expect("a payload");
        let Event::Script(code) = payload.event else {
            panic!("{payload:?}");
        };
        functions.add_script(payload.pid, Runs::Perl, &code)
    }

    #[test]
    fn subroutines_of_perl_have_their_package_and_files_have_none() {
        let mut functions = Functions::default();
        let sub = added(&mut functions, &perl(1, 12, "Club::Mail", "send", false));
        let sub = sub.expect("a subroutine");
        assert_eq!(
            (&*sub.name, &*sub.file),
            ("Club::Mail::send", "/home/me/report.pl")
        );
        assert_eq!((sub.language, sub.first_line), (CodeLanguage::Perl, 12));
        let main = added(&mut functions, &perl(2, 0, "", "", false));
        assert_eq!(main.expect("a file").name, "<main>");
        let required = added(&mut functions, &perl(3, 0, "", "", true));
        assert_eq!(required.expect("a file").name, "<top (required)>");
        // The place is the line.
        let at = functions.address(7, (1, 8), Some(14));
        assert_eq!(at, Some(sub.address_of_line(Some(14))));
        let before = functions.address(7, (1, 8), Some(3));
        assert_eq!(before, Some(sub.address_of_line(None)));
        assert_eq!(functions.address(7, (1, 6), Some(14)), None);
        // The same subroutine in another process.
        assert_eq!(
            added(&mut functions, &perl(9, 12, "Club::Mail", "send", false)),
            None
        );
    }

    #[test]
    fn what_is_cut_is_no_code_object() {
        let whole = perl(1, 12, "main", "total", false);
        for end in 0..whole.len() {
            assert_eq!(Payload::parse(&whole[..end]), None, "{end}");
        }
    }
}
