//! The same thing done to the same files again and again, where once would do.
//!
//! The cost is the time of the calls, as for all calls that take time themselves; the files and
//! folders are those that the calls were about.

pub(super) mod several;

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::{FileOperation, System, SystemCall, SystemCallResult, ThreadId};
use whyslow_query::system_calls::CallSum;

use super::computed::Most;
use crate::detector::{Draft, Extent};
use crate::finding::{Confidence, Message, Query, Value};
use whyslow_story::call_cost::{
    Calls, Cost, GIVES_BACK, MANY, MUCH, Taken, cost_of, is_much, take,
};
use whyslow_story::files::{self, PathId, Use};
use whyslow_story::story::{Story, share};

const CLOSE: SystemCall = SystemCall(3);
const MMAP: SystemCall = SystemCall(9);
const OK: SystemCallResult = SystemCallResult(0);
const EXISTS: SystemCallResult = SystemCallResult(17);
const ABSENT: SystemCallResult = SystemCallResult(2);

/// A file that is opened less often is not opened again and again.
const REOPENED: i64 = 200;

/// A folder that is listed so often is listed again and again.
const OFTEN: i64 = 20;

/// A folder is large if listing it takes so many calls, each with some hundred names.
const LARGE: i64 = 50;

/// Files are checked again and again if each is checked this often, on average; walking a tree checks
/// each file once or twice.
const TIMES_EACH: i64 = 4;

/// `open`, `creat`, `openat`, `openat2`.
const OPENS: &[i32] = &[2, 85, 257, 437];
/// `getdents`, `getdents64`.
const LISTS: &[i32] = &[78, 217];
/// `stat`, `lstat`, `access`, `newfstatat`, `faccessat`, `statx`, `faccessat2`; and to open.
const QUESTIONS: &[i32] = &[4, 6, 21, 262, 269, 332, 439, 2, 257];

/// Calls that go with opening a file: `read`, `close`, `fstat`, `lseek`, `mmap`, `munmap`, `ioctl`, `pread64`,
/// `madvise`; and opening a folder. `newfstatat` may be about any other file.
const WITH_OPENS: &[i32] = &[0, 3, 5, 8, 9, 11, 16, 17, 28, 2, 257];

/// The same, and calls that write or duplicate descriptors: `write`, `fcntl`, `writev`, `dup2`, `dup3`.
pub(super) const WITH_OPENS_TO_WRITE: &[i32] =
    &[0, 1, 3, 5, 8, 9, 11, 16, 17, 20, 28, 33, 72, 2, 257, 292];

/// Calls that check files, and that list folders.
const WALKS: &[i32] = &[4, 6, 21, 262, 269, 332, 439, 2, 257, 78, 217];

/// Returns which calls are looked at where each costs little.
fn many(numbers: &[i32]) -> Calls<'_> {
    Calls {
        least: MANY,
        are_long: false,
        are_of_files: true,
        numbers,
        along: &[],
    }
}

/// Looks for all habits, the most specific first.
pub(super) fn drafts(story: &Story<'_>, taken: &mut Taken) -> Vec<Draft> {
    let mut drafts = Vec::new();
    let reopened = reopen(story, taken);
    let is_windows = story.calls.system() == System::Windows;
    let path = reopened.as_ref().map(|&(path, _)| path);
    let path = path.filter(|_| is_windows);
    drafts.extend(reopened.map(|(_, draft)| draft));
    let listed = listing(story, taken);
    let is_listed = listed.is_some();
    drafts.extend(listed);
    drafts.extend(questions(story, taken, (is_listed, path)));
    drafts
}

