//! The command did a kind of work that costs more than people expect: it flushed its data to disk,
//! read what was not in memory, collected garbage, copied memory …
//!
//! The cost of the work is what CPU samples show of it, and, for work with a disk, the waits for
//! the disk.

mod collector;
mod new_memory;
mod rewritten;
mod search;

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::{FileOperation, SystemCall, ThreadId};

use crate::detector::{Detector, Draft, Extent};
use crate::finding::{Confidence, Message, Query, Value};
use crate::waited;
use rewritten::Rewritten;
use whyslow_findings::ranking::DISK_WORK;
use whyslow_query::call_tree::Weights;
use whyslow_query::frames::FunctionId;
use whyslow_query::spans::Spans;
use whyslow_query::system_calls::CallSum;
use whyslow_story::callees::{self, Callee};
use whyslow_story::calls::{Entry, entry};
use whyslow_story::files::Use;
use whyslow_story::path::{Link, What};
use whyslow_story::place::{Place, system_call_at};
use whyslow_story::story::{Story, share};
use whyslow_story::work::{self, Work};
use whyslow_story::written;

pub(crate) const DETECTOR: Detector = Detector {
    causes: &[
        ("gc", "it collected garbage"),
        ("regex", "it matched regular expressions"),
        ("parse-json", "it read or wrote JSON"),
        ("parse-date", "it parsed or formatted dates"),
        ("exceptions", "it threw and caught exceptions"),
        ("deep-copy", "it made deep copies of objects"),
        ("logging", "it wrote log records"),
        ("formatting", "it formatted text"),
        (
            "reflection",
            "it looked up classes and methods by name (reflection)",
        ),
        ("boxing", "it boxed numbers in objects"),
        ("startup", "it loaded modules"),
        ("fork-cost", "it copied its memory map to start processes"),
        (
            "inode-search",
            "it looked for a free inode among those of files deleted shortly before (ext4)",
        ),
        (
            "copy-up",
            "it copied whole files to the upper layer of an overlay file system before changing them",
        ),
        ("page-faults", "it got memory from the kernel, page by page"),
        (
            "huge-pages",
            "it got memory in huge pages, which the kernel zeroed",
        ),
        ("copying", "it copied memory"),
        (
            "spin",
            "it kept a CPU busy while it waited for another thread",
        ),
    ],
    find,
};

/// Work on the CPU that takes less of the command's own time than this percentage is usual.
const MUCH: f64 = 30.0;

/// The same for what every program does to some degree.
const MOST: f64 = 45.0;
const USUAL: [&str; 3] = ["page-faults", "huge-pages", "startup"];

/// Less of it is how every short program begins.
const NOTICED_NS: i64 = 100_000_000;

/// Fewer samples say nothing about what it computed.
const FEW_SAMPLES: i64 = 20;

fn find(story: &Story<'_>) -> Vec<Draft> {
    if !story.has_path() {
        return Vec::new();
    }
    let parts = parts(story);
    let part_of = |name: &str| parts.iter().find(|(work, _)| work.class.name == name);
    let with_disk = DISK_WORK.iter();
    let with_disk = with_disk.filter_map(|&cause| {
        let computed = part_of(cause).map(|(_, on)| on.clone());
        let waits = waited::waits_of(story, cause)?;
        let computed = computed.unwrap_or_default();
        Some(with_disk_waits(story, (cause, waits), computed))
    });
    let on_cpu = parts.iter().filter(|(work, _)| {
        let name = work.class.name.as_str();
        // An upper layer in memory makes nobody wait.
        let is_alone = name == waited::COPY_UP && waited::waits_of(story, name).is_none();
        !work.is_purpose() && (is_alone || !DISK_WORK.contains(&name))
    });
    with_disk
        .chain(on_cpu.filter_map(|(work, on)| computed(story, work, on)))
        .chain(new_memory::find(story, &parts))
        .collect()
}

