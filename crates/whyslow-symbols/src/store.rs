//! Finding the files of Windows modules: PDBs and images, by name and key.
//!
//! | place | what is there |
//! |---|---|
//! | `DIR/name/KEY/name` | symbol store |
//! | `DIR/na/name/KEY/name` | symbol store of two tiers |
//! | `DIR/name/KEY/nam_` | the same, compressed (`file.ptr`, which points elsewhere, is not followed) |
//! | `DIR/name`, `DIR/pdb/name`, `DIR/symbols/pdb/name` | plain folder |
//! | anywhere below a `--from` folder | any file of that name |
//! | `URL/name/KEY/name`, `…/nam_` | symbol server, if downloads are allowed |
//!
//! Windows does not distinguish `A.PDB` from `a.pdb`; neither do we. The caller that opens a file
//! checks that it is the right one: a name proves nothing.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::cabinet;
use crate::debug_file::for_each_file;
use crate::file_bytes::FileBytes;
use crate::{Reason, SymbolPath};

/// Longest file name looked for.
const MAX_NAME_BYTES: usize = 255;
/// Entries of a folder looked at.
const MAX_ENTRIES: usize = 1 << 20;
/// Files of one name that are tried below the `--from` folders.
const MAX_SAME_NAME: usize = 64;

/// What gets files from symbol servers.
pub trait Fetch: fmt::Debug + Send + Sync {
    /// Downloads `url` into the file `to`, which appears complete or not at all. `check` says
    /// whether a finished download is the wanted file; any other must be removed.
    ///
    /// # Errors
    /// [`FetchFailure`] says whether the server lacks the file or could not deliver it.
    fn fetch(
        &self,
        url: &str,
        to: &Path,
        check: &dyn Fn(&Path) -> bool,
    ) -> Result<(), FetchFailure>;
}

/// Why a file did not come from a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FetchFailure {
    /// The server does not have it.
    NotThere,
    /// The server could not be asked, or delivered something else.
    Failed,
}

/// The places where files of Windows modules are looked for.
#[derive(Debug)]
pub(crate) struct Store {
    from: Vec<PathBuf>,
    path: SymbolPath,
    fetch: Option<Arc<dyn Fetch>>,
    below: OnceLock<HashMap<String, Vec<PathBuf>>>,
    listings: Mutex<HashMap<PathBuf, Listing>>,
}

/// Entries of a folder: name in lower case, and as it is.
type Listing = Arc<HashMap<String, OsString>>;

impl Store {
    pub(crate) fn new(from: Vec<PathBuf>, path: SymbolPath, fetch: Option<Arc<dyn Fetch>>) -> Self {
        Self {
            from,
            path,
            fetch,
            below: OnceLock::new(),
            listings: Mutex::default(),
        }
    }

    /// Finds the file `name` that is filed under `key`: the first that `open` takes.
    ///
    /// # Errors
    /// The most informative reason why there is none.
    pub(crate) fn find<T>(
        &self,
        name: &str,
        key: &str,
        open: &dyn Fn(FileBytes) -> Result<T, Reason>,
    ) -> Result<(T, PathBuf), Reason> {
        let name = crate::pdb_id::last_part(name);
        if !is_plain_name(name) {
            return Err(Reason::PdbMissing);
        }
        let mut failure = Reason::PdbMissing;
        for path in self.local(name, key) {
            match read(&path).and_then(open) {
                Ok(found) => return Ok((found, path)),
                Err(Reason::FileMissing) => {}
                Err(reason) => failure = reason,
            }
        }
        match self.download(name, key, open) {
            Err(Reason::PdbMissing) => Err(failure),
            result => result,
        }
    }

