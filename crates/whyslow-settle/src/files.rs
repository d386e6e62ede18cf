//! Files as a recording reports them: numbers that represent paths, and what the files are.

use whyslow_model::{FastMap, FileFlags};

use crate::text::{TextId, Texts};

/// A file by one of its names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct File {
    /// The path.
    pub path: TextId,
    /// Inode and device; `None` if only the name is known.
    pub inode: Option<(u64, u32)>,
    /// Kind of file and permissions as in Linux; 0: not known.
    pub mode: u32,
    /// Type of the file system.
    pub file_system: Option<TextId>,
    /// Bits of [`FileFlags`].
    pub flags: i32,
}

impl File {
    /// Returns a file of which only the path is known.
    #[must_use]
    pub fn of_name(path: TextId) -> Self {
        Self {
            path,
            inode: None,
            mode: 0,
            file_system: None,
            flags: FileFlags::NAME_ONLY.0,
        }
    }
}

/// Cost of a file, with its places in two half-full indexes.
pub const FILE_BYTES: usize = 192;

/// How many numbers are known at a time for each file: a file is reported again after renames.
const NUMBERS_PER_FILE: usize = 2;

/// The files of one trace.
#[derive(Debug)]
pub struct Files {
    pub(crate) all: Vec<File>,
    index: FastMap<File, u32>,
    of_number: FastMap<u64, u32>,
    limit: usize,
    /// Files represented by their folder, or by nothing.
    pub others: u64,
}

impl Files {
    /// Returns an empty set that keeps at most `limit` files.
    pub fn new(limit: u32) -> Self {
        Self {
            all: Vec::new(),
            index: FastMap::default(),
            of_number: FastMap::default(),
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
            others: 0,
        }
    }

    /// Sets which file a number means from now on: the one that `file` makes of the path's text. Beyond the limit, and
    /// where there is no room for the text, that is its folder, or nothing: never what the number meant before.
    pub fn name(
        &mut self,
        number: u64,
        path: &str,
        file: impl FnOnce(TextId) -> File,
        texts: &mut Texts,
    ) {
        // Paths of files that are not kept would take the room of other texts, such as names of processes.
        let row = self.add(path, file, texts);
        let has_room = self.of_number.len() < self.limit.saturating_mul(NUMBERS_PER_FILE);
        match row {
            Some(row) if has_room || self.of_number.contains_key(&number) => {
                self.of_number.insert(number, row);
            }
            _ => {
                self.of_number.remove(&number);
            }
        }
    }

    /// Returns the row of the file that `file` makes of the path's text; beyond the limit that of its folder, if any.
    pub fn add(
        &mut self,
        path: &str,
        file: impl FnOnce(TextId) -> File,
        texts: &mut Texts,
    ) -> Option<u32> {
        let text = match self.all.len() < self.most_of_one() {
            true => texts.intern(path),
            false => texts.find(path),
        };
        text.and_then(|text| self.row(file(text))).or_else(|| {
            self.others += 1;
            self.folder_of(path, texts)
        })
    }

    /// Returns the row of a new file whose path is not known yet, with a text for as long as that is so.
    pub fn add_unnamed(&mut self, text: TextId) -> Option<u32> {
        let row = u32::try_from(self.all.len()).ok();
        let row = row.filter(|_| self.all.len() < self.most_of_one());
        if row.is_none() {
            self.others += 1;
        }
        let file = File {
            flags: 0,
            ..File::of_name(text)
        };
        row.inspect(|_| self.all.push(file))
    }

    /// Gives a file its path, which became known late.
    pub fn set_path(&mut self, row: u32, path: TextId) {
        if let Some(file) = self.file_mut(row) {
            file.path = path;
        }
    }

    /// Notes that a file was opened, and its kind if known: bits of a mode as in Linux.
    pub fn set_opened(&mut self, row: u32, kind: u32) {
        let folder = FileFlags::OTHERS.0;
        if let Some(file) = self.file_mut(row).filter(|file| file.flags & folder == 0) {
            file.flags &= !FileFlags::NAME_ONLY.0;
            if file.mode == 0 {
                file.mode = kind;
            }
        }
    }