/// One file was opened over and over; returns which.
fn reopen(story: &Story<'_>, taken: &mut Taken) -> Option<(PathId, Draft)> {
    let opens = |one: &Use| one.operation == FileOperation::Open && one.is_ok();
    let made_each_time = made_each_time(story);
    let path = most_used(story, &|one, path| {
        opens(one) && !story.files.is_folder(path) && !made_each_time.contains(&path)
    })?;
    let of_path = |one: &Use| one.path == Some(path) && one.is_ok();
    let opened = count(story, &|one| of_path(one) && opens(one));
    let read = count(story, &|one| {
        of_path(one) && one.operation == FileOperation::Read
    });
    let mapped = count(story, &|one| {
        of_path(one) && one.operation == FileOperation::Map
    });
    let written = count(story, &|one| {
        of_path(one) && one.operation == FileOperation::Write
    });
    let mut sums = with_closes(story, &of_path, by_thread(story, &of_path));
    let mut along = WITH_OPENS;
    let (claim, advice) = if mapped.saturating_mul(2) >= opened {
        add_unmapping(story, path, &mut sums);
        (
            " opened {object} and mapped it into memory {count} times: {share} of the time",
            "Map it once and keep the mapping; map it again only when the file has changed.",
        )
    } else if read.saturating_mul(2) >= opened {
        (
            " opened and read {object} {count} times: {share} of the time",
            "Read it once and keep its contents; read it again only when it has changed.",
        )
    } else if written.saturating_mul(2) >= opened && written <= opened.saturating_mul(2) {
        along = WITH_OPENS_TO_WRITE;
        (
            " opened {object} and wrote to it {count} times: {share} of the time",
            "Keep it open between writes, or collect the output and write it in larger pieces.",
        )
    } else {
        (
            " opened {object} {count} times: {share} of the time",
            "Keep it open between uses, or keep its contents.",
        )
    };
    let opens = Calls {
        least: REOPENED,
        along,
        ..many(OPENS)
    };
    let cost = cost_of(story, sums.into_iter(), &opens, taken);
    let object = story.files.path(path).to_owned();
    let draft = draft(
        story,
        "reopen",
        claim,
        (Some(object), opened),
        (cost, OPENS),
        taken,
    )?;
    Some((path, draft.advise(advice)))
}

/// Returns the files that are removed about as often as they are opened: each time it is another file, see `changes`.
fn made_each_time(story: &Story<'_>) -> BTreeSet<PathId> {
    let mut counts = BTreeMap::<PathId, (i64, i64)>::new();
    for one in story.files.uses.iter().filter(|one| one.is_ok()) {
        let Some(path) = one.path else { continue };
        let (opened, removed) = counts.entry(path).or_default();
        match one.operation {
            FileOperation::Open => *opened = opened.saturating_add(one.sum.count),
            FileOperation::Remove => *removed = removed.saturating_add(one.sum.count),
            _ => {}
        }
    }
    let all = counts.into_iter();
    let made =
        all.filter(|&(_, (opened, removed))| removed > 0 && removed.saturating_mul(2) >= opened);
    made.map(|(path, _)| path).collect()
}

/// A folder was listed over and over, or is a large one.
fn listing(story: &Story<'_>, taken: &mut Taken) -> Option<Draft> {
    let lists = |one: &Use| one.operation == FileOperation::List && one.is_ok();
    let path = most_costly(story, &lists)?;
    let of_path = |one: &Use| one.path == Some(path) && one.is_ok();
    let opened = count(story, &|one| {
        of_path(one) && one.operation == FileOperation::Open
    });
    let listed = count(story, &|one| of_path(one) && lists(one));
    let sums = with_closes(story, &of_path, by_thread(story, &of_path));
    let is_rescan = opened >= OFTEN;
    let calls = Calls {
        least: if is_rescan { OFTEN } else { LARGE },
        are_long: true,
        are_of_files: true,
        numbers: LISTS,
        along: WITH_OPENS,
    };
    let cost = cost_of(story, sums.into_iter(), &calls, taken);
    let (cause, claim, times) = match is_rescan {
        true => (
            "rescan",
            " listed {object} {count} times: {share} of the time",
            opened,
        ),
        false => (
            "dir-listing",
            " listed the large folder {object} in {count} calls: {share} of the time",
            listed,
        ),
    };
    let grows = growth_of_lists(story, story.files.path(path));
    let object = format!("{}/", story.files.path(path));
    let draft = draft(
        story,
        cause,
        claim,
        (Some(object), times),
        (cost, LISTS),
        taken,
    )?;
    let draft = match grows {
        Some((first_ns, last_ns)) => draft
            .fact("first", Value::Time(first_ns))
            .fact("last", Value::Time(last_ns))
            .detail(Message::new(
                "The folder grew: a call that lists it took {first} at first and {last} at the end.",
            )),
        None => draft,
    };
    Some(match is_rescan {
        true => draft.advise(watching(
            story,
            "List it once and keep the list, or watch it for changes (inotify).",
            "List it once and keep the list, or watch it for changes (ReadDirectoryChangesW).",
        )),
        false => draft.advise("Spread the files over several folders."),
    })
}

