//! Where a program computed that is not the one with most of the CPU time.

use crate::detector::Draft;
use crate::finding::{Message, Value};
use whyslow_query::call_tree::Weights;
use whyslow_story::hot;
use whyslow_story::place::Place;
use whyslow_story::story::{Story, share};

/// A function with less of the program's CPU time than this percentage is not where it computed.
const MOST: f64 = 50.0;

/// Fewer samples say nothing about where it computed.
const FEW_SAMPLES: i64 = 20;

/// Adds the function of the user's own that most of the CPU time of the processes with this name went into.
pub(super) fn add_place(story: &Story<'_>, draft: Draft, name: &str) -> Draft {
    let mut weights = Weights::new(story.code.stacks);
    let mut ns = 0_i64;
    let of_stacks = story.hot.stacks.iter();
    let is_of = |thread| story.process_of(thread) == Some(name);
    for (&(node, _), &of_node) in of_stacks.filter(|((_, thread), _)| is_of(*thread)) {
        weights.add(node, of_node);
        ns = ns.saturating_add(of_node);
    }
    let own = hot::own(story.code, &weights.take());
    // All samples have about the same weight.
    let samples = i128::from(ns) * i128::from(story.hot.samples) / i128::from(story.hot.ns.max(1));
    let is_enough = samples >= i128::from(FEW_SAMPLES);
    let own = own.filter(|own| is_enough && share(own.ns, ns) >= MOST);
    let Some(own) = own else { return draft };
    let place = Place::of_functions(story.code, &own.functions).at(own.source);
    if !place.is_users() {
        return draft;
    }
    draft
        .fact("place", Value::Place(place))
        .fact("place-share", Value::Share(share(own.ns, ns)))
        .detail(Message::new("{place}: {place-share} of its CPU time"))
}
