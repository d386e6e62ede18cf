//! The account of what tests needed: printed, promised, written down.

use std::env;
use std::fs::OpenOptions;
use std::io::Write;

use crate::Feature;

/// Notes that the running test needs `feature`, and why it is `missing`; returns whether it is there.
#[expect(clippy::print_stdout, reason = "a skipped test says so")]
pub(crate) fn note(feature: Feature, missing: Option<&str>) -> bool {
    write(feature, missing.is_none());
    let Some(why) = missing else {
        return true;
    };
    let why = why.trim();
    println!("skipped: {feature}: {why}");
    assert!(!is_promised(feature), "{feature} is promised: {why}");
    false
}

/// Returns whether the environment promises a feature.
fn is_promised(feature: Feature) -> bool {
    let promised = env::var("WHYSLOW_PROMISED").unwrap_or_default();
    let mut names = promised.split(',').filter(|name| !name.is_empty());
    names.any(|name| {
        let is_known = name == "all" || Feature::ALL.iter().any(|known| known.name() == name);
        assert!(is_known, "WHYSLOW_PROMISED: there is no feature {name:?}");
        name == "all" || name == feature.name()
    })
}

/// Appends `FEATURE run|skipped BINARY TEST` to the file of the account. One write, so that lines of
/// several processes stay whole.
fn write(feature: Feature, is_there: bool) {
    let Some(path) = env::var_os("WHYSLOW_TALLY") else {
        return;
    };
    let binary = env::current_exe().unwrap_or_default();
    let binary = binary.file_stem().unwrap_or_default().to_string_lossy();
    let binary = binary.rsplit_once('-').map_or(&*binary, |(name, _)| name);
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("?");
    let what = if is_there { "run" } else { "skipped" };
    let line = format!("{feature}\t{what}\t{binary}\t{test}\n");
    let file = OpenOptions::new().create(true).append(true).open(path);
    // An account that cannot be written is seen by whoever reads it.
    let _written = file.and_then(|mut file| file.write_all(line.as_bytes()));
}
