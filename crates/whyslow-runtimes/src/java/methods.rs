//! The methods of Java programs, and the functions that they are.

use std::collections::HashMap;
use std::sync::Arc;

use whyslow_perfdata::whyslow_events::CodeLanguage;
use whyslow_symbols::jvm::{Inlined, Method};

use super::machines::JavaMachine;
use crate::functions::{Described, Functions};

/// The file name for code that the virtual machine makes for itself.
const OF_MACHINE: &str = "[java runtime]";
/// Methods that are remembered of a process.
const MOST_METHODS: usize = 256 << 10;

/// The methods of all processes.
#[derive(Debug, Default)]
pub(super) struct Methods {
    /// By process and address, what it was and its number.
    methods: HashMap<u32, HashMap<u64, (Arc<Method>, usize)>>,
}

impl Methods {
    /// The address that represents a method at a place; `None`: it is not known.
    pub(super) fn address(
        &mut self,
        pid: u32,
        machine: &mut JavaMachine,
        inlined: Inlined,
        functions: &mut Functions,
    ) -> Option<u64> {
        let method = machine
            .cache
            .method(&machine.memory, machine.now_ns, inlined.method)?;
        let known = self.methods.get(&pid);
        let known = known.and_then(|methods| methods.get(&inlined.method));
        let known = known.filter(|(known, _)| Arc::ptr_eq(known, &method));
        let number = match known {
            Some(&(_, number)) => number,
            None => self.add(pid, inlined.method, &method, functions)?,
        };
        let line = inlined.bytecode.and_then(|bytecode| method.line(bytecode));
        functions.address(number, line)
    }

    /// Process `pid` ended.
    pub(super) fn exit(&mut self, pid: u32) {
        self.methods.remove(&pid);
    }

    fn add(
        &mut self,
        pid: u32,
        address: u64,
        method: &Arc<Method>,
        functions: &mut Functions,
    ) -> Option<usize> {
        let number = functions.number(Described {
            language: CodeLanguage::Java,
            name: method.name.clone(),
            file: method.file.clone(),
            lines: method.line_range().unwrap_or((0, 0)),
        })?;
        let methods = self.methods.entry(pid).or_default();
        if methods.len() < MOST_METHODS {
            methods.insert(address, (Arc::clone(method), number));
        }
        Some(number)
    }
}

/// The address that represents code of the virtual machine itself.
pub(super) fn of_machine(name: &str, functions: &mut Functions) -> Option<u64> {
    let number = functions.number(Described {
        language: CodeLanguage::Java,
        name: name.to_owned(),
        file: OF_MACHINE.to_owned(),
        lines: (0, 0),
    })?;
    functions.address(number, None)
}
