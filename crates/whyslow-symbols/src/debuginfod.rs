//! Files of Linux modules from debuginfod servers, by build id.
//!
//! | address | what is there |
//! |---|---|
//! | `URL/buildid/ID/debuginfo` | the debug file |
//! | `URL/buildid/ID/executable` | the file itself |
//!
//! Downloads are stored as the clients of elfutils store them, `CACHE/ID/debuginfo`, and checked: only
//! a file with this build id counts. (Source: debuginfod(8), debuginfod-find(1).)

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::Fetch;

/// Longest build id that is asked for, in bytes.
const MAX_ID_BYTES: usize = 64;

/// Servers, and the folder that keeps what came from them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Debuginfod {
    /// Addresses of the servers, without a slash at the end.
    pub servers: Vec<String>,
    /// The folder.
    pub cache: PathBuf,
}

impl Debuginfod {
    /// Returns the servers that a text like `DEBUGINFOD_URLS` lists, separated by blanks. Words that
    /// are not addresses, such as `ima:enforcing`, are left out.
    pub fn parse(urls: &str, cache: PathBuf) -> Self {
        let is_address = |word: &&str| word.starts_with("http://") || word.starts_with("https://");
        let words = urls.split_whitespace().filter(is_address);
        let servers = words.map(|word| word.trim_end_matches('/').to_owned());
        Self {
            servers: servers.collect(),
            cache,
        }
    }
}

/// Which file of a module is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Artifact {
    /// Its debug file.
    DebugInfo,
    /// The file itself.
    Executable,
}

/// Gets files, if downloads are wanted.
#[derive(Debug, Default)]
pub(crate) struct Downloads {
    pub(crate) debuginfod: Debuginfod,
    pub(crate) fetch: Option<Arc<dyn Fetch>>,
}

impl Downloads {
    /// Returns the file of the first server that has it; `open` opens one if it is the right one.
    pub(crate) fn get<T>(
        &self,
        build_id: &[u8],
        what: Artifact,
        open: impl Fn(&Path) -> Option<T>,
    ) -> Option<T> {
        let fetch = self.fetch.as_ref()?;
        if !(2..=MAX_ID_BYTES).contains(&build_id.len()) {
            return None;
        }
        let id = build_id.iter().fold(String::new(), |mut text, byte| {
            // Writing to a string cannot fail.
            let _written = write!(text, "{byte:02x}");
            text
        });
        let what = match what {
            Artifact::DebugInfo => "debuginfo",
            Artifact::Executable => "executable",
        };
        let to = self.debuginfod.cache.join(&id).join(what);
        self.debuginfod.servers.iter().find_map(|server| {
            let url = format!("{server}/buildid/{id}/{what}");
            let got = fetch.fetch(&url, &to, &|path| open(path).is_some());
            got.ok().and_then(|()| open(&to))
        })
    }
}
