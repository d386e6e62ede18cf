//! Where the files that were waited for are: the server and the share, or the program that serves
//! them.

use std::collections::BTreeMap;

use whyslow_query::mounts::Mount;

use crate::detector::Draft;
use crate::finding::{Message, Value};
use whyslow_story::path::WaitGroup;
use whyslow_story::story::Story;

/// Returns whether a group's waits were for files that a program or a server provides.
pub(super) fn is_served(story: &Story<'_>, group: &WaitGroup) -> bool {
    let mount = mount(story, &[group]);
    mount.is_some_and(|mount| mount.is_remote() || mount.is_served_by_program())
}

/// Returns the class of waits for a slow file system that says best what it is: that of most of the time.
pub(super) fn class(story: &Story<'_>, groups: &[&WaitGroup]) -> &'static str {
    let ns = |wanted: &str| -> i64 {
        let of_class = groups.iter().filter(|group| {
            let is_served = mount(story, &[group]).is_some_and(Mount::is_served_by_program);
            match story.rules.class(group.class).name.as_str() {
                name @ ("fuse" | "network-fs") => name == wanted,
                _ => (wanted == "fuse") == is_served,
            }
        });
        of_class.map(|group| group.ns).sum()
    };
    match ns("network-fs") > ns("fuse") {
        true => "network-fs",
        false => "fuse",
    }
}

/// Returns the file system that the files are on, if most of the time was waited for files of one.
fn mount<'a>(story: &'a Story<'_>, groups: &[&WaitGroup]) -> Option<&'a Mount> {
    device(story, groups).and_then(|device| story.mounts.of_device(device))
}

/// Adds where the files of a slow file system are.
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
    let mount = match (
        device(story, groups),
        path.filter(|path| path.starts_with('/')),
    ) {
        (Some(device), _) => {
            let mount = story.mounts.of_device(device);
            mount.filter(|mount| mount.is_remote() || mount.is_served_by_program())
        }
        // A name as the program gave it has none.
        (None, Some(path)) => story.mounts.of_path(path).filter(is_elsewhere),
        // Without a path, it can only be one if there is no other.
        (None, None) => story.mounts.only(is_elsewhere),
    };
    match mount {
        Some(mount) => draft
            .fact("storage", Value::Text(mount.called(story.facts)))
            .detail(Message::new("The files are on {storage}.")),
        None => draft,
    }
}

/// Returns the device that the files are on, if most of the time was waited for files of one.
fn device(story: &Story<'_>, groups: &[&WaitGroup]) -> Option<i32> {
    let mut by_device: BTreeMap<i32, i64> = BTreeMap::new();
    for (target, &(ns, _)) in groups.iter().flat_map(|group| &group.targets) {
        let object = target.object.and_then(|at| story.objects.get(at));
        if let Some(device) = object.and_then(|row| row.device) {
            *by_device.entry(device).or_default() += ns;
        }
    }
    let all_ns: i64 = groups.iter().map(|group| group.ns).sum();
    let most = by_device.into_iter().max_by_key(|&(_, ns)| ns);
    most.filter(|&(_, ns)| ns * 2 > all_ns)
        .map(|(device, _)| device)
}