/// Returns what listing a folder took at first and at the end, if it took longer and longer.
fn growth_of_lists(story: &Story<'_>, folder: &str) -> Option<(i64, i64)> {
    let mut growing = story.single_calls.growing.iter();
    let found = growing.find(|one| one.operation == FileOperation::List && one.folder == folder);
    found.map(|one| (one.first_ns, one.last_ns))
}

/// Files were asked about over and over, or one name after the other was tried. Of Windows, who asks opens first:
/// what is asked about the file that was opened over and over has been counted there.
fn questions(
    story: &Story<'_>,
    taken: &mut Taken,
    (is_listed, reopened): (bool, Option<PathId>),
) -> Option<Draft> {
    // A name that is taken is an answer to a program that looks for a free one.
    let asks = |one: &Use| {
        let is_counted = reopened.is_some() && one.path == reopened;
        one.is_question() && one.is_ok() && !is_counted
            || one.operation == FileOperation::Open && one.result == EXISTS
    };
    let asked = count(story, &asks);
    // Several programs may each check the same files once.
    let uses = story.files.uses.iter().filter(|one| asks(one));
    let process = |thread| story.facts.thread(thread).map(|row| row.process);
    let paths = uses.filter_map(|one| Some((process(one.thread), one.path?)));
    let paths: BTreeSet<_> = paths.collect();
    let different = i64::try_from(paths.len()).unwrap_or(i64::MAX);
    if asked < different.saturating_mul(TIMES_EACH) {
        return None;
    }
    let object = story.files.object(asks, |sum| sum.count);
    let walks = walks_in(story, object.as_deref());
    // The cost of listing folders is reported once.
    let is_walk = !is_listed && count(story, &walks) >= OFTEN;
    let searched = looks_for_free_names(story, &asks);
    let asked_about: BTreeSet<PathId> = paths.into_iter().map(|(_, path)| path).collect();
    let is_of_them =
        |one: &Use| one.is_ok() && one.path.is_some_and(|id| asked_about.contains(&id));
    let opens = |one: &Use| one.operation == FileOperation::Open && is_of_them(one);
    // Who opens nearly each file that it asks about reads them: the questions are part of that.
    let opened = count(story, &opens);
    let read = count(story, &|one| {
        one.operation == FileOperation::Read && is_of_them(one)
    });
    let is_read =
        !searched && opened.saturating_mul(2) >= asked && read.saturating_mul(2) >= opened;
    let numbers = if is_walk { WALKS } else { QUESTIONS };
    let is_about = |one: &Use| asks(one) || is_walk && walks(one) || is_read && is_of_them(one);
    let sums = by_thread(story, &is_about);
    let sums = match is_read {
        true => with_closes(story, &opens, sums),
        false => sums,
    };
    let calls = Calls {
        along: if is_walk || is_read { WITH_OPENS } else { &[] },
        ..many(numbers)
    };
    let cost = cost_of(story, sums.into_iter(), &calls, taken);
    // A walk is in a folder, and a search in one for names.
    let shown = match is_walk || searched {
        true => object.clone(),
        false => story.files.object_by_pattern(asks, |sum| sum.count),
    };
    let about = About::of(shown.as_deref());
    let are_several = About::of(object.as_deref()) != About::File;
    // Others that were asked about are not in the folder that is named.
    let different = match (about, shown.as_deref()) {
        (About::Folder, Some(folder)) => {
            let inside = |path: &&PathId| files::is_in(story.files.path(**path), folder);
            i64::try_from(asked_about.iter().filter(inside).count()).unwrap_or(i64::MAX)
        }
        _ => different,
    };
    let (cause, claim, advice) = words_of_questions(story, searched, is_read);
    let about_all = (shown, if is_read { opened } else { asked });
    let draft = draft(story, cause, claim, about_all, (cost, numbers), taken)?;
    let times = times(cause, story.calls.system());
    let draft = match (searched, about) {
        (true, About::Folder) => draft.claim(" in {object} until one was free,").claim(times),
        (true, _) => draft.claim(" until one was free,").claim(times),
        (false, about) => draft.claim(about.words()).claim(times),
    };
    let draft = match is_walk {
        true => draft
            .fact(
                "listed",
                Value::Count(count(story, &|one| lists(one) && walks(one))),
            )
            .detail(Message::new(
                "It also listed the folders there, in {listed} calls.",
            )),
        false => draft,
    };
    let draft = match are_several {
        false => draft,
        true => draft
            .fact("files", Value::Count(different))
            .detail(Message::new("These were {files} different files.")),
    };
    Some(draft.advise(advice))
}

