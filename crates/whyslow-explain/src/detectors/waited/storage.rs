//! Whose files were waited for: the server and the share, or the program that serves them.

use whyslow_query::mounts::Mount;

use crate::detector::Draft;
use crate::finding::{Message, Value};
use whyslow_story::path::WaitGroup;
use whyslow_story::story::Story;

/// Adds where the files are that a slow file system holds.
pub(super) fn add(story: &Story<'_>, groups: &[&WaitGroup], draft: Draft) -> Draft {
    let object = draft.facts.iter().find(|(name, _)| *name == "object");
    let path = object.and_then(|(_, value)| match value {
        Value::Path { full, .. } | Value::Text(full) => Some(full.as_str()),
        _ => None,
    });
    let waits_for = |class: &str| {
        let mut groups = groups.iter();
        groups.any(|group| story.rules.class(group.class).name == class)
    };
    let (of_server, of_program) = (waits_for("network-fs"), waits_for("fuse"));
    let is_elsewhere = |mount: &&Mount| {
        of_server && mount.is_remote() || of_program && mount.is_served_by_program()
    };
    let mount = match path.filter(|path| path.starts_with('/')) {
        Some(path) => story.mounts.of_path(path).filter(is_elsewhere),
        // Without a path, it can only be one if there is no other.
        None => story.mounts.only(is_elsewhere),
    };
    match mount {
        Some(mount) => draft
            .fact("storage", Value::Text(mount.called(story.facts)))
            .detail(Message::new("The files are on {storage}.")),
        None => draft,
    }
}
