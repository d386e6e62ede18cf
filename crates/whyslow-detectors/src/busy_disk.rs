//! The command waited for a disk that another process kept busy: a cause behind the cause, which stands below the
//! waits that it explains.

use super::waited;
use whyslow_model::System;

use crate::detector::{Detector, Draft, Extent};
use crate::finding::{Confidence, Message, Query, Value};
use whyslow_findings::ranking::DISK_WORK;
use whyslow_query::called;
use whyslow_query::spans::Spans;
use whyslow_story::amount::amount;
use whyslow_story::disks::Neighbour;
use whyslow_story::story::{Story, share};

pub(crate) const DETECTOR: Detector = Detector {
    causes: &[(
        "busy-disk",
        "it waited for a disk that another process kept busy",
    )],
    find: |story| find(story).into_iter().collect(),
};

/// Shorter waits (in percent of the command's own time) are ignored.
const MUCH: f64 = 10.0;

/// The other one had requests there for at least this percentage of the waits, and this percentage of all bytes or of
/// all requests.
const MOSTLY: f64 = 50.0;

/// A request that takes this percentage of what it takes otherwise is slower.
const SLOWER: i64 = 150;

/// Without a comparison, this percentage of all bytes and of the waits.
const NEARLY_ALL: f64 = 80.0;

fn find(story: &Story<'_>) -> Option<Draft> {
    // Disks of Windows have other numbers, and other remedies.
    if story.calls.system() == System::Windows {
        return None;
    }
    let causes = waited::causes(story).into_iter();
    let of_disks = causes.filter(|(cause, _)| DISK_WORK.contains(cause));
    let waits = Spans::new(of_disks.flat_map(|(_, waits)| waits.when));
    if share(waits.ns(), story.own_ns()) < MUCH {
        return None;
    }
    let found = story.disks.neighbour(story.facts, story.command, &waits)?;
    let confidence = confidence(&found, &waits)?;
    let row = story.facts.process(found.process)?;
    let query = Query::new("its requests", "disk", &["--process", &row.name]);
    let peer = match found.processes {
        1 => called::with_pid(row),
        count => format!("{} ({count} processes)", row.name),
    };
    let draft = Draft::new("busy-disk", confidence, Extent::On(found.when.clone()))
        .fact("waiter", Value::Process(story.called(story.root_name())))
        .fact("peer", Value::Process(peer))
        .fact("object", Value::Text(disk(story, found.disk)))
        .fact("requests", Value::Count(found.requests))
        .fact("all-requests", Value::Count(found.all_requests))
        .fact("bytes", Value::Text(amount(found.bytes)))
        .fact("all-bytes", Value::Text(amount(found.all_bytes)))
        .claim("{peer} used the same disk while {waiter} waited for it: {share} of the time")
        .detail(Message::new(
            "During this time, {peer} made {requests} of the {all-requests} requests to {object}, and {bytes} of {all-bytes} were for it.",
        ))
        .advise("Run {peer} at another time or on another disk, or limit it (ionice -c idle, io.max of its group).")
        .rows("disk_io", (found.when.ns(), found.requests), query);
    Some(match found.typical_ns {
        Some((within, without)) => draft
            .fact("within", Value::Time(within))
            .fact("without", Value::Time(without))
            .detail(Message::new(
                "A request from {waiter} typically took {within} while {peer} used the disk, and {without} otherwise.",
            )),
        None => draft,
    })
}

/// Returns how sure it is that the other one made the command wait; `None`: not at all.
fn confidence(found: &Neighbour, waits: &Spans) -> Option<Confidence> {
    let busy = share(found.when.ns(), waits.ns());
    let bytes = share(found.bytes, found.all_bytes);
    let requests = share(found.requests, found.all_requests);
    if busy < MOSTLY || bytes.max(requests) < MOSTLY {
        return None;
    }
    match found.typical_ns {
        Some((within, without)) => {
            let is_slower = within.saturating_mul(100) >= without.saturating_mul(SLOWER);
            // Requests of the command may differ in other ways, too.
            is_slower.then_some(Confidence::Likely)
        }
        None => (busy >= NEARLY_ALL && bytes >= NEARLY_ALL).then_some(Confidence::Likely),
    }
}

/// Returns what a disk is called: the device that a file system is on, or its numbers.
fn disk(story: &Story<'_>, disk: i32) -> String {
    match story.mounts.of_device(disk) {
        Some(mount) => mount.source.clone(),
        None => format!("disk {}", story.calls.system().disk(disk)),
    }
}