/// Returns the advice for the recorded system.
pub(super) fn watching(
    story: &Story<'_>,
    of_linux: &'static str,
    of_windows: &'static str,
) -> &'static str {
    match story.calls.system() {
        System::Linux => of_linux,
        System::Windows => of_windows,
    }
}

/// Returns how often, for the claim.
fn times(cause: &str, system: System) -> &'static str {
    match cause {
        "stat-storm" if system == System::Linux => " {count} times (stat): {share} of the time",
        _ => " {count} times: {share} of the time",
    }
}

/// Returns the cause, the claim and the advice for files that are asked about again and again.
fn words_of_questions(
    story: &Story<'_>,
    searched: bool,
    is_read: bool,
) -> (&'static str, &'static str, &'static str) {
    match (searched, is_read) {
        (true, _) => (
            "name-search",
            " tried names",
            "Remember the last number used, or choose names that need no search.",
        ),
        (false, true) => (
            "reopen",
            " opened and read",
            "Read them once and keep their contents.",
        ),
        (false, false) => (
            "stat-storm",
            " checked",
            watching(
                story,
                "Check once and keep the result, or watch for changes (inotify).",
                "Check once and keep the result, or watch for changes (ReadDirectoryChangesW).",
            ),
        ),
    }
}

/// Returns a test for calls that open or list folders below the one whose files were checked.
fn walks_in<'a>(story: &'a Story<'_>, object: Option<&'a str>) -> impl Fn(&Use) -> bool + 'a {
    let folder = object.filter(|path| path.ends_with('/'));
    move |one: &Use| {
        let below = |folder: &str| {
            let path = one
                .path
                .map(|id| (story.files.path(id), story.files.is_folder(id)));
            path.is_some_and(|(path, is_folder)| {
                is_folder && (path.starts_with(folder) || folder.strip_suffix('/') == Some(path))
            })
        };
        let walks = matches!(one.operation, FileOperation::Open | FileOperation::List);
        walks && one.is_ok() && folder.is_some_and(below)
    }
}

fn lists(one: &Use) -> bool {
    one.operation == FileOperation::List
}

/// What most calls were about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    File,
    Name,
    Alike,
    Folder,
    Nothing,
}

