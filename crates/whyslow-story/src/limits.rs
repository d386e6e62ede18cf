//! The limits that the command's processes were under.

use whyslow_model::ProcessId;
use whyslow_query::View;
use whyslow_query::error::QueryError;
use whyslow_query::facts::Facts;
use whyslow_query::groups::{Groups, Resource, Usage};

use crate::command::Command;

/// Limits of groups of processes, while the command ran.
#[derive(Debug, Default)]
pub struct Limits {
    groups: Groups,
    span_ns: (i64, i64),
}

impl Limits {
    /// Reads them.
    pub fn read(view: View<'_>, command: &Command) -> Result<Self, QueryError> {
        Ok(Self {
            groups: Groups::read(view)?,
            span_ns: command.span_ns,
        })
    }

    /// Returns the group whose quota of CPU time held a process back most, with what it used while the
    /// command ran.
    pub fn quota_of(&self, facts: &Facts, process: ProcessId, ns: i64) -> Option<Usage<'_>> {
        let group = self.groups.of(facts, process, Resource::Cpu, ns)?;
        let limits = self.groups.limits(group);
        let limits = limits.filter_map(|group| self.groups.usage(group, self.span_ns));
        let limits = limits.filter(|usage| usage.throttled_periods > Some(0));
        // Of several with the same value, the outermost one.
        limits.max_by_key(|usage| usage.throttled_periods)
    }
}
