//! The methods of Java programs, numbered by the addresses that stand for them.

use std::collections::HashMap;
use std::sync::Arc;

use whyslow_perfdata::whyslow_events::{CODE_ADDRESSES, CodeLanguage, CodeObject};
use whyslow_symbols::jvm::{Inlined, Method};

use super::machines::Machine;

/// The first address; the lower half is Python's.
const FIRST: u64 = CODE_ADDRESSES.start + (CODE_ADDRESSES.end - CODE_ADDRESSES.start) / 2;
/// What stands for the file of code that the virtual machine makes for itself.
const OF_MACHINE: &str = "[java runtime]";
/// Methods that are told apart, over all processes.
const MOST_FUNCTIONS: usize = 256 << 10;
/// Methods that are remembered of a process.
const MOST_METHODS: usize = 256 << 10;
/// Lines that one method may span.
const MOST_LINES: u32 = 64 << 10;

/// All methods.
#[derive(Debug, Default)]
pub(super) struct Functions {
    all: Vec<CodeObject>,
    by_content: HashMap<(String, String, u32), usize>,
    /// By process and address, what it was and its number.
    methods: HashMap<u32, HashMap<u64, (Arc<Method>, usize)>>,
    /// How many were told.
    told: usize,
    used: u64,
}

impl Functions {
    /// The address that stands for a method at a place; `None`: it is not known.
    pub(super) fn address(
        &mut self,
        pid: u32,
        machine: &mut Machine,
        inlined: Inlined,
    ) -> Option<u64> {
        let method = machine
            .cache
            .method(&machine.memory, machine.now_ns, inlined.method)?;
        let known = self.methods.get(&pid);
        let known = known.and_then(|methods| methods.get(&inlined.method));
        let known = known.filter(|(known, _)| Arc::ptr_eq(known, &method));
        let number = match known {
            Some(&(_, number)) => number,
            None => self.add(pid, inlined.method, &method)?,
        };
        let line = inlined.bytecode.and_then(|bytecode| method.line(bytecode));
        Some(self.all.get(number)?.address_of_line(line))
    }

    /// Process `pid` ended.
    pub(super) fn exit(&mut self, pid: u32) {
        self.methods.remove(&pid);
    }

    /// Takes the methods that nobody was told of.
    pub(super) fn take_new(&mut self) -> Vec<CodeObject> {
        let new = self.all.get(self.told..).unwrap_or_default().to_vec();
        self.told = self.all.len();
        new
    }

    /// The address that stands for code of the virtual machine itself.
    pub(super) fn of_machine(&mut self, name: &str) -> Option<u64> {
        let number = self.number(name, OF_MACHINE, (0, 0))?;
        Some(self.all.get(number)?.address_of_line(None))
    }

    /// Numbers what is called `name`.
    fn number(&mut self, name: &str, file: &str, (first, last): (u32, u32)) -> Option<usize> {
        let content = (name.to_owned(), file.to_owned(), first);
        if let Some(&number) = self.by_content.get(&content) {
            return Some(number);
        }
        if self.all.len() >= MOST_FUNCTIONS {
            return None;
        }
        let object = CodeObject {
            language: CodeLanguage::Java,
            address: FIRST + self.used,
            first_line: first,
            n_lines: (last - first).min(MOST_LINES) + 1,
            name: name.to_owned(),
            file: file.to_owned(),
        };
        self.used += object.size();
        self.by_content.insert(content, self.all.len());
        self.all.push(object);
        Some(self.all.len() - 1)
    }

    fn add(&mut self, pid: u32, address: u64, method: &Arc<Method>) -> Option<usize> {
        let lines = method.line_range().unwrap_or((0, 0));
        let number = self.number(&method.name, &method.file, lines)?;
        let methods = self.methods.entry(pid).or_default();
        if methods.len() < MOST_METHODS {
            methods.insert(address, (Arc::clone(method), number));
        }
        Some(number)
    }
}
