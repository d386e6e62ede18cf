//! Why a garbage collector has so much to do, as far as the environment of the program says.

use crate::detector::Draft;
use crate::finding::{Message, Value};
use whyslow_query::call_tree::StackWeight;
use whyslow_query::spans::Spans;
use whyslow_story::path::Link;
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
            .advise("Call gc.freeze() once all long-lived objects are loaded, so that Python checks fewer objects, or raise the thresholds (gc.set_threshold()), so that it checks less often."),
        false => draft,
    }
}

/// The thread of Java's machine that lets the others continue after a collection.
const VM_THREAD: &str = "VM Thread";

/// Fewer pauses are worth no line.
const MANY_PAUSES: usize = 5;

/// Adds how often Java's collector stopped the program, and what limits the heap, if it is Java's.
pub(super) fn of_java(story: &Story<'_>, (process, on): (&str, &Spans), draft: Draft) -> Draft {
    if process != "java" {
        return draft;
    }
    let ended = |link: &&Link| story.facts.thread_name(link.waker) == VM_THREAD;
    let links = story.path.links.iter().filter(ended);
    let pauses = links.flat_map(|link| link.when.iter().copied());
    // That thread stops the others for other purposes, too, and at the end for good.
    let is_pause = |&(from, to): &(i64, i64)| on.within(from, to) * 2 > to.saturating_sub(from);
    let pauses = pauses.filter(is_pause);
    let pauses = pauses.map(|(from, to)| to.saturating_sub(from));
    let mut pauses: Vec<i64> = pauses.collect();
    pauses.sort_unstable();
    let count = i64::try_from(pauses.len()).unwrap_or(i64::MAX);
    let draft = match (pauses.get(pauses.len() / 2), pauses.last()) {
        (Some(&typical), Some(&longest)) if pauses.len() >= MANY_PAUSES => draft
            .fact("pauses", Value::Count(count))
            .fact("typical", Value::Time(typical))
            .fact("longest", Value::Time(longest))
            .detail(Message::new(
                "The collector stopped the program {pauses} times, typically for {typical}, at most for {longest}.",
            )),
        _ => draft,
    };
    let rows = story.facts.processes.iter().zip(&story.command.processes);
    let mut rows = rows.filter(|(row, of)| **of && row.name == process);
    let limit = rows.find_map(|(row, _)| heap_limit(row.command_line.as_deref()?));
    match limit {
        Some(limit) => draft
            .fact("limit", Value::Text(limit.to_owned()))
            .detail(Message::new("Its command line limits the heap: {limit}."))
            .advise("Raise the heap limit (-Xmx), or create fewer objects."),
        None => draft.advise("Give it a larger heap (-Xmx), or create fewer objects."),
    }
}

/// Options of Java whose value is a word of its own.
const PATHS: [&str; 4] = ["-cp", "-classpath", "-p", "--add-modules"];

/// Returns the option that limits the heap; of several, the last one counts.
fn heap_limit(line: &str) -> Option<&str> {
    let words: Vec<&str> = line.split_whitespace().collect();
    // What follows the name of the class or archive is the program's own.
    let is_option = |at: &usize| {
        let of = |at: usize| words.get(at).copied().unwrap_or("");
        of(*at).starts_with('-') || PATHS.contains(&of(at.saturating_sub(1)))
    };
    let options = (1..words.len()).take_while(is_option);
    let options = options.filter_map(|at| words.get(at).copied());
    options.filter(|word| word.starts_with("-Xmx")).last()
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

#[cfg(test)]
mod tests {
    use super::heap_limit;

    #[test]
    fn the_heap_is_limited_by_the_last_option_before_the_program() {
        let limit = |line| heap_limit(line);
        assert_eq!(
            limit("java -Xmx80m -Xlog:gc -Xmx90m Gc -Xmx1m"),
            Some("-Xmx90m")
        );
        assert_eq!(limit("java -cp lib -Xmx80m Gc"), Some("-Xmx80m"));
        assert_eq!(limit("java Gc -Xmx1m"), None);
    }
}