impl About {
    /// Decides by the spelling: a folder ends with a slash, a name has none, and files that are alike have a `*`.
    pub(super) fn of(object: Option<&str>) -> Self {
        match object {
            None => Self::Nothing,
            Some(path) if path.ends_with('/') => Self::Folder,
            Some(path) if path.contains('*') => Self::Alike,
            Some(path) if path.contains('/') => Self::File,
            Some(_) => Self::Name,
        }
    }

    /// Returns the words for it.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::File => " {object}",
            Self::Name => " files called {object}",
            Self::Alike => " the files {object}",
            Self::Folder => " files in {object}",
            Self::Nothing => " files",
        }
    }
}

/// Returns whether most names that were checked differ only in a number, and such names were
/// missing and then created.
fn looks_for_free_names(story: &Story<'_>, asks: &dyn Fn(&Use) -> bool) -> bool {
    let pattern = |path: PathId| files::without_digits(story.files.path(path));
    let mut patterns = BTreeMap::<String, i64>::new();
    let mut all = 0_i64;
    for one in story.files.uses.iter().filter(|one| asks(one)) {
        all = all.saturating_add(one.sum.count);
        if let Some(path) = one.path {
            let sum = patterns.entry(pattern(path)).or_default();
            *sum = sum.saturating_add(one.sum.count);
        }
    }
    let Some((most, count)) = patterns.into_iter().max_by_key(|(_, count)| *count) else {
        return false;
    };
    let has = |wanted: &dyn Fn(&Use) -> bool| {
        let mut uses = story.files.uses.iter().filter(|one| wanted(one));
        uses.any(|one| one.path.is_some_and(|path| pattern(path) == most))
    };
    let made = |one: &Use| {
        let makes = matches!(
            one.operation,
            FileOperation::Open | FileOperation::Create | FileOperation::Link
        );
        makes && one.is_ok()
    };
    let missed = |one: &Use| one.is_question() && one.result == ABSENT;
    let taken = |one: &Use| one.operation == FileOperation::Open && one.result == EXISTS;
    most.contains('*') && share(count, all) >= 80.0 && has(&made) && (has(&missed) || has(&taken))
}

/// Returns the path that one process used most in the `wanted` way, if that is often.
fn most_used(story: &Story<'_>, wanted: &dyn Fn(&Use, PathId) -> bool) -> Option<PathId> {
    let mut counts = BTreeMap::new();
    for one in &story.files.uses {
        if let (Some(path), Some(thread)) = (one.path, story.facts.thread(one.thread))
            && wanted(one, path)
        {
            let count: &mut i64 = counts.entry((thread.process, path)).or_default();
            *count = count.saturating_add(one.sum.count);
        }
    }
    let ((_, path), count) = counts.into_iter().max_by_key(|&(_, count)| count)?;
    (count >= REOPENED).then_some(path)
}

/// Returns the path that the wanted calls took longest with.
fn most_costly(story: &Story<'_>, wanted: &dyn Fn(&Use) -> bool) -> Option<PathId> {
    let mut times = BTreeMap::<PathId, i64>::new();
    for one in story.files.uses.iter().filter(|one| wanted(one)) {
        if let Some(path) = one.path {
            let sum = times.entry(path).or_default();
            *sum = sum.saturating_add(one.sum.ns.unwrap_or(0));
        }
    }
    let most = times.into_iter().max_by_key(|&(_, ns)| ns);
    most.map(|(path, _)| path)
}

fn count(story: &Story<'_>, wanted: &dyn Fn(&Use) -> bool) -> i64 {
    let uses = story.files.uses.iter().filter(|one| wanted(one));
    uses.fold(0, |all: i64, one| all.saturating_add(one.sum.count))
}