    fn download<T>(
        &self,
        name: &str,
        key: &str,
        open: &dyn Fn(FileBytes) -> Result<T, Reason>,
    ) -> Result<(T, PathBuf), Reason> {
        let Some(fetch) = &self.fetch else {
            return Err(Reason::PdbMissing);
        };
        let mut failure = Reason::PdbNotOnServer;
        for server in &self.path.servers {
            for file in [name, &packed_name(name)] {
                let parts = [name, key, file].map(escaped);
                let url = format!("{}/{}", server.url, parts.join("/"));
                let to = server.cache.join(name).join(key).join(file);
                let check = |path: &Path| read(path).and_then(open).is_ok();
                match fetch.fetch(&url, &to, &check) {
                    Ok(()) => match read(&to).and_then(open) {
                        Ok(found) => return Ok((found, to)),
                        Err(_) => failure = Reason::DownloadFailed,
                    },
                    Err(FetchFailure::NotThere) => {}
                    Err(FetchFailure::Failed) => {
                        failure = Reason::DownloadFailed;
                        break;
                    }
                }
            }
        }
        Err(failure)
    }

    /// Every file on this machine that may be the one, likeliest first.
    fn local(&self, name: &str, key: &str) -> Vec<PathBuf> {
        let packed = packed_name(name);
        let tier: String = name.chars().take(2).collect();
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        let mut found = Vec::new();
        for dir in self.from.iter().chain(&self.path.folders) {
            for file in [name, &packed] {
                found.extend(self.entry(dir, &[name, key, file]));
                found.extend(self.entry(dir, &[&tier, name, key, file]));
            }
            for parts in [
                &[name][..],
                &[extension, name],
                &["symbols", extension, name],
            ] {
                found.extend(self.entry(dir, parts));
            }
        }
        if !self.from.is_empty() {
            let below = self.below.get_or_init(|| files_below(&self.from));
            let same = below.get(&name.to_lowercase()).into_iter().flatten();
            found.extend(same.cloned());
        }
        found
    }

    /// The path below `dir` that these parts name, whatever their case.
    fn entry(&self, dir: &Path, parts: &[&str]) -> Option<PathBuf> {
        let exact = dir.join(parts.iter().collect::<PathBuf>());
        if exact.is_file() {
            return Some(exact);
        }
        let mut path = dir.to_owned();
        for part in parts {
            let listing = self.listing(&path);
            path.push(listing.get(&part.to_lowercase())?);
        }
        path.is_file().then_some(path)
    }

    fn listing(&self, dir: &Path) -> Listing {
        let mut listings = self.listings.lock().unwrap_or_else(PoisonError::into_inner);
        let listing = listings.entry(dir.to_owned()).or_insert_with(|| {
            let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
            let mut names: Vec<_> = entries.take(MAX_ENTRIES).map(|e| e.file_name()).collect();
            names.sort();
            let lower = |name: OsString| (name.to_string_lossy().to_lowercase(), name);
            Arc::new(names.into_iter().map(lower).collect())
        });
        Arc::clone(listing)
    }
}

/// Reads the file at `path`, unpacked if it is a cabinet.
fn read(path: &Path) -> Result<FileBytes, Reason> {
    let bytes = FileBytes::open(path)?;
    let mut magic = [0; 4];
    let is_packed = bytes.read_exact_at(0, &mut magic).is_ok() && &magic == b"MSCF";
    if is_packed {
        cabinet::unpack(&bytes)
    } else {
        Ok(bytes)
    }
}

/// Files below the given folders, by their names in lower case.
fn files_below(folders: &[PathBuf]) -> HashMap<String, Vec<PathBuf>> {
    let mut found: HashMap<String, Vec<PathBuf>> = HashMap::new();
    for_each_file(folders, &mut |path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let same = found.entry(name.to_lowercase()).or_default();
        if same.len() < MAX_SAME_NAME {
            same.push(path);
        }
    });
    found
}

/// Whether a recorded name is one that a file can have, here and on Windows, and nothing more:
/// traces come from strangers.
fn is_plain_name(name: &str) -> bool {
    let is_bad = |c: char| c.is_control() || "\\/:*?\"<>|".contains(c);
    !matches!(name, "" | "." | "..") && name.len() <= MAX_NAME_BYTES && !name.contains(is_bad)
}

/// Name of the compressed form: the last letter becomes `_`.
fn packed_name(name: &str) -> String {
    let mut packed = name.to_owned();
    packed.pop();
    packed.push('_');
    packed
}

/// A part of a URL's path.
fn escaped(part: &str) -> String {
    let mut text = String::new();
    for byte in part.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~+".contains(&byte) {
            text.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _written = write!(text, "%{byte:02X}");
        }
    }
    text
}
