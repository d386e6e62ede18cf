//! The place where most of the CPU time went, and the share that is known to.

use std::collections::BTreeSet;

use crate::detector::Draft;
use crate::finding::{Message, Value};
use whyslow_findings::ranking::DISK_WORK;
use whyslow_query::call_tree::Weights;
use whyslow_query::frames::FunctionId;
use whyslow_story::hot::{self, Own};
use whyslow_story::place::Place;
use whyslow_story::story::{Story, share};

/// A function of the user's own with less of the CPU time than this percentage is not its place.
const MUCH: f64 = 40.0;

/// Whole stacks with less of the CPU time than this percentage say nothing about the others.
const ENOUGH_WHOLE: f64 = 25.0;

/// If they have more than this percentage, the others need no mention.
const NEARLY_WHOLE: f64 = 95.0;

/// A function of the user's own is a place of the CPU time from this percentage on.
const SOME: f64 = 20.0;

/// A place with its share of the CPU time.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Most {
    pub(crate) place: Place,
    /// Its share, 0 to 100.
    pub(crate) part: f64,
    of: Of,
    /// The function below it with the largest part, and its share, 0 to 100.
    inner: Option<(Place, f64)>,
}

/// What a share is of.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Of {
    /// Of all CPU time.
    All,
    /// Of all of it, and it may be more: stacks that were cut short may belong to the place, too.
    AtLeast,
    /// Of the time on whole stacks, which have this share of all CPU time, 0 to 100.
    Whole(f64),
    /// Of what is left without the CPU time of calls that wait for a disk, which another finding is about.
    Rest,
}

/// Calls that wait for a disk with less of the CPU time than this percentage do not hide where the rest is.
const DISK: f64 = 20.0;

/// A function of the user's own with less of the CPU time than this percentage is only a part of where it went.
const HALF: f64 = 50.0;

/// Returns whether most of the time goes through one function of the user's own that others of them call.
fn goes_through(story: &Story<'_>) -> bool {
    let own = story.hot.trunk.iter().filter(|&&id| is_own(story, id));
    own.count() > 1
}

/// Returns the functions that most of the time goes through; if some of them are the user's own, to the last of these.
fn trunk_of<'a>(story: &'a Story<'_>) -> &'a [FunctionId] {
    let trunk = &story.hot.trunk;
    let last = trunk.iter().rposition(|&id| is_own(story, id));
    let inside = last.filter(|_| goes_through(story));
    inside.map_or(trunk, |last| trunk.get(..=last).unwrap_or(trunk))
}

fn is_own(story: &Story<'_>, id: FunctionId) -> bool {
    let code = story.code;
    code.whose(id).is_own() && code.stacks.frames.function(id).resolved
}

impl Most {
    /// Returns where calls are made that take so much of the time, if no stacks of theirs were recorded: the place of
    /// most of the CPU time, if they are much of it.
    pub(crate) fn place_of_calls(story: &Story<'_>, ns: i64) -> Option<Place> {
        let calls = share(ns, story.path.cpu_ns());
        // At least so much of it is theirs and in that place, even if all that is elsewhere is theirs.
        let there = |most: &Self| most.part + calls - 100.0;
        let most = Self::of(story).filter(|most| calls >= 40.0 && there(most) * 2.0 >= calls);
        most.map(|most| most.place)
    }

    /// Returns the place that most of the CPU time went into: a function of the user's own, or else where nearly all
    /// stacks go through. If these go only through libraries, a function of the user's own with a part of the time
    /// says more.
    pub(crate) fn of(story: &Story<'_>) -> Option<Self> {
        let hot = &story.hot;
        let whole = share(hot.whole_ns, hot.ns);
        let own_place =
            |own: &Own| Place::of_functions(story.code, &own.functions).at(own.source.clone());
        // Stacks that were cut short do not say whose they are.
        let of_whole = |own: &&Own| share(own.ns, hot.whole_ns) >= MUCH && whole >= ENOUGH_WHOLE;
        // A function that most of the time goes through says more than a smaller part of it below.
        // One that all of it goes through says nothing.
        let through = goes_through(story) && hot.trunk_share * 100.0 < NEARLY_WHOLE;
        let is_part = |own: &Own| share(own.ns, hot.whole_ns) < HALF && through;
        let of_whole = |own: &&Own| of_whole(own) && !is_part(own);
        if let Some(own) = hot.own.as_ref().filter(of_whole) {
            return Some(Self {
                place: own_place(own),
                part: share(own.ns, hot.whole_ns),
                of: match whole >= NEARLY_WHOLE {
                    true => Of::All,
                    false => Of::Whole(whole),
                },
                inner: None,
            });
        }
        let trunk = Place::of_functions(story.code, trunk_of(story));
        // A part that is the user's own says more than all of it in a library.
        let is_some = |own: &&Own| share(own.ns, hot.ns) >= SOME;
        if let Some(own) = hot.own.as_ref().filter(is_some)
            && !trunk.is_users()
            && !through
        {
            return Some(Self {
                place: own_place(own),
                part: share(own.ns, hot.ns),
                of: match whole >= NEARLY_WHOLE {
                    true => Of::All,
                    false => Of::AtLeast,
                },
                inner: None,
            });
        }
        let inner = hot.own.as_ref().filter(|own| share(own.ns, hot.ns) >= MUCH);
        let inner = inner.filter(|_| goes_through(story)).and_then(|own| {
            let name = story.code.name(*own.functions.last()?);
            // It is below: the last function of the trunk calls it.
            let last = trunk_of(story).last();
            let callers = own
                .functions
                .split_last()
                .map_or(&[][..], |(_, callers)| callers);
            let is_below = last.is_some_and(|last| callers.contains(last));
            is_below.then(|| (Place::function(&name), share(own.ns, hot.ns)))
        });
        trunk.is_known().then_some(Self {
            place: trunk,
            part: hot.trunk_share * 100.0,
            of: Of::All,
            inner,
        })
    }

