//! Removing what killed runs left: places and fixtures, found by their names.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

use crate::error::Error;
use crate::fixture::{dismantle, is_left};
use crate::place::{PLACE, Place};

/// Removes the places that runs left in `dir` which are not alive any more; returns how many.
///
/// # Errors
/// When `dir` cannot be listed, or something of a place stays; the others are gone then.
pub fn clean(dir: &Path) -> Result<usize, Error> {
    let (mut removed, mut fixtures, mut failed) = (0, BTreeSet::new(), None);
    let dir = &fs::canonicalize(dir).map_err(Error::io("find", dir))?;
    for entry in fs::read_dir(dir).map_err(Error::io("list", dir))? {
        let path = entry.map_err(Error::io("list", dir))?.path();
        let is = |suffix: &str| path.extension().is_some_and(|found| found == suffix);
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let Some(gone) = left_behind(&name) else {
            continue;
        };
        if is("mnt") || is("img") {
            fixtures.insert((path.with_extension(""), gone));
        } else if path.extension().is_none() {
            match Place::discard(&path, gone) {
                Ok(done) => removed += usize::from(done),
                Err(error) => failed = failed.or(Some(error)),
            }
        }
    }
    let left = fixtures.iter().filter(|(base, gone)| is_left(base, *gone));
    for (base, _) in left {
        match dismantle(base) {
            Ok(()) => removed += 1,
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    failed.map_or(Ok(removed), Err)
}

/// Returns whether the process of the place `name` is gone; `None` if it may be alive, or the name is
/// none of a place. It is `false` where a process of another name has its number: that is the run itself
/// where its program's file was called otherwise, and only what it does not hold is left.
fn left_behind(name: &str) -> Option<bool> {
    let (pid, number) = name.strip_prefix(PLACE)?.split_once('-')?;
    let _number: u32 = number.parse().ok()?;
    let pid = pid.parse().ok().filter(|&pid: &i32| pid > 0)?;
    let pid = Pid::from_raw(pid)?;
    let gone = test_kill_process(pid) == Err(Errno::SRCH);
    (gone || is_another(pid)).then_some(gone)
}

/// Returns whether `pid` is called otherwise than this program: after a restart others have the numbers.
fn is_another(pid: Pid) -> bool {
    let name = |process: &str| fs::read(format!("/proc/{process}/comm")).ok();
    let other = name(&pid.as_raw_pid().to_string());
    other.is_some_and(|other| name("self").is_some_and(|ours| ours != other))
}
