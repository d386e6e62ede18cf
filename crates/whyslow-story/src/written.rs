//! The file that a program writes nearly all to.

use crate::files::Use;
use crate::story::{Story, share};
use whyslow_model::FileOperation;

/// Percentage of all calls that go to one file, if the others do not matter.
const MOST: f64 = 80.0;

/// Returns the file that nearly all is written to, whatever it is called; `None` if that is no file on a disk.
pub fn file<'a>(story: &'a Story<'_>) -> Option<&'a str> {
    let writes = |one: &Use| one.operation == FileOperation::Write && one.is_ok();
    let (path, most) = story.files.most(writes)?;
    let all = story.files.uses.iter().filter(|one| writes(one));
    let all = all.fold(0, |all: i64, one| all.saturating_add(one.sum.count));
    let name = story.files.path(path);
    let is_file = name.starts_with('/') && !name.starts_with("/dev/");
    (is_file && share(most, all) >= MOST).then_some(name)
}
