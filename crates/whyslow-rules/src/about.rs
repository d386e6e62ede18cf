//! What rules are asked about: a command in the time in which it ran, or a machine.

use whyslow_explain::{Explained, Target};
use whyslow_query::error::QueryError;
use whyslow_query::facts::Facts;
use whyslow_query::scope::Scope;
use whyslow_query::{NamePattern, Selection, View};

use crate::rule::Rule;

/// What rules are asked about.
#[derive(Debug)]
pub(crate) struct About {
    /// What rules about the machine are asked about.
    pub(crate) target: Target,
    /// What rules about the command are asked about.
    pub(crate) command: Target,
    /// How long it took.
    pub(crate) wall_ns: i64,
}

impl About {
    /// Returns the command of an answer. It is cut to its time where its pid also stands for others.
    ///
    /// # Errors
    /// When a table cannot be read.
    pub(crate) fn command(
        view: View<'_>,
        target: &Target,
        answer: &Explained,
    ) -> Result<Self, QueryError> {
        let mut command = target.clone();
        let (from, to) = answer.span_ns;
        // Where nothing else has the pid there is no cut: counts of calls are no finer than a second.
        if has_more(view, target, (from, to))? {
            command.from_ns = Some(from);
            command.to_ns = Some(to.max(from.saturating_add(1)));
        }
        Ok(Self {
            target: target.clone(),
            command,
            wall_ns: answer.wall_ns,
        })
    }

    /// Returns what a rule is asked about.
    pub(crate) fn of(&self, rule: &Rule) -> &Target {
        match rule.asks.is_of_command {
            true => &self.command,
            false => &self.target,
        }
    }
}

/// Returns whether some of the processes of that pid, or of what these started, ran before or after the command.
fn has_more(view: View<'_>, target: &Target, span_ns: (i64, i64)) -> Result<bool, QueryError> {
    let Some(os_pid) = target.os_pid else {
        return Ok(false);
    };
    let facts = Facts::read(view)?;
    let selection = Selection {
        processes: Some(NamePattern::parse(&os_pid.to_string())),
        with_children: true,
        ..Selection::default()
    };
    let scope = Scope::new(view, &facts, &selection)?;
    let rows = &facts.processes;
    let mut became = vec![false; rows.len()];
    for before in rows.iter().filter_map(|row| row.predecessor) {
        if let Some(became) = became.get_mut(before.index()) {
            *became = true;
        }
    }
    let first = target.from_ns.unwrap_or(0);
    let last = target.to_ns.unwrap_or(i64::MAX).min(facts.duration_ns());
    let mut chosen = scope.processes.iter().zip(rows).zip(became);
    Ok(chosen.any(|((is_chosen, row), became)| {
        let from = row.start_ns.unwrap_or(first).max(first);
        let to = row.end_ns.unwrap_or(last).min(last);
        // What became the command by exec, a moment ago, was its starter.
        let is_before = from < span_ns.0 && !became;
        *is_chosen && from <= to && (is_before || to > span_ns.1)
    }))
}