/// Returns all kinds of work with the part of the path that each takes; none is part of another.
fn parts<'a>(story: &'a Story<'_>) -> Vec<(&'a Work, Spans)> {
    let mut works: Vec<&Work> = story.hot.works.iter().collect();
    // If processes were started again and again, this is part of it: see `starts`.
    works.sort_by_key(|work| work.class.name != FORK);
    let mut spoken = Spoken::new();
    let part = |work| (work, spread(story, work, &mut spoken));
    works.into_iter().map(part).collect()
}

/// The work of starting processes.
const FORK: &str = "fork-cost";

/// Returns the part of the path that starting processes takes.
pub(super) fn forks(story: &Story<'_>) -> Spans {
    let work = work_of(story, FORK);
    work.map(|work| spread(story, work, &mut Spoken::new()))
        .unwrap_or_default()
}

/// Returns the part of the path in which these threads only went to sleep, or woke others.
pub(super) fn switching(story: &Story<'_>, threads: &[ThreadId]) -> Spans {
    let Some(work) = work_of(story, "switching") else {
        return Spans::default();
    };
    let of_threads = work.threads.iter().filter(|(id, _)| threads.contains(id));
    let work = Work {
        class: work.class,
        ns: work.ns,
        threads: of_threads.map(|(&id, &ns)| (id, ns)).collect(),
        weights: Vec::new(),
    };
    spread(story, &work, &mut Spoken::new())
}

/// Returns the part of the path in which functions of libraries ran that the user's own code called.
pub(super) fn below(story: &Story<'_>, entries: &BTreeSet<Entry>) -> Option<Spans> {
    let is_below = |node| entry(story.code, node).is_some_and(|entry| entries.contains(&entry));
    sampled_at(story, &is_below).map(|(on, _)| on)
}

/// Returns the part of the path in library functions whose purpose is to make these system calls: `execSync` and
/// `subprocess.run`, for example, for those that start processes.
pub(super) fn calling(story: &Story<'_>, numbers: &[i32]) -> Spans {
    let wanted = |call: SystemCall| numbers.contains(&call.0);
    let mut entries = story.calls.entries(story.code, &wanted);
    entries.retain(|(_, called)| called.is_some());
    below(story, &entries).unwrap_or_default()
}

/// Functions of libraries that are there to start threads, and do nothing else on the thread that calls them.
const STARTS_THREADS: [&str; 8] = [
    "pthread_create",
    "thrd_create",
    "std::thread",
    "std::async",
    "std::make_shared",
    "Thread.start",
    "Thread::start",
    "start_new_thread",
];

/// Returns the part of the path in functions of libraries that start threads.
pub(super) fn starting_threads(story: &Story<'_>, numbers: &[i32]) -> Spans {
    let wanted = |call: SystemCall| numbers.contains(&call.0);
    let starts = |called: &Option<FunctionId>| {
        let name = called.map(|id| &story.code.stacks.frames.function(id).name);
        name.is_some_and(|name| STARTS_THREADS.iter().any(|known| name.contains(known)))
    };
    let mut entries = story.calls.entries(story.code, &wanted);
    entries.retain(|(_, called)| starts(called));
    below(story, &entries).unwrap_or_default()
}

/// Returns the part of the path on a CPU that samples show at these nodes of the tree of stacks, and their time.
fn sampled_at(story: &Story<'_>, wanted: &dyn Fn(u32) -> bool) -> Option<(Spans, i64)> {
    sampled_of(story, &|node, _| wanted(node))
}

/// Returns the same, for some threads.
fn sampled_of(story: &Story<'_>, wanted: &dyn Fn(u32, ThreadId) -> bool) -> Option<(Spans, i64)> {
    let mut threads: BTreeMap<ThreadId, i64> = BTreeMap::new();
    for (&(node, thread), ns) in &story.hot.stacks {
        if wanted(node, thread) {
            *threads.entry(thread).or_default() += ns;
        }
    }
    let class = work::rules().find("switching")?;
    let work = Work {
        class: work::rules().class(class),
        ns: threads.values().sum(),
        threads,
        weights: Vec::new(),
    };
    Some((spread(story, &work, &mut Spoken::new()), work.ns))
}

