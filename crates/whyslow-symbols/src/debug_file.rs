//! Finding files: the recorded one, and the debug file that belongs to it.
//!
//! | place | what is there |
//! |---|---|
//! | `DIR/.build-id/xx/yyyy.debug` | debug files, as distributions install them |
//! | `DIR/.build-id/xx/yyyy` | link to the file itself (Fedora) |
//! | `DIR/xx/yyyy.debug` | the same when DIR is the build-id tree |
//! | `DIR/.build-id/xx/yyyy/{elf,debug}` | cache of `perf buildid-cache` |
//! | `DIR/xxyyyy/{debuginfo,executable}` | cache of debuginfod clients |
//! | anywhere below a `--from` folder | any ELF file with the right build id |
//! | `.gnu_debuglink` | name and CRC of the debug file (source: GDB manual, "Separate Debug Files") |

use std::collections::{HashMap, VecDeque};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::Reason;
use crate::checksum::crc32;
use crate::debuginfod::{Artifact, Downloads};
use crate::elf::ElfImage;
use crate::file_bytes::FileBytes;

/// Folder levels below a `--from` folder that are searched.
const MAX_DEPTH: usize = 12;
/// Files below the `--from` folders that are looked at.
const MAX_FILES: usize = 200_000;
/// Files with a build id at most kept in the index per id.
const MAX_PER_ID: usize = 8;
const MAX_LINK_BYTES: u64 = 4096;

/// An opened ELF file and where it is.
#[derive(Debug)]
pub(crate) struct FoundFile {
    pub(crate) image: ElfImage,
    pub(crate) path: PathBuf,
}

impl FoundFile {
    pub(crate) fn open(path: &Path) -> Result<Self, Reason> {
        Ok(Self {
            image: ElfImage::new(FileBytes::open(path)?)?,
            path: path.to_owned(),
        })
    }

    fn open_with_id(path: &Path, build_id: &[u8]) -> Option<Self> {
        Self::open(path)
            .ok()
            .filter(|file| file.image.build_id.as_deref() == Some(build_id))
    }
}

/// The folders that files are looked for in.
#[derive(Debug)]
pub(crate) struct FileFinder {
    debug_dirs: Vec<PathBuf>,
    from: Vec<PathBuf>,
    downloads: Downloads,
    index: OnceLock<HashMap<Vec<u8>, Vec<PathBuf>>>,
}

impl FileFinder {
    pub(crate) fn new(debug_dirs: Vec<PathBuf>, from: Vec<PathBuf>, downloads: Downloads) -> Self {
        Self {
            debug_dirs,
            from,
            downloads,
            index: OnceLock::new(),
        }
    }

    /// The folders given by the user.
    pub(crate) fn from(&self) -> &[PathBuf] {
        &self.from
    }

    /// The file itself (one whose code is there), by build id, from the user's folders.
    pub(crate) fn file_with_id(&self, build_id: &[u8]) -> Option<FoundFile> {
        let cache = self.cache();
        self.with_id(build_id, &cache, |image| !image.is_debug_only())
    }

    /// A file with a symbol table or debug information, by build id.
    pub(crate) fn debug_file_with_id(&self, build_id: &[u8]) -> Option<FoundFile> {
        let installed = self.debug_dirs.iter().cloned();
        let dirs: Vec<PathBuf> = installed.chain(self.cache()).collect();
        self.with_id(build_id, &dirs, has_debug_symbols)
    }

    /// A file from a debuginfod server, if downloads are allowed.
    pub(crate) fn downloaded(&self, build_id: &[u8], what: Artifact) -> Option<FoundFile> {
        let open = |path: &Path| FoundFile::open_with_id(path, build_id);
        let found = self.downloads.get(build_id, what, open)?;
        let fits = match what {
            Artifact::DebugInfo => has_debug_symbols(&found.image),
            Artifact::Executable => !found.image.is_debug_only(),
        };
        fits.then_some(found)
    }

    /// The folder with what came from debuginfod servers, if there is one.
    fn cache(&self) -> Vec<PathBuf> {
        let cache = &self.downloads.debuginfod.cache;
        let is_named = !cache.as_os_str().is_empty();
        is_named.then(|| cache.clone()).into_iter().collect()
    }

    /// Where a debug file with this build id would be installed.
    pub(crate) fn installed_debug_path(&self, build_id: &[u8]) -> Option<PathBuf> {
        let (first, rest) = hex_parts(build_id)?;
        let dir = self.debug_dirs.first()?;
        Some(dir.join(format!(".build-id/{first}/{rest}.debug")))
    }

