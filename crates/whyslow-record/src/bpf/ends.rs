//! Tail calls: what programs end in, because it has to run at the same tracepoint (`bpf/ends.h`).
//!
//! Where several programs are attached to one tracepoint, the kernel calls each of them through a list: on a
//! processor with mitigations, the second one at `sys_exit` costs every system call of the machine some 45 ns,
//! even if it does nothing. A jump from one program to the next costs 7 ns. So only one is attached, and it
//! ends in the others.

use aya::Ebpf;
use aya::maps::{MapData, ProgramArray};
use aya::programs::ProgramFd;

use super::error::BpfError;
use super::loading::MISSING;

/// Where a program can end in another one: the maps in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// Of a switch.
    Switch,
    /// Of a system call.
    Call,
    /// Of a call that accepted a connection, before [`End::Call`].
    Accept,
    /// Of sending and of receiving a datagram (`bpf/asked.h`).
    Sent,
    Received,
}

impl End {
    const ALL: [Self; 5] = [
        Self::Switch,
        Self::Call,
        Self::Accept,
        Self::Sent,
        Self::Received,
    ];

    fn map(self) -> &'static str {
        match self {
            Self::Switch => "then_switch",
            Self::Call => "then_call",
            Self::Accept => "then_accept",
            Self::Sent => "then_sent",
            Self::Received => "then_received",
        }
    }
}

/// The ends of the programs of one object, or of several.
#[derive(Default)]
pub(super) struct Ends(Vec<(End, ProgramArray<MapData>)>);

impl Ends {
    /// Takes those of an object.
    pub(super) fn take(ebpf: &mut Ebpf) -> Result<Self, BpfError> {
        let mut ends = Self::default();
        for end in End::ALL {
            if let Some(map) = ebpf.take_map(end.map()) {
                let map = ProgramArray::try_from(map);
                let map = map.map_err(|error| BpfError::refused("a map", &error))?;
                ends.0.push((end, map));
            }
        }
        match ends.0.is_empty() {
            true => Err(MISSING),
            false => Ok(ends),
        }
    }

    /// Adds those of another object, which then end in the same.
    pub(super) fn add(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// Makes all programs end in `program` there, or in none.
    pub(super) fn set(&mut self, end: End, program: Option<&ProgramFd>) -> Result<(), BpfError> {
        for (_, map) in self.0.iter_mut().filter(|(of, _)| *of == end) {
            match program {
                Some(program) => map
                    .set(0, program, 0)
                    .map_err(|error| BpfError::refused("a program that others end in", &error))?,
                // There may be none.
                None => _ = map.clear_index(&0),
            }
        }
        Ok(())
    }
}
