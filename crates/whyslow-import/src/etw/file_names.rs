//! Which file an address means: the kernel names open files (file objects) when they are opened, and
//! files (keys) when it makes or forgets them, or in a list at the end.
//!
//! Addresses are used again. An open file has its name from its opening to its release, so that name
//! counts most. A key that was not named yet gets a file without a path, which the list at the end
//! may still name.

use whyslow_model::{FastMap, FileId};

use super::emitter::Emitter;

/// Names known per file of the limit: a file may be open several times.
const NAMES_PER_FILE: usize = 2;

/// A file that an address means.
#[derive(Debug, Clone, Copy)]
struct Known {
    file: FileId,
    /// Its path is not known yet.
    is_unnamed: bool,
}

/// The files that addresses mean now.
#[derive(Debug)]
pub(super) struct FileNames {
    of_key: FastMap<u64, Known>,
    of_object: FastMap<u64, Known>,
    most: usize,
}

impl FileNames {
    /// Returns an empty set for about `most` files.
    pub(super) fn new(most: u32) -> Self {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        Self {
            of_key: FastMap::default(),
            of_object: FastMap::default(),
            most: most.saturating_mul(NAMES_PER_FILE) / 2,
        }
    }

    /// Takes the name of a key; its file without a path gets it.
    pub(super) fn name_key(&mut self, key: u64, path: &str, out: &mut Emitter<'_>) {
        if key == 0 || path.is_empty() {
            return;
        }
        if let Some(known) = self.of_key.get_mut(&key).filter(|known| known.is_unnamed) {
            known.is_unnamed = false;
            out.set_file_path(known.file, path);
            return;
        }
        if let Some(file) = out.file(path) {
            // The kernel names only what there is.
            out.exists(file);
            self.know_key(
                key,
                Known {
                    file,
                    is_unnamed: false,
                },
            );
        }
    }

    /// The kernel forgets a key.
    pub(super) fn forget_key(&mut self, key: u64) {
        self.of_key.remove(&key);
    }

    /// A file is being opened by this path; returns the file.
    pub(super) fn open(
        &mut self,
        object: u64,
        path: &str,
        out: &mut Emitter<'_>,
    ) -> Option<FileId> {
        let file = match path {
            "" => None,
            path => out.file(path),
        };
        match file {
            Some(file) if self.of_object.len() < self.most => {
                self.of_object.insert(
                    object,
                    Known {
                        file,
                        is_unnamed: false,
                    },
                );
            }
            // Nothing is better than the file that was there before.
            _ => {
                self.of_object.remove(&object);
            }
        }
        file
    }

    /// An open file is released: its address is free.
    pub(super) fn release(&mut self, object: u64) {
        self.of_object.remove(&object);
    }

    /// Returns the file that an open file object or its key stands for. Either may be 0: not given.
    pub(super) fn file(&mut self, object: u64, key: u64, out: &mut Emitter<'_>) -> Option<FileId> {
        if let Some(&opened) = self.of_object.get(&object) {
            match self.of_key.get_mut(&key) {
                Some(known) if known.file == opened.file => {}
                // What was used before under this key was the same file, or is forgotten.
                _ if key != 0 => self.know_key(key, opened),
                _ => {}
            }
            return Some(opened.file);
        }
        self.by_key(if key == 0 { object } else { key }, out)
    }

    /// Returns the file of a key.
    pub(super) fn by_key(&mut self, key: u64, out: &mut Emitter<'_>) -> Option<FileId> {
        if key == 0 {
            return None;
        }
        if let Some(known) = self.of_key.get(&key).or_else(|| self.of_object.get(&key)) {
            return Some(known.file);
        }
        let file = out.unnamed_file()?;
        self.know_key(
            key,
            Known {
                file,
                is_unnamed: true,
            },
        );
        Some(file)
    }

    fn know_key(&mut self, key: u64, known: Known) {
        if self.of_key.len() < self.most || self.of_key.contains_key(&key) {
            self.of_key.insert(key, known);
        }
    }
}