    fn with_id(
        &self,
        build_id: &[u8],
        more_dirs: &[PathBuf],
        fits: impl Fn(&ElfImage) -> bool,
    ) -> Option<FoundFile> {
        let (first, rest) = hex_parts(build_id)?;
        let places = [
            format!(".build-id/{first}/{rest}.debug"),
            format!(".build-id/{first}/{rest}"),
            format!(".build-id/{first}/{rest}/debug"),
            format!(".build-id/{first}/{rest}/elf"),
            format!("{first}/{rest}.debug"),
            format!("{first}/{rest}"),
            format!("{first}{rest}/debuginfo"),
            format!("{first}{rest}/executable"),
        ];
        let dirs = self.from.iter().chain(more_dirs);
        let known = dirs.flat_map(|dir| places.iter().map(move |place| dir.join(place)));
        let by_place = known
            .filter_map(|path| FoundFile::open_with_id(&path, build_id))
            .find(|file| fits(&file.image));
        by_place.or_else(|| {
            let index = self.index.get_or_init(|| index_of(&self.from));
            let paths = index.get(build_id)?;
            paths
                .iter()
                .filter_map(|path| FoundFile::open_with_id(path, build_id))
                .find(|file| fits(&file.image))
        })
    }

    /// The debug file that `file` names in its `.gnu_debuglink`.
    pub(crate) fn debug_file_by_link(&self, file: &FoundFile) -> Option<FoundFile> {
        let (name, crc) = debug_link(&file.image)?;
        let path = std::fs::canonicalize(&file.path).unwrap_or_else(|_| file.path.clone());
        let folder = path.parent()?;
        let relative = folder.strip_prefix("/").unwrap_or(folder);
        let beside = [folder.join(&name), folder.join(".debug").join(&name)];
        let installed = self
            .debug_dirs
            .iter()
            .map(|dir| dir.join(relative).join(&name));
        let given = self.from.iter().map(|dir| dir.join(&name));
        beside
            .into_iter()
            .chain(installed)
            .chain(given)
            .filter(|candidate| *candidate != path)
            .filter_map(|candidate| FoundFile::open(&candidate).ok())
            .find(|found| {
                has_debug_symbols(&found.image)
                    && match (&found.image.build_id, &file.image.build_id) {
                        (Some(found), Some(wanted)) => found == wanted,
                        _ => crc32(&found.image.bytes) == Some(crc),
                    }
            })
    }
}

/// Name and CRC in `.gnu_debuglink`.
fn debug_link(image: &ElfImage) -> Option<(PathBuf, u32)> {
    let section = image.section(b".gnu_debuglink")?;
    let bytes = image.section_bytes(section, MAX_LINK_BYTES).ok()?;
    let length = memchr::memchr(0, &bytes)?;
    let crc = bytes.get((length / 4 + 1) * 4..)?.first_chunk::<4>()?;
    let crc = match image.endian {
        object::Endianness::Little => u32::from_le_bytes(*crc),
        object::Endianness::Big => u32::from_be_bytes(*crc),
    };
    let name = std::str::from_utf8(bytes.get(..length)?).ok()?;
    // The link is a file name; anything else would lead outside the folders searched.
    let is_plain = !name.is_empty() && name != ".." && !name.contains('/');
    is_plain.then(|| (PathBuf::from(name), crc))
}

fn has_debug_symbols(image: &ElfImage) -> bool {
    let has = |section: &crate::elf::Section| section.has_bytes() && section.size > 0;
    image.section_of_kind(object::elf::SHT_SYMTAB).is_some()
        || image.section(b".debug_info").is_some_and(has)
}

/// Build id as the two parts of its path: first byte and the rest, in hexadecimal.
fn hex_parts(build_id: &[u8]) -> Option<(String, String)> {
    let mut text = build_id.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _written = write!(text, "{byte:02x}");
        text
    });
    if text.len() < 4 {
        return None;
    }
    let rest = text.split_off(2);
    Some((text, rest))
}

/// Build ids of all ELF files below the given folders.
fn index_of(folders: &[PathBuf]) -> HashMap<Vec<u8>, Vec<PathBuf>> {
    let mut index: HashMap<Vec<u8>, Vec<PathBuf>> = HashMap::new();
    for_each_file(folders, &mut |path| {
        let id = FoundFile::open(&path).ok().and_then(|f| f.image.build_id);
        let paths = id.map(|id| index.entry(id).or_default());
        if let Some(paths) = paths.filter(|paths| paths.len() < MAX_PER_ID) {
            paths.push(path);
        }
    });
    index
}

/// Shows every file below the given folders, those of a folder in the order of their names.
pub(crate) fn for_each_file(folders: &[PathBuf], show: &mut dyn FnMut(PathBuf)) {
    let mut open: VecDeque<(PathBuf, usize)> =
        folders.iter().map(|folder| (folder.clone(), 0)).collect();
    let mut n_files = 0;
    while let Some((folder, depth)) = open.pop_front() {
        let mut entries: Vec<_> = std::fs::read_dir(&folder)
            .into_iter()
            .flatten()
            .flatten()
            .take(MAX_FILES)
            .collect();
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            if kind.is_dir() && depth < MAX_DEPTH {
                open.push_back((entry.path(), depth + 1));
            }
            if !kind.is_dir() && n_files < MAX_FILES {
                n_files += 1;
                show(entry.path());
            }
        }
    }
}
