//! Real traces.

use std::path::{Path, PathBuf};

use crate::{Feature, has};

/// Returns the folder of recorded data: `$WHYSLOW_DATA`, or `shared/data` beside the checkout or above
/// it; `None`, after saying so, where there is none with traces of Windows in `etl`.
#[must_use]
pub fn data() -> Option<PathBuf> {
    has(Feature::Data).then(find).flatten()
}

pub(crate) fn find() -> Option<PathBuf> {
    let named = std::env::var_os("WHYSLOW_DATA").map(PathBuf::from);
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let beside = above.map(|dir| dir.join("shared/data"));
    let mut all = named.into_iter().chain(beside);
    all.find(|dir| dir.join("etl").is_dir())
}