/// Returns the part of the path on a CPU in these system calls of these threads.
pub(super) fn sampled_in(
    story: &Story<'_>,
    calls: &[&str],
    of: &dyn Fn(ThreadId) -> bool,
) -> Spans {
    let is_it = |node: u32, thread: ThreadId| {
        let call = system_call_at(story.code.stacks, node);
        of(thread) && call.is_some_and(|call| calls.contains(&call))
    };
    sampled_of(story, &is_it).map_or_else(Spans::default, |(on, _)| on)
}

/// Returns the work of a class, if there are enough samples to say how much it is.
pub(super) fn work_of<'a>(story: &'a Story<'_>, class: &str) -> Option<&'a Work> {
    let mut works = story.hot.works.iter();
    let work = works.find(|work| work.class.name == class);
    work.filter(|_| story.hot.samples >= FEW_SAMPLES)
}

/// Returns work that is CPU time alone.
fn computed(story: &Story<'_>, work: &Work, on: &Spans) -> Option<Draft> {
    let hot = &story.hot;
    let least = match USUAL.contains(&work.class.name.as_str()) {
        true => MOST,
        false => MUCH,
    };
    let is_usual = USUAL.contains(&work.class.name.as_str()) && on.ns() < NOTICED_NS;
    if is_usual || hot.samples < FEW_SAMPLES || share(on.ns(), story.own_ns()) < least {
        return None;
    }
    if is_on_the_way(story, work) {
        return None;
    }
    let most = work.threads.iter().max_by_key(|(_, ns)| **ns);
    let process = most.and_then(|(&thread, _)| story.process_of(thread));
    let process = process.unwrap_or_else(|| story.runner());
    let query = Query::new("where it computed", "stacks", &["--process", process]);
    let words = Value::Class {
        name: work.class.name.clone(),
        phrase: work.class.phrase.clone(),
    };
    let draft = Draft::new(
        &work.class.name,
        Confidence::Certain,
        Extent::On(on.clone()),
    )
    .fact("process", Value::Process(story.called(process)))
    .fact("work", words)
    .claim(match process == story.root_name() {
        true => "It {work}: {share} of the time",
        false => "{process} {work}: {share} of the time",
    })
    .rows("cpu_sample", (on.ns(), hot.samples), query);
    let place = place(story, work).or_else(|| waited_from(story, work, on));
    let draft = match place {
        Some(place) => called(story, work, draft.fact("place", Value::Place(place))),
        None if work.class.name == "gc" => collected_for(story, on, draft),
        None => draft,
    };
    Some(match work.class.name.as_str() {
        "gc" => {
            let draft = collector::advise(story, work, draft);
            let draft = collector::of_java(story, (process, on), draft);
            collector::add_setting(story, process, draft)
        }
        "startup" => search::add(story, work, draft),
        "parse-json" => again(story, work, draft),
        "inode-search" => draft
            .detail(Message::new(
                "Without a journal, ext4 does not use the inode of a deleted file again for some minutes, and looks past each of them.",
            ))
            .advise("Delete many files at another time or on another file system, or give this one a journal.")
            .verify("Record it again some minutes after the deletion: this time should be gone."),
        waited::COPY_UP => draft.advise(waited::LESS_COPYING),
        "huge-pages" => draft
            .detail(Message::new(
                "The kernel zeroes each huge page in full (2 MB on most machines), even if the program uses little of it.",
            ))
            .advise("Reuse memory instead of giving it back. If the program uses little of each huge page, turn huge pages off for it (MADV_NOHUGEPAGE, /sys/kernel/mm/transparent_hugepage)."),
        "logging" => match written::file(story) {
            Some(file) => draft
                .fact("object", Value::Text(file.to_owned()))
                .detail(Message::new("They went to {object}.")),
            None => draft,
        },
        _ => draft,
    })
}

