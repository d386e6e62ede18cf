//! The problems of an extract that concern addresses without a name.

use whyslow_model::ProblemKind;
use whyslow_model::tables::ProblemRow;
use whyslow_symbols::Reason;

use crate::names::Named;

/// Updates the problems with the addresses that have no name now.
pub(crate) fn say_nameless(problems: &mut Vec<ProblemRow>, named: &Named) {
    let (unresolved, changed) = (ProblemKind::Unresolved, ProblemKind::ChangedModule);
    problems.retain(|row| row.kind != unresolved.name() && row.kind != changed.name());
    let is_changed = |reason: Reason| reason == Reason::FileReplaced;
    for kind in [unresolved, changed] {
        let wanted = named.unresolved.iter();
        let wanted = wanted.filter(|&(&reason, _)| is_changed(reason) == (kind == changed));
        let mut wanted: Vec<_> = wanted
            .map(|(reason, (count, module))| (*count, *reason, module))
            .collect();
        wanted.sort_by_key(|&(count, reason, _)| (std::cmp::Reverse(count), reason));
        let Some(&(_, most, _)) = wanted.first() else {
            continue;
        };
        let count: usize = wanted.iter().map(|&(count, _, _)| count).sum();
        let parts = wanted.iter().take(3).map(|(count, reason, module)| {
            let name = module.rsplit('/').next().unwrap_or(module);
            let example = if name.is_empty() {
                String::new()
            } else {
                format!(" (such as {name})")
            };
            format!("{count} because {reason}{example}")
        });
        let parts: Vec<String> = parts.collect();
        let total = count + named.named;
        problems.push(ProblemRow {
            kind: kind.name().to_owned(),
            severity: kind.severity().name().to_owned(),
            count: i64::try_from(count).unwrap_or(i64::MAX),
            first_offset: None,
            first_ns: None,
            detail: format!(
                "{count} of {total} code addresses have no name: {}",
                parts.join(", ")
            ),
            advice: most.advice().to_owned(),
        });
    }
    sort(problems);
}

/// Orders problems as they are declared.
fn sort(problems: &mut [ProblemRow]) {
    let place = |row: &ProblemRow| {
        let mut all = ProblemKind::ALL.iter();
        all.position(|kind| kind.name() == row.kind)
            .unwrap_or(usize::MAX)
    };
    problems.sort_by_key(place);
}
