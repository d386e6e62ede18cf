//! Tail calls: what programs end in, because it has to run at the same tracepoint (`bpf/ends.h`).
//!
//! Where several programs are attached to one tracepoint, the kernel calls each of them through a list: on a
//! processor with mitigations, the second one at `sys_exit` costs every system call of the machine some 45 ns,
//! even if it does nothing. A jump from one program to the next costs 7 ns. So only one is attached, and it
//! ends in the others.

use aya::Ebpf;
use aya::maps::{MapData, ProgramArray};
use aya::programs::ProgramFd;

use crate::error::{BpfError, MISSING};

/// Where a program can end in another one: the maps in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// Of a switch.
    Switch,
    /// Of a system call, and of one whose run is measured (`bpf/share.h`).
    Call,
    MeasuredCall,
    /// Of a call that accepted a connection, before [`End::Call`].
    Accept,
    /// Of sending and of receiving a datagram (`bpf/asked.h`).
    Sent,
    Received,
}

impl End {
    /// The map, and the place in it.
    fn place(self) -> (&'static str, u32) {
        match self {
            Self::Switch => ("then_switch", 0),
            Self::Call => ("then_call", 0),
            Self::MeasuredCall => ("then_call", 1),
            Self::Accept => ("then_accept", 0),
            Self::Sent => ("then_sent", 0),
            Self::Received => ("then_received", 0),
        }
    }
}

/// The ends of the programs of one object, or of several.
#[derive(Default)]
pub(crate) struct Ends(Vec<(&'static str, ProgramArray<MapData>)>);

/// The maps of all ends.
const MAPS: [&str; 5] = [
    "then_switch",
    "then_call",
    "then_accept",
    "then_sent",
    "then_received",
];

impl Ends {
    /// Takes those of an object.
    pub(crate) fn take(ebpf: &mut Ebpf) -> Result<Self, BpfError> {
        let mut ends = Self::default();
        for name in MAPS {
            if let Some(map) = ebpf.take_map(name) {
                let map = ProgramArray::try_from(map);
                let map = map.map_err(|error| BpfError::refused("a map", &error))?;
                ends.0.push((name, map));
            }
        }
        match ends.0.is_empty() {
            true => Err(MISSING),
            false => Ok(ends),
        }
    }

    /// Adds those of another object, which then end in the same.
    pub(crate) fn add(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// Makes all programs end in `program` there, or in none.
    pub(crate) fn set(&mut self, end: End, program: Option<&ProgramFd>) -> Result<(), BpfError> {
        let (name, place) = end.place();
        for (_, map) in self.0.iter_mut().filter(|(of, _)| *of == name) {
            match program {
                Some(program) => map
                    .set(place, program, 0)
                    .map_err(|error| BpfError::refused("a program that others end in", &error))?,
                // There may be none.
                None => _ = map.clear_index(&place),
            }
        }
        Ok(())
    }
}