/// Kinds of work that a function of a library is called for; what is called before the others happens to do them.
const CALLED_FOR: [&str; 9] = [
    "regex",
    "parse-json",
    "parse-date",
    "exceptions",
    "deep-copy",
    "logging",
    "formatting",
    "reflection",
    "copying",
];

/// Adds which function of a library the user's own code called for most of the work.
fn called(story: &Story<'_>, work: &Work, draft: Draft) -> Draft {
    match called_for(story, work).filter(|most| most.ns.saturating_mul(2) >= work.ns) {
        Some(most) => draft
            .fact("called", Value::Text(most.name))
            .detail(Message::new("It called {called} for most of this.")),
        None => draft,
    }
}

/// Returns the function of a library that the user's own code called for most of the work, with its part of it.
fn called_for(story: &Story<'_>, work: &Work) -> Option<Callee> {
    let id = done_for(story, work)?;
    callees::of(story.code, &work.weights, id)
        .into_iter()
        .next()
}

/// Returns the function of the user's own code that most of such work is done for.
fn done_for(story: &Story<'_>, work: &Work) -> Option<FunctionId> {
    let own = whyslow_story::hot::own(story.code, &work.weights);
    let own = own.filter(|_| CALLED_FOR.contains(&work.class.name.as_str()));
    own?.functions.last().copied()
}

/// Kinds of work that a function of a library may do on the way to something else.
const ON_THE_WAY: [&str; 4] = ["regex", "formatting", "reflection", "copying"];

/// Returns whether a function of a library does nearly all of the work, and more of something else: what that function is
/// for is what takes the time.
fn is_on_the_way(story: &Story<'_>, work: &Work) -> bool {
    let most = called_for(story, work).filter(|_| ON_THE_WAY.contains(&work.class.name.as_str()));
    let most = most.filter(|most| most.ns.saturating_mul(10) >= work.ns.saturating_mul(9));
    let (Some(most), Some(id)) = (most, done_for(story, work)) else {
        return false;
    };
    let mut weights = Weights::new(story.code.stacks);
    for (&(node, _), &ns) in &story.hot.stacks {
        weights.add(node, ns);
    }
    let mut whole = callees::of(story.code, &weights.take(), id).into_iter();
    let whole = whole.find(|one| one.name == most.name);
    whole.is_some_and(|whole| whole.ns >= work.ns.saturating_mul(2))
}

/// Openings from which a file counts as read again and again.
const READ_AGAIN: i64 = 20;

/// Adds the file that the threads which did the work opened and read again and again, if nearly all that they read came
/// from it.
fn again(story: &Story<'_>, work: &Work, draft: Draft) -> Draft {
    let is_file = |one: &Use| {
        one.path
            .is_some_and(|path| whyslow_story::files::is_file(story.files.path(path)))
    };
    let here = |one: &Use| one.is_ok() && work.threads.contains_key(&one.thread);
    let reads = |one: &Use| one.operation == FileOperation::Read && here(one) && is_file(one);
    let bytes = |sum: &CallSum| sum.bytes.unwrap_or(sum.count);
    let object = story.files.object(reads, bytes);
    let object = object.filter(|path| path.starts_with('/') && !path.ends_with('/'));
    let Some(object) = object else {
        return draft;
    };
    // By process: each of several may read it once.
    let mut opened: BTreeMap<_, i64> = BTreeMap::new();
    let opens = |one: &Use| one.operation == FileOperation::Open && here(one);
    for one in story.files.uses.iter().filter(|one| opens(one)) {
        let is_it = one
            .path
            .is_some_and(|path| story.files.path(path) == object);
        if let Some(row) = story.facts.thread(one.thread).filter(|_| is_it) {
            let sum = opened.entry(row.process).or_default();
            *sum = sum.saturating_add(one.sum.count);
        }
    }
    let most = opened.into_values().max();
    match most.filter(|&opened| opened >= READ_AGAIN) {
        Some(opened) => draft
            .fact("object", Value::Text(object))
            .fact("opened", Value::Count(opened))
            .detail(Message::new("It opened and read {object} {opened} times."))
            .advise("Read it once and keep its contents; read it again only when it has changed."),
        None => draft,
    }
}