fn by_thread(story: &Story<'_>, wanted: &dyn Fn(&Use) -> bool) -> BTreeMap<ThreadId, CallSum> {
    let mut sums = BTreeMap::<ThreadId, CallSum>::new();
    for one in story.files.uses.iter().filter(|one| wanted(one)) {
        sums.entry(one.thread).or_default().add(&one.sum);
    }
    sums
}

/// Adds this path's part of the time that a thread took to close files: nothing says which file a call
/// to `close` is for, but as many are closed as opened.
pub(super) fn with_closes(
    story: &Story<'_>,
    opens_here: &dyn Fn(&Use) -> bool,
    mut sums: BTreeMap<ThreadId, CallSum>,
) -> BTreeMap<ThreadId, CallSum> {
    let opens = |one: &Use| one.operation == FileOperation::Open && one.is_ok();
    let all = by_thread(story, &opens);
    let here = by_thread(story, &|one| opens(one) && opens_here(one));
    for (id, sum) in &mut sums {
        let (Some(all), Some(here)) = (all.get(id), here.get(id)) else {
            continue;
        };
        let Some(thread) = story.calls.threads.get(id) else {
            continue;
        };
        let closes = thread.sum(|call, result| call == CLOSE && result == OK);
        let ns = i128::from(closes.ns.unwrap_or(0)) * i128::from(here.count);
        let ns = i64::try_from(ns / i128::from(all.count.max(1))).unwrap_or(0);
        sum.ns = Some(sum.ns.unwrap_or(0).saturating_add(ns));
    }
    sums
}

/// Adds this file's part of the time that the threads took to unmap files: as many pieces are unmapped as
/// mapped.
fn add_unmapping(story: &Story<'_>, path: PathId, sums: &mut BTreeMap<ThreadId, CallSum>) {
    let maps = by_thread(story, &|one| {
        one.operation == FileOperation::Map && one.is_ok() && one.path == Some(path)
    });
    for (id, sum) in sums {
        let (Some(thread), Some(here)) = (story.calls.threads.get(id), maps.get(id)) else {
            continue;
        };
        let all = thread
            .sum(|call, result| call == MMAP && result == OK)
            .count;
        let back = thread.sum(|call, result| GIVES_BACK.contains(&call.0) && result == OK);
        let ns = i128::from(back.ns.unwrap_or(0)) * i128::from(here.count.min(all));
        let ns = i64::try_from(ns / i128::from(all.max(1))).unwrap_or(0);
        sum.ns = Some(sum.ns.unwrap_or(0).saturating_add(ns));
    }
}

fn draft(
    story: &Story<'_>,
    cause: &str,
    claim: &'static str,
    (object, times): (Option<String>, i64),
    (cost, calls): (Cost, &[i32]),
    taken: &mut Taken,
) -> Option<Draft> {
    let ns = cost.on.ns();
    // The calls do not include the work on the file's data, which would be saved, too.
    let is_file = About::of(object.as_deref()) == About::File;
    let is_enough = match cause {
        "reopen" if is_file => share(ns, story.own_ns()) >= MUCH / 2.0,
        _ => is_much(story, ns),
    };
    if !is_enough {
        return None;
    }
    take(&cost, taken);
    let process = cost.caller(story);
    let Cost { sum, ref on, .. } = cost;
    let query = Query::new("its files", "files", &["--process", process]);
    let draft = Draft::new(cause, Confidence::Certain, Extent::On(on.clone()))
        .of_process(story, process)
        .fact("count", Value::Count(times))
        .claim(claim);
    let draft = match object {
        Some(object) => draft.fact("object", Value::Text(object)),
        None => draft,
    };
    let place = story
        .calls
        .place(story.code, &|call| calls.contains(&call.0));
    let draft = match place.or_else(|| Most::place_of_calls(story, ns)) {
        Some(place) => draft.fact("place", Value::Place(place)),
        None => draft,
    };
    let verify = "Record it again: it should make fewer calls.";
    let draft = draft.rows("file_call", (ns, sum.count), query);
    Some(draft.verify(verify))
}
