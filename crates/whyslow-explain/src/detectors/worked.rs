//! The command did a kind of work that costs more than people expect: it made its data safe on the
//! disk, read what was not in memory, collected garbage, copied memory …
//!
//! What the work cost is what CPU samples show of it, and, for work with a disk, the waits for it.

use crate::detector::{Detector, Draft, Extent};
use crate::detectors::waited;
use crate::finding::{Confidence, Message, Query, Value};
use crate::path::What;
use crate::place::Place;
use crate::spans::Spans;
use crate::story::{Story, share};
use crate::work::Work;

pub(crate) const DETECTOR: Detector = Detector {
    causes: &[
        ("gc", "it collected garbage"),
        ("regex", "it matched regular expressions"),
        ("parse-json", "it read or wrote JSON"),
        ("parse-date", "it parsed or computed dates"),
        ("exceptions", "it threw and caught exceptions"),
        ("startup", "it loaded modules"),
        ("fork-cost", "it copied its memory map to start processes"),
        ("page-faults", "it got memory from the kernel, page by page"),
        ("copying", "it copied memory"),
    ],
    find,
};

/// Work on the CPU that takes less of the command's own time than this percentage is usual.
const MUCH: f64 = 30.0;

/// The same of what every program does to some degree.
const MOST: f64 = 45.0;
const USUAL: [&str; 2] = ["page-faults", "startup"];

/// Less of it is how every short program begins.
const NOTICED_NS: i64 = 100_000_000;

/// Fewer samples say nothing of what it computed.
const FEW_SAMPLES: i64 = 20;

fn find(story: &Story<'_>) -> Vec<Draft> {
    if !story.has_path() {
        return Vec::new();
    }
    let with_disk = waited::DISK_WORK.iter();
    let with_disk = with_disk.filter_map(|cause| with_disk_waits(story, cause));
    let works = story.hot.works.iter();
    let on_cpu = works.filter(|work| {
        !work.is_purpose() && !waited::DISK_WORK.contains(&work.class.name.as_str())
    });
    with_disk
        .chain(on_cpu.filter_map(|work| computed(story, work)))
        .collect()
}

/// Returns work that is CPU time alone.
fn computed(story: &Story<'_>, work: &Work) -> Option<Draft> {
    let hot = &story.hot;
    let on = spread(story, share(work.ns, hot.ns));
    let least = match USUAL.contains(&work.class.name.as_str()) {
        true => MOST,
        false => MUCH,
    };
    let is_usual = USUAL.contains(&work.class.name.as_str()) && on.ns() < NOTICED_NS;
    if is_usual || hot.samples < FEW_SAMPLES || share(on.ns(), story.own_ns()) < least {
        return None;
    }
    let process = ["--process", story.runner()];
    let query = Query::new("where it computed", "stacks", &process);
    let words = Value::Class {
        name: work.class.name.clone(),
        phrase: work.class.phrase.clone(),
    };
    let draft = Draft::new(
        &work.class.name,
        Confidence::Certain,
        Extent::On(on.clone()),
    )
    .fact("process", Value::Process(story.runner().to_owned()))
    .fact("work", words)
    .claim(match story.runner() == story.root_name() {
        true => "It {work}: {share} of the time",
        false => "{process} {work}: {share} of the time",
    })
    .rows("cpu_sample", (on.ns(), hot.samples), query);
    Some(match place(story, work) {
        Some(place) => draft.fact("place", Value::Place(place)),
        None => draft,
    })
}

/// Returns where in the user's own code most of the work is done.
fn place(story: &Story<'_>, work: &Work) -> Option<Place> {
    let own = crate::hot::own(story.code, &work.weights)?;
    let place = Place::of_functions(story.code, &own.functions).at(own.source);
    (own.ns * 2 > work.ns && place.is_known()).then_some(place)
}

/// Returns work that waits for the disk, and computes for it.
fn with_disk_waits(story: &Story<'_>, cause: &str) -> Option<Draft> {
    let waits = waited::waits_of(story, cause)?;
    let waited_ns = waits.ns;
    let works = story.hot.works.iter();
    let work = works
        .filter(|_| story.hot.samples >= FEW_SAMPLES)
        .find(|work| work.class.name == cause);
    let computed = spread(story, share(work.map_or(0, |work| work.ns), story.hot.ns));
    let after = woken_after(story, &Spans::new(waits.when.iter().copied()));
    let draft = waited::draft(story, cause, waits);
    let Extent::On(on) = &draft.extent else {
        return Some(draft);
    };
    let all = on.and(&after).and(&computed);
    if share(all.ns() - waited_ns, story.own_ns()) < 5.0 {
        return Some(draft);
    }
    let part = share(waited_ns, story.wall_ns());
    let draft = draft.fact("wait-share", Value::Share(part));
    let mut draft = draft.detail(Message::new(
        "It waited for {wait-share} of the time; the rest is CPU time of these calls, and waking up.",
    ));
    draft.extent = Extent::On(all);
    Some(draft)
}

/// Returns how long it took to run again after waits: being woken, and getting the CPU from whoever did
/// it. Competing with others is not part of it.
fn woken_after(story: &Story<'_>, waits: &Spans) -> Spans {
    let steps = story.path.steps.iter();
    let ready = steps.filter(|step| step.what == What::Ready);
    let after = ready.filter(|step| waits.within(step.from_ns - 1, step.from_ns) > 0);
    Spans::new(after.map(|step| {
        let competed = step.ready.competing_ns.min(step.ns());
        (step.from_ns, step.to_ns - competed)
    }))
}

/// Spreads a share of the CPU time over all of it: samples do not tell more.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "a share of a step"
)]
fn spread(story: &Story<'_>, percent: f64) -> Spans {
    let steps = story.path.steps.iter();
    let ran = steps.filter(|step| step.what == What::Cpu);
    Spans::new(ran.map(|step| {
        let part = step.ns() as f64 * percent.clamp(0.0, 100.0) / 100.0;
        (step.from_ns, step.from_ns + part as i64)
    }))
}
