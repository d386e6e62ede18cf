//! The functions of Python programs, numbered by the addresses that represent them.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use whyslow_perfdata::whyslow_events::{CODE_ADDRESSES, CodeLanguage, CodeObject};
use whyslow_symbols::python::Lines;

use crate::bpf::python::payload::Code;

/// The file name for what the interpreter itself does.
const OF_INTERPRETER: &str = "[python runtime]";
/// Most functions that are distinguished, over all processes.
const MOST_FUNCTIONS: usize = 256 << 10;
/// Most code objects that are remembered per process.
const MOST_CODES: usize = 256 << 10;
/// Lines that one function may span.
const MOST_LINES: u32 = 1 << 20;

/// All functions.
#[derive(Debug, Default)]
pub(super) struct Functions {
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

#[derive(Debug)]
struct Function {
    object: CodeObject,
    lines: Lines,
}

impl Functions {
    /// Takes a code object of process `pid`, which runs Python 3.`minor`; returns the function if
    /// it is new.
    pub(super) fn add(&mut self, pid: u32, minor: u32, code: &Code<'_>) -> Option<CodeObject> {
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
        let known = self.by_content.get(&content).copied();
        let number = known.unwrap_or(self.all.len());
        if number >= MOST_FUNCTIONS {
            self.refused += 1;
            return None;
        }
        let of_process = self.codes.entry(pid).or_default();
        if of_process.len() < MOST_CODES {
            of_process.insert((code.code, code.sum), number);
        } else {
            self.refused += 1;
        }
        if known.is_some() {
            return None;
        }
        let first_line = lines
            .all()
            .min()
            .unwrap_or(code.first_line)
            .min(code.first_line);
        let last_line = lines.all().max().unwrap_or(code.first_line);
        let object = CodeObject {
            language: CodeLanguage::Python,
            address: CODE_ADDRESSES.start + self.next,
            first_line,
            n_lines: last_line.saturating_sub(first_line).min(MOST_LINES) + 1,
            name,
            file,
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
    pub(super) fn address(&self, pid: u32, code: (u64, u32), offset: Option<u32>) -> Option<u64> {
        let number = *self.codes.get(&pid)?.get(&code)?;
        let Function { object, lines } = self.all.get(number)?;
        let line = lines.at(offset.unwrap_or(0));
        Some(object.address_of_line(line))
    }

    /// Whether a code object of process `pid` is a function of this name; since 3.11 its class precedes it.
    pub(super) fn is_called(&self, pid: u32, code: (u64, u32), name: &str) -> bool {
        let number = self.codes.get(&pid).and_then(|codes| codes.get(&code));
        let function = number.and_then(|&number| self.all.get(number));
        function.is_some_and(|function| function.object.name.rsplit('.').next() == Some(name))
    }

    /// The address that represents a function of the interpreter itself that its file does not name.
    pub(super) fn of_interpreter(&mut self, name: &'static str) -> u64 {
        if let Some(&address) = self.of_interpreter.get(name) {
            return address;
        }
        let object = CodeObject {
            language: CodeLanguage::Python,
            address: CODE_ADDRESSES.start + self.next,
            first_line: 0,
            n_lines: 1,
            name: name.to_owned(),
            file: OF_INTERPRETER.to_owned(),
        };
        let address = object.address_of_line(None);
        self.next += object.size();
        self.of_interpreter.insert(name, address);
        self.untold.push(object);
        address
    }

    /// Takes the functions of interpreters that were not written yet.
    pub(super) fn take_untold(&mut self) -> Vec<CodeObject> {
        std::mem::take(&mut self.untold)
    }

    /// How often a function exceeded the limit.
    pub(super) fn refused(&self) -> u64 {
        self.refused
    }

    /// Process `pid` ended.
    pub(super) fn exit(&mut self, pid: u32) {
        self.codes.remove(&pid);
    }
}