    /// Returns the paths, for changes.
    pub fn paths(&mut self) -> impl Iterator<Item = &mut TextId> {
        self.all.iter_mut().map(|file| &mut file.path)
    }

    fn file_mut(&mut self, row: u32) -> Option<&mut File> {
        self.all.get_mut(usize::try_from(row).ok()?)
    }

    /// Returns the row of the file that a number means now.
    pub fn of_number(&self, number: u64) -> Option<u32> {
        self.of_number.get(&number).copied()
    }

    fn row(&mut self, file: File) -> Option<u32> {
        if let Some(&row) = self.index.get(&file) {
            return Some(row);
        }
        let most = match file.flags & FileFlags::OTHERS.0 {
            0 => self.most_of_one(),
            _ => self.limit,
        };
        let row = u32::try_from(self.all.len()).ok();
        let row = row.filter(|_| self.all.len() < most)?;
        self.all.push(file);
        self.index.insert(file, row);
        Some(row)
    }

    /// Returns how many files are kept apart: one row in sixteen is for folders that represent their files.
    fn most_of_one(&self) -> usize {
        self.limit - self.limit / 16
    }

    /// Returns the row that represents all further files of a folder.
    fn folder_of(&mut self, path: &str, texts: &mut Texts) -> Option<u32> {
        let (folder, _) = path.rsplit_once(['/', '\\'])?;
        let end = path.get(folder.len()..=folder.len())?;
        let folder = format!("{folder}{end}");
        let path = match self.all.len() < self.limit {
            true => texts.intern(&folder),
            false => texts.find(&folder),
        };
        self.row(File {
            path: path?,
            inode: None,
            mode: 0,
            file_system: None,
            flags: FileFlags::OTHERS.0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: TextId) -> File {
        File {
            path,
            inode: Some((1, 2)),
            mode: 0o100_644,
            file_system: None,
            flags: 0,
        }
    }

    #[test]
    fn beyond_the_limit_files_go_by_their_folder() {
        let mut texts = Texts::new(1 << 20);
        let mut files = Files::new(16);
        for number in 0..20 {
            files.name(number, &format!("/data/{number}"), file, &mut texts);
        }
        assert_eq!(files.of_number(14), Some(14));
        let folder = files.of_number(15).unwrap();
        assert_eq!(texts.get(files.all[folder as usize].path), "/data/");
        assert_eq!(files.of_number(19), Some(folder));
        assert_eq!((files.others, files.all.len()), (5, 16));
        files.name(3, "/other/x", file, &mut texts);
        assert_eq!(
            files.of_number(3),
            None,
            "nothing is better than the file it was before"
        );
    }

    #[test]
    fn a_number_stands_for_what_was_told_last() {
        let mut texts = Texts::new(1 << 20);
        let mut files = Files::new(100);
        for path in ["/a", "/b", "/a"] {
            files.name(7, path, file, &mut texts);
        }
        assert_eq!(files.of_number(7), Some(0));
        assert_eq!((files.all.len(), files.of_number(8)), (2, None));
    }

    #[test]
    fn a_number_whose_new_name_finds_no_room_is_not_what_it_was_before() {
        let mut texts = Texts::new(100);
        let mut files = Files::new(100);
        files.name(7, "/srv/a", file, &mut texts);
        assert_eq!(files.of_number(7), Some(0));
        files.name(7, "/srv/another-name", file, &mut texts);
        assert_eq!(files.of_number(7), None);
        assert_eq!((files.others, texts.refused() > 0), (1, true));
    }

    #[test]
    fn a_million_paths_leave_room_for_other_texts() {
        let mut texts = Texts::new(1 << 20);
        let mut files = Files::new(1000);
        for number in 0..1_000_000 {
            let folder = number % 3;
            files.name(number, &format!("/srv/{folder}/{number}"), file, &mut texts);
        }
        assert_eq!(files.all.len(), 938 + 3);
        assert_eq!(files.others, 1_000_000 - 938);
        assert!(texts.intern("the name of a process").is_some());
        assert_eq!(texts.refused(), 0);
    }
}