/// Adds where in the user's own code goroutines waited for the garbage collector, if one did for at least half of
/// the time.
fn collected_for(story: &Story<'_>, on: &Spans, draft: Draft) -> Draft {
    let waited = story.path.collections.iter();
    let waited = waited.map(|one| (one.when.overlap(on), one));
    let most = waited.max_by_key(|&(ns, _)| ns);
    let Some((_, most)) = most.filter(|&(ns, _)| ns > 0 && ns * 2 >= on.ns()) else {
        return draft;
    };
    let draft = draft.fact("place", Value::Place(Place::clone(&most.place)));
    match most.is_asked {
        true => draft
            .detail(Message::new("The program asked for it (runtime.GC or debug.FreeOSMemory), and waited."))
            .advise("Let the runtime decide when to collect; GOGC and GOMEMLIMIT set how much memory it may use."),
        false => draft,
    }
}

/// Work that takes this percentage of the CPU time is nearly all that the program does.
const NEARLY_ALL: f64 = 80.0;

/// Returns where in the user's own code most of the work is done.
fn place(story: &Story<'_>, work: &Work) -> Option<Place> {
    let own = whyslow_story::hot::own(story.code, &work.weights)?;
    let place = match own.ns * 2 > work.ns {
        true => Place::of_functions(story.code, &own.functions).at(own.source),
        // Several functions do it: what calls them all is the place, unless that is the whole program.
        false if share(work.ns, story.hot.ns) >= NEARLY_ALL => {
            let functions = whyslow_story::hot::through(story.code, &work.weights)?;
            Some(functions)
                .filter(|all| all.len() > 1)
                .map(|all| Place::of_functions(story.code, &all))?
        }
        false => return None,
    };
    place.is_known().then_some(place)
}

/// A function that does less than this part (one in so many) of the work only asks for it.
const TRACE: i64 = 10;

/// Returns where in the user's own code other threads of a process waited for work that a thread of its runtime did, if
/// they waited for at least half of it.
fn waited_from(story: &Story<'_>, work: &Work, on: &Spans) -> Option<Place> {
    // Code of the user's own that does the work is the place, or there are several. One that asks for it does a trace.
    let own = whyslow_story::hot::own(story.code, &work.weights);
    if own.is_some_and(|own| own.ns.saturating_mul(TRACE) >= work.ns) {
        return None;
    }
    let mut places: BTreeMap<&Place, i64> = BTreeMap::new();
    let links = story.path.links.iter();
    let of_users = links.filter(|link| link.place.is_users());
    let asks = |link: &&Link| {
        work.threads.contains_key(&link.waker) && story.are_of_one_process(link.waiter, link.waker)
    };
    for link in of_users.filter(asks) {
        let when = Spans::new(link.when.iter().copied());
        *places.entry(&link.place).or_default() += when.overlap(on);
    }
    let (place, ns) = places.into_iter().max_by_key(|&(_, ns)| ns)?;
    (ns * 2 >= on.ns() && ns > 0).then(|| place.clone())
}

