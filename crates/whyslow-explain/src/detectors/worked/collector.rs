//! Why a garbage collector has so much to do, as far as the environment of the program says.

use crate::detector::Draft;
use crate::finding::{Message, Value};
use whyslow_story::story::Story;

/// Go's default GOGC: it collects garbage when the heap has grown by this percentage.
const USUAL: u32 = 100;

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
