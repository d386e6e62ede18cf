//! Address spaces: which image is mapped where in which process.
//!
//! Fed by the side-band records of the recording. A forked child shares its parent's table until
//! one of them changes it. An exited process keeps its table until enough others have exited,
//! because rings of several CPUs are drained one after another and a dump may come late.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::image::ImageId;
use super::{Limits, NewMapping};

/// Exited processes whose mappings are kept for late dumps.
const KEPT_EXITED: usize = 256;

/// One executable mapping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mapping {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) file_offset: u64,
    pub(super) image: ImageId,
}

/// The executable mappings of one process, sorted by address, without overlap.
#[derive(Debug, Clone, Default)]
pub(super) struct Space {
    mappings: Arc<Vec<Mapping>>,
    exited: bool,
}

impl Space {
    /// The mapping that contains `address`.
    pub(super) fn find(&self, address: u64) -> Option<&Mapping> {
        let after = self.mappings.partition_point(|m| m.start <= address);
        let mapping = self.mappings.get(after.checked_sub(1)?)?;
        (address < mapping.end).then_some(mapping)
    }

    fn cut(&mut self, start: u64, end: u64) {
        let first = self.mappings.partition_point(|m| m.end <= start);
        let last = self.mappings.partition_point(|m| m.start < end);
        if first >= last {
            return;
        }
        let mappings = Arc::make_mut(&mut self.mappings);
        let mut rest = Vec::with_capacity(2);
        for mapping in &mappings[first..last] {
            if mapping.start < start {
                rest.push(Mapping {
                    end: start,
                    ..*mapping
                });
            }
            if mapping.end > end {
                let file_offset = mapping.file_offset.wrapping_add(end - mapping.start);
                rest.push(Mapping {
                    start: end,
                    file_offset,
                    ..*mapping
                });
            }
        }
        mappings.splice(first..last, rest);
    }

    fn insert(&mut self, mapping: Mapping) {
        self.cut(mapping.start, mapping.end);
        let at = self.mappings.partition_point(|m| m.start < mapping.start);
        Arc::make_mut(&mut self.mappings).insert(at, mapping);
    }
}

/// The address spaces of all known processes.
#[derive(Debug)]
pub(super) struct Spaces {
    limits: Limits,
    by_pid: HashMap<u32, Space>,
    exited: VecDeque<u32>,
    refused: u64,
}

impl Spaces {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            limits,
            by_pid: HashMap::new(),
            exited: VecDeque::new(),
            refused: 0,
        }
    }

    pub(super) fn get(&self, pid: u32) -> Option<&Space> {
        self.by_pid.get(&pid)
    }

    pub(super) fn refused(&self) -> u64 {
        self.refused
    }

    pub(super) fn map(&mut self, pid: u32, new: &NewMapping<'_>, image: ImageId) {
        let full = self.by_pid.len() >= self.limits.max_processes;
        let known = self.by_pid.contains_key(&pid);
        if new.start >= new.end || (full && !known && !self.forget_oldest_exited()) {
            self.refused += 1;
            return;
        }
        let space = self.by_pid.entry(pid).or_default();
        if space.mappings.len() >= self.limits.max_mappings {
            self.refused += 1;
            return;
        }
        let NewMapping {
            start,
            end,
            file_offset,
            ..
        } = *new;
        space.insert(Mapping {
            start,
            end,
            file_offset,
            image,
        });
    }

    pub(super) fn unmap(&mut self, pid: u32, start: u64, end: u64) {
        if let Some(space) = self.by_pid.get_mut(&pid)
            && start < end
        {
            space.cut(start, end);
        }
    }

    pub(super) fn fork(&mut self, parent: u32, child: u32) {
        if parent == child {
            return;
        }
        let mut space = self.by_pid.get(&parent).cloned().unwrap_or_default();
        space.exited = false;
        let full = self.by_pid.len() >= self.limits.max_processes;
        if full && !self.by_pid.contains_key(&child) && !self.forget_oldest_exited() {
            self.refused += space.mappings.len() as u64;
            return;
        }
        self.by_pid.insert(child, space);
    }

    pub(super) fn exec(&mut self, pid: u32) {
        if let Some(space) = self.by_pid.get_mut(&pid) {
            *space = Space::default();
        }
    }

    pub(super) fn exit(&mut self, pid: u32) {
        let Some(space) = self.by_pid.get_mut(&pid) else {
            return;
        };
        if !space.exited {
            space.exited = true;
            self.exited.push_back(pid);
        }
        while self.exited.len() > KEPT_EXITED {
            self.forget_oldest_exited();
        }
    }

    /// Drops the process that exited first; false if none is left. A pid that was reused in
    /// between belongs to a living process and stays.
    fn forget_oldest_exited(&mut self) -> bool {
        while let Some(pid) = self.exited.pop_front() {
            if self.by_pid.get(&pid).is_some_and(|space| space.exited) {
                self.by_pid.remove(&pid);
                return true;
            }
        }
        false
    }
}