/// Returns work that waits for the disk, and computes for it.
pub(super) fn with_disk_waits(
    story: &Story<'_>,
    (cause, waits): (&str, waited::Waits<'_>),
    computed: Spans,
) -> Draft {
    let waited_ns = waits.ns;
    let rewritten = Some(cause).filter(|cause| *cause == "disk");
    let rewritten = rewritten.and_then(|_| Rewritten::find(story, &waits));
    let computed = match (story.hot.samples >= FEW_SAMPLES, &rewritten) {
        // Other calls that wait for a disk do much else.
        (true, Some(file)) => file.computed(story),
        (true, None) if ["disk", waited::COPY_UP].contains(&cause) => computed,
        (true, None) => in_calls(story, &waits).unwrap_or(computed),
        (false, _) => Spans::default(),
    };
    let after = woken_after(story, &Spans::new(waits.when.iter().copied()));
    let draft = waited::draft(story, cause, waits);
    let draft = match &rewritten {
        Some(file) => file.add(draft),
        None => draft,
    };
    let Extent::On(on) = &draft.extent else {
        return draft;
    };
    let all = on.and(&after).and(&computed);
    if share(all.ns() - waited_ns, story.own_ns()) < 5.0 {
        return draft;
    }
    let part = share(waited_ns, story.wall_ns());
    let draft = draft.fact("wait-share", Value::Share(part));
    let mut draft = draft.detail(Message::new(
        "It waited for {wait-share} of the time; the rest is the CPU time of these calls and of waking up.",
    ));
    draft.extent = Extent::On(all);
    draft
}

/// The purpose of calls is to wait for the disk if waiting takes this part (one in so many) of
/// their time.
const WAITING: i64 = 3;

/// Returns the CPU time of the calls that waited, if waiting is what they are for: without the disk they
/// would take next to no time.
fn in_calls(story: &Story<'_>, waits: &waited::Waits<'_>) -> Option<Spans> {
    let entries = waits.entries(story.code);
    let in_them = |node: u32| {
        let is_kernel = story.code.stacks.tree.kernel[node as usize];
        is_kernel && entry(story.code, node).is_some_and(|entry| entries.contains(&entry))
    };
    let (on, ns) = sampled_at(story, &in_them)?;
    let all_ns = ns.saturating_add(waits.ns);
    (waits.ns.saturating_mul(WAITING) >= all_ns).then_some(on)
}

/// Returns when the path was ready to run again after these waits, but did not run yet, because waking up
/// takes time, or because its waker still had the CPU. Time in which others competed is left out.
fn woken_after(story: &Story<'_>, waits: &Spans) -> Spans {
    let steps = story.path.steps.iter();
    let ready = steps.filter(|step| step.what == What::Ready);
    let after = ready.filter(|step| waits.within(step.from_ns - 1, step.from_ns) > 0);
    Spans::new(after.map(|step| {
        let competed = step.ready.competing_ns.min(step.ns());
        (step.from_ns, step.to_ns - competed)
    }))
}

/// How much of each thread's CPU time other kinds of work already take, 0 to 1.
pub(super) type Spoken = BTreeMap<ThreadId, f64>;

/// Spreads the CPU time that samples show of some work over all CPU time of the threads that did it:
/// samples do not say more. It is placed at the end of each stretch, before what other work takes;
/// the cost of calls is placed at the beginning.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "a share of a step"
)]
pub(super) fn spread(story: &Story<'_>, work: &Work, spoken: &mut Spoken) -> Spans {
    let mut parts = BTreeMap::new();
    for (&thread, &ns) in &work.threads {
        let all = story.hot.threads.get(&thread).copied().unwrap_or(0);
        let to = 1.0 - spoken.get(&thread).copied().unwrap_or(0.0);
        let from = (to - share(ns, all) / 100.0).max(0.0);
        spoken.insert(thread, 1.0 - from);
        parts.insert(thread, (from, to));
    }
    let steps = story.path.steps.iter();
    let ran = steps.filter(|step| step.what == What::Cpu);
    let of_work = ran.filter_map(|step| Some((step, parts.get(&step.thread?)?)));
    Spans::new(of_work.map(|(step, &(from, to))| {
        let at = |part: f64| step.from_ns + (step.ns() as f64 * part) as i64;
        (at(from), at(to))
    }))
}
