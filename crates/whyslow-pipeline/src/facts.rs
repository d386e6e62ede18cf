//! What is known about a recording before it is read: its id, its size, the information in its
//! name.

use std::path::Path;

use whyslow_extract::name::TestName;
use whyslow_import::TraceFacts;
use whyslow_source::{Error, ErrorKind, Part, joined_id, trace_id};

/// Returns what is known about a recording in several files before it is read.
pub(crate) fn facts_of(parts: &[Part]) -> Result<TraceFacts, Error> {
    let Some((first, others)) = parts.split_first() else {
        return Ok(TraceFacts::default());
    };
    let mut whole = facts(&first.path)?;
    let mut known = vec![(whole.trace.trace_id.clone(), &first.shown)];
    for part in others {
        let (shown, path) = (&part.shown, &part.path);
        let part = facts(path)?.trace;
        if let Some((_, same)) = known.iter().find(|(id, _)| *id == part.trace_id) {
            let (kind, action) = (
                ErrorKind::NotTogether,
                format!("extract {same} and {shown} together"),
            );
            let error = Error::new(kind, action, path, "they are the same recording");
            return Err(error.hint("everything in it would count twice: name it once"));
        }
        known.push((part.trace_id.clone(), shown));
        let whole = &mut whole.trace;
        whole.trace_id = joined_id(&whole.trace_id, &part.trace_id);
        whole.source = format!("{}, {}", whole.source, part.source);
        whole.source_bytes = whole.source_bytes.saturating_add(part.source_bytes);
    }
    Ok(whole)
}

/// Returns what is known about the recording at `path` before it is read.
fn facts(path: &Path) -> Result<TraceFacts, Error> {
    let (id, bytes) = trace_id(path)?;
    let mut facts = TraceFacts::default();
    facts.trace.trace_id = id;
    facts.trace.tool_version = env!("CARGO_PKG_VERSION").to_owned();
    let name = path.file_name().unwrap_or_default();
    facts.trace.source = name.to_string_lossy().into_owned();
    facts.trace.source_bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
    if let Some(test) = TestName::of(path) {
        facts.trace.test_case = Some(test.case);
        facts.trace.measured_ms = Some(test.measured_ms);
    }
    Ok(facts)
}