    /// Returns the place of threads that computed beside the path, and its share of their CPU time.
    pub(crate) fn beside_path(story: &Story<'_>) -> Option<(Place, f64)> {
        let (own, all_ns) = story.hot.beside.as_ref()?;
        let part = share(own.ns, *all_ns);
        let place = Place::of_functions(story.code, &own.functions).at(own.source.clone());
        (part >= MUCH).then_some((place, part))
    }

    /// Returns the nodes of the tree of stacks that belong to calls which wait for a disk, if these have much of the CPU
    /// time.
    fn of_disk(story: &Story<'_>) -> BTreeSet<u32> {
        let works = story.hot.works.iter();
        let works = works.filter(|work| {
            DISK_WORK.contains(&work.class.name.as_str()) && share(work.ns, story.hot.ns) >= DISK
        });
        works
            .flat_map(|work| work.weights.iter().map(|&(node, _)| node))
            .collect()
    }

    /// Returns the place of the CPU time beside calls that wait for a disk: `None` without such calls, else what is
    /// known.
    pub(crate) fn beside_disk(story: &Story<'_>) -> Option<Option<Self>> {
        let disk = Self::of_disk(story);
        if disk.is_empty() {
            return None;
        }
        let mut weights = Weights::new(story.code.stacks);
        let mut ns = 0_i64;
        let rest = story.hot.stacks.iter();
        for (&(node, _), &of_node) in rest.filter(|((node, _), _)| !disk.contains(node)) {
            weights.add(node, of_node);
            ns = ns.saturating_add(of_node);
        }
        let own = hot::own(story.code, &weights.take());
        let own = own.filter(|own| share(own.ns, ns) >= SOME);
        Some(own.map(|own| Self {
            part: share(own.ns, ns),
            place: Place::of_functions(story.code, &own.functions).at(own.source),
            of: Of::Rest,
            inner: None,
        }))
    }

    /// Returns the place with the largest part of the CPU time, for when no place has most of it, as in a pool of
    /// threads.
    pub(crate) fn largest(story: &Story<'_>) -> Option<Self> {
        let (functions, share) = story.hot.branch.as_ref()?;
        let place = Place::of_functions(story.code, functions);
        place.is_known().then_some(Self {
            place,
            part: share * 100.0,
            of: Of::All,
            inner: None,
        })
    }

    /// Returns the sentence about it; its values are [`Self::facts`].
    pub(crate) fn message(&self) -> Message {
        Message::new(match self.of {
            Of::All if self.inner.is_some() => {
                "{place}: {place-share} of the CPU time, {inner-share} in {inner}"
            }
            Of::All => "{place}: {place-share} of the CPU time",
            Of::Rest => "{place}: {place-share} of the CPU time outside calls that wait for a disk",
            Of::AtLeast => "{place}: at least {place-share} of the CPU time",
            Of::Whole(_) => {
                "{place}: {place-share} of the CPU time whose callers are known ({whole-share} of all)"
            }
        })
    }

    /// Adds the values.
    pub(crate) fn facts(self, draft: Draft) -> Draft {
        let draft = draft
            .fact("place", Value::Place(self.place))
            .fact("place-share", Value::Share(self.part));
        let draft = match self.inner {
            Some((inner, part)) => draft
                .fact("inner", Value::Place(inner))
                .fact("inner-share", Value::Share(part)),
            None => draft,
        };
        match self.of {
            Of::Whole(whole) => draft.fact("whole-share", Value::Share(whole)),
            Of::All | Of::AtLeast | Of::Rest => draft,
        }
    }
}
