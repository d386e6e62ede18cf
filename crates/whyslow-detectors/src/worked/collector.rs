//! Why a garbage collector has so much to do, as far as the environment of the program says.

use crate::detector::Draft;
use crate::finding::{Message, Value};
use whyslow_query::call_tree::StackWeight;
use whyslow_story::story::Story;
use whyslow_story::work::Work;

/// Go's default GOGC: it collects garbage when the heap has grown by this percentage.
const USUAL: u32 = 100;

/// The function of CPython that collects garbage, with what compilers add to its name.
const OF_PYTHON: &str = "gc_collect_main";

/// Says how Python collects less often, if it is Python's collector.
pub(super) fn advise(story: &Story<'_>, work: &Work, draft: Draft) -> Draft {
    let (tree, frames) = (&story.code.stacks.tree, &story.code.stacks.frames);
    let is_of_python = |&(node, _): &(u32, StackWeight)| {
        let mut functions = tree.path(node).flat_map(|node| tree.functions(node));
        functions.any(|&id| frames.function(id).name.starts_with(OF_PYTHON))
    };
    match work.weights.iter().any(is_of_python) {
        true => draft
            .advise("Call gc.freeze() once all long-lived objects are loaded, so that Python checks fewer objects, or raise gc.set_threshold(), so that it checks less often."),
        false => draft,
    }
}

/// Adds the setting that makes Go's collector run so often, if the environment of a process of this name has one.
pub(super) fn add_setting(story: &Story<'_>, process: &str, draft: Draft) -> Draft {
    let rows = story.facts.processes.iter().zip(&story.command.processes);
    let rows = rows.filter(|(row, of)| **of && row.name == process);
    let settings = rows.flat_map(|(row, _)| {
        let all = story.go_settings.iter();
        all.filter(move |(pid, _)| *pid == row.os_pid)
    });
    let mut settings = settings.filter_map(|(_, setting)| setting.split_once('='));
    let small = |(name, value): &(&str, &str)| {
        *name == "GOGC" && value.parse().is_ok_and(|percent: u32| percent < USUAL)
    };
    let Some((_, percent)) = settings.find(small) else {
        return draft;
    };
    draft
        .fact("gogc", Value::Text(percent.to_owned()))
        .detail(Message::new(
            "Its environment has GOGC={gogc}: it collects whenever the heap has grown by {gogc} %; the default is 100 %.",
        ))
        .advise("Unset GOGC, or set GOMEMLIMIT to the memory that it may use.")
}
