//! Images: where they lie, and what merges tell of their files.
//!
//! A mapping is told when it ends, or at the end of the trace, when it is known since and until when
//! it was there. The rundown at the end is often the only list; an image of which no load was seen
//! was there since before the trace.

use std::collections::{BTreeMap, HashMap};

use whyslow_etl::kernel::Image;
use whyslow_etl::{PointerSize, Record, Utf16, Value};

use super::Frontend;
use super::stacks::is_kernel;
use crate::event::{Event, EventKind, Mapping, ProcessFacts};
use crate::mappings::{Module, ModuleId, ModuleKind};
use crate::text::TextId;

/// The images that are loaded, and what is known of their files.
#[derive(Debug, Default)]
pub(super) struct Images {
    /// By process (0 for the kernel) and address.
    loaded: HashMap<(u32, u64), Loaded>,
    /// Symbol files told before the image they are of.
    early: HashMap<(u32, u64), Pdb>,
    /// Modules by path without the volume and size of the file: one may be told of with and without
    /// its time stamp, and with and without its drive.
    by_path: HashMap<(String, u64), Vec<ModuleId>>,
    versions: BTreeMap<(u64, u32), Version>,
    /// Folders of the kernel's form, and what programs call them.
    pub(super) folders: Vec<(String, String)>,
}

#[derive(Debug, Clone, Copy)]
struct Loaded {
    module: ModuleId,
    size_bytes: u64,
    /// When it was loaded; `None` is before the trace.
    from_ns: Option<i64>,
    /// When it was first told of.
    told_ns: i64,
}

/// What happened to an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Load,
    Unload,
    /// It was there at the start or end of the session.
    None,
}

/// What an event tells of an image.
#[derive(Debug, Clone, Copy)]
pub(super) struct ImageTold<'a> {
    pub(super) pid: u32,
    pub(super) base: u64,
    pub(super) size: u64,
    /// Of the file's header; 0 where it is not told.
    pub(super) time_stamp: u32,
    pub(super) path: Utf16<'a>,
}

#[derive(Debug, Clone, Copy)]
struct Pdb {
    id: Option<TextId>,
    name: Option<TextId>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Version {
    version: Option<TextId>,
    vendor: Option<TextId>,
    product: Option<TextId>,
}

impl Frontend<'_> {
    pub(super) fn image(&mut self, record: &Record<'_>, hook: (u8, u8, u16)) {
        const LOAD: u8 = 10;
        const UNLOAD: u8 = 2;
        let (_, opcode, version) = hook;
        let pointer = super::pointer_of(record, hook);
        let Some(image) = Image::read(record.payload(), version, pointer) else {
            return self.bad(record, "an image");
        };
        let told = ImageTold {
            pid: image.process_id.or(record.process_id()).unwrap_or(0),
            base: image.base,
            size: image.size,
            time_stamp: image.time_stamp,
            path: image.path,
        };
        let change = match opcode {
            LOAD => Change::Load,
            UNLOAD => Change::Unload,
            _ => Change::None,
        };
        self.image_told(record, change, pointer, &told);
    }

    pub(super) fn image_told(
        &mut self,
        record: &Record<'_>,
        change: Change,
        pointer: PointerSize,
        image: &ImageTold<'_>,
    ) {
        let pid = if is_kernel(image.base, pointer) {
            0
        } else {
            image.pid
        };
        let told_ns = self.ns(record.raw_time);
        let key = (pid, image.base);
        if change == Change::Unload {
            let known = self.images.loaded.remove(&key);
            let loaded = known.or_else(|| self.loaded(image, None, told_ns));
            if let Some(loaded) = loaded {
                let mapping = loaded.mapping(key, Some(told_ns));
                self.push_at(loaded.told_ns, EventKind::Mapping(mapping));
            }
            return;
        }
        let from_ns = (change == Change::Load).then_some(told_ns);
        let is_there = self.images.loaded.get(&key);
        if is_there.is_some_and(|there| there.size_bytes == image.size) && from_ns.is_none() {
            return;
        }
        if self.images.loaded.len() >= self.most_images {
            return self.refuse("images left out: too many");
        }
        let Some(loaded) = self.loaded(image, from_ns, told_ns) else {
            return;
        };
        if pid != 0 {
            self.executable(pid, loaded.module, told_ns, from_ns.is_some());
        }
        if let Some(gone) = self.images.loaded.insert(key, loaded) {
            let mapping = gone.mapping(key, Some(told_ns));
            self.push_at(gone.told_ns, EventKind::Mapping(mapping));
        }
        if let Some(pdb) = self.images.early.remove(&key) {
            self.give_pdb(loaded.module, pdb);
        }
    }

    /// Returns an image of which this is the first that is told.
    fn loaded(
        &mut self,
        image: &ImageTold<'_>,
        from_ns: Option<i64>,
        told_ns: i64,
    ) -> Option<Loaded> {
        let path = image.path.to_string();
        let stamp = (image.time_stamp != 0).then_some(i64::from(image.time_stamp));
        let file = (below_volume(&path), image.size);
        let known = self.images.by_path.get(&file).into_iter().flatten();
        let known = known.copied().find(|&module| {
            let module = self.importer.module_mut(module);
            module.is_some_and(|module| {
                let same =
                    stamp.is_none() || module.time_stamp.is_none_or(|own| Some(own) == stamp);
                if same {
                    module.time_stamp = module.time_stamp.or(stamp);
                }
                same
            })
        });
        let module = match known {
            Some(module) => module,
            None => {
                let path = self.importer.text(&path)?;
                let module = self.importer.module(Module {
                    size_bytes: Some(image.size),
                    time_stamp: stamp,
                    ..Module::new(path, ModuleKind::Pe)
                })?;
                self.images.by_path.entry(file).or_default().push(module);
                module
            }
        };
        Some(Loaded {
            module,
            size_bytes: image.size,
            from_ns,
            told_ns,
        })
    }

    /// The first program among a process's images is its own.
    fn executable(&mut self, pid: u32, module: ModuleId, told_ns: i64, is_timed: bool) {
        let known = self.known_process(pid, false);
        let Some(path) = self.importer.module_mut(module).map(|module| module.path) else {
            return;
        };
        let is_program = self.importer.is_path_of_program(path);
        if !is_program || !known {
            return;
        }
        self.path_told(pid);
        let facts = ProcessFacts {
            pid,
            path: Some(path),
            ..ProcessFacts::default()
        };
        if is_timed {
            self.push_at(told_ns, EventKind::Process(facts));
        } else {
            self.push_untimed(EventKind::Process(facts));
        }
    }

    /// Takes what a merge tells of an image's symbol file.
    pub(super) fn image_id(&mut self, record: &Record<'_>, opcode: u8) {
        const RSDS: u8 = 36;
        const FILE_VERSION: u8 = 64;
        match opcode {
            RSDS => self.pdb(record),
            FILE_VERSION => self.file_version(record),
            _ => {}
        }
    }

    fn pdb(&mut self, record: &Record<'_>) {
        let fields = super::fields(record);
        let number = |name| super::number(&fields, name);
        let (base, pid) = (number("ImageBase"), number("ProcessId"));
        let (Some(base), Some(pid), Some(age)) = (base, pid, number("Age")) else {
            return self.bad(record, "the id of a symbol file");
        };
        let mut guid = None;
        let mut name = String::new();
        for (_, value) in fields {
            match value {
                Value::Guid(value) => guid = Some(value),
                Value::Ansi(value) => name = value.to_string(),
                _ => {}
            }
        }
        let Some(guid) = guid else {
            return self.bad(record, "the id of a symbol file");
        };
        let digits: String = guid.to_string().chars().filter(|&c| c != '-').collect();
        let id = format!("{}{age:x}", digits.to_uppercase());
        let file = name.rsplit(['\\', '/']).next().unwrap_or_default();
        let pdb = Pdb {
            id: self.importer.text(&id),
            name: self.importer.text(file).filter(|_| !file.is_empty()),
        };
        let pid = u32::try_from(pid).unwrap_or(0);
        let pid = if is_kernel(base, record.pointer_size()) {
            0
        } else {
            pid
        };
        match self.images.loaded.get(&(pid, base)) {
            Some(loaded) => self.give_pdb(loaded.module, pdb),
            None if self.images.early.len() < self.most_images => {
                self.images.early.insert((pid, base), pdb);
            }
            None => self.refuse("ids of symbol files left out: too many"),
        }
    }

    fn give_pdb(&mut self, module: ModuleId, pdb: Pdb) {
        if let Some(module) = self.importer.module_mut(module) {
            module.build_id = module.build_id.or(pdb.id);
            module.pdb_name = module.pdb_name.or(pdb.name);
        }
    }

    fn file_version(&mut self, record: &Record<'_>) {
        let fields = super::fields(record);
        let number = |name| super::number(&fields, name);
        let (Some(size), Some(stamp)) = (number("ImageSize"), number("TimeDateStamp")) else {
            return self.bad(record, "the version of a file");
        };
        let file = (size, u32::try_from(stamp).unwrap_or(0));
        if self.images.versions.len() >= self.most_images {
            return self.refuse("versions of files left out: too many");
        }
        let mut text = |name| {
            let text = super::text(&fields, name).filter(|text| !text.is_empty());
            text.and_then(|text| self.importer.text(text.trim()))
        };
        let version = Version {
            version: text("FileVersion"),
            vendor: text("CompanyName"),
            product: text("ProductName"),
        };
        self.images.versions.entry(file).or_insert(version);
    }

    /// Takes what a folder of the kernel's form is called by programs.
    pub(super) fn machine(&mut self, record: &Record<'_>, opcode: u8) {
        const BUILD: u8 = 32;
        const PATHS: u8 = 33;
        const VOLUME: u8 = 35;
        const MOST_FOLDERS: usize = 256;
        let fields = super::fields(record);
        let text = |name| super::text(&fields, name).filter(|text| !text.is_empty());
        match opcode {
            BUILD => {
                self.machine.build_lab = text("BuildLab").or(self.machine.build_lab.take());
                self.machine.product = text("ProductName").or(self.machine.product.take());
            }
            _ if self.images.folders.len() >= MOST_FOLDERS => {}
            PATHS => self.images.folders.extend(
                text("SystemWindowsDirectory").map(|dir| ("\\SystemRoot\\".to_owned(), dir)),
            ),
            VOLUME => {
                let pair = text("NtPath").zip(text("DosPath"));
                self.images.folders.extend(pair);
            }
            _ => {}
        }
    }

    /// Tells the mappings that are left, and completes the modules.
    pub(super) fn finish_images(&mut self) -> Result<(), super::Error> {
        let mut left: Vec<_> = self.images.loaded.drain().collect();
        left.sort_unstable_by_key(|&(key, loaded)| (loaded.told_ns, key));
        for (key, loaded) in left {
            let event = Event {
                time_ns: Some(loaded.told_ns),
                cpu: None,
                kind: EventKind::Mapping(loaded.mapping(key, None)),
            };
            self.importer.event(&event)?;
        }
        for &module in self.images.by_path.values().flatten() {
            let Some(module) = self.importer.module_mut(module) else {
                continue;
            };
            let stamp = module
                .time_stamp
                .and_then(|stamp| u32::try_from(stamp).ok());
            let file = (module.size_bytes.unwrap_or(0), stamp.unwrap_or(0));
            if let Some(version) = self.images.versions.get(&file) {
                module.version = version.version;
                module.vendor = version.vendor;
                module.product = version.product;
            }
        }
        let folders = std::mem::take(&mut self.images.folders);
        self.importer
            .rename_paths(&mut |path| dos_path(&folders, path));
        Ok(())
    }
}

impl Loaded {
    fn mapping(self, (pid, base): (u32, u64), to_ns: Option<i64>) -> Mapping {
        Mapping {
            pid: (pid != 0).then_some(pid),
            module: self.module,
            base,
            size_bytes: self.size_bytes,
            file_offset: 0,
            from_ns: self.from_ns,
            to_ns,
            function: None,
        }
    }
}

/// Returns a path without what names its volume, in small letters.
fn below_volume(path: &str) -> String {
    let path = path.to_lowercase();
    let below = path.strip_prefix(r"\??\").unwrap_or(&path);
    if let Some(rest) = below.strip_prefix(r"\systemroot\") {
        return format!(r"\windows\{rest}");
    }
    let after_device = below
        .strip_prefix(r"\device\")
        .and_then(|rest| rest.split_once('\\'))
        .map(|(_, rest)| format!(r"\{rest}"));
    if let Some(rest) = after_device {
        return rest;
    }
    let drive = below.split_once(':').filter(|(drive, _)| drive.len() == 1);
    drive.map_or(below, |(_, rest)| rest).to_owned()
}

/// Returns a path as programs write it; `None` where it is already, or no folder is known.
fn dos_path(folders: &[(String, String)], path: &str) -> Option<String> {
    let fits = |folder: &&(String, String)| {
        let start = path.get(..folder.0.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(&folder.0))
    };
    let found = folders.iter().filter(fits);
    let (nt, dos) = found.max_by_key(|(nt, _)| nt.len())?;
    let rest = path.get(nt.len()..)?.trim_start_matches('\\');
    Some(format!("{}\\{rest}", dos.trim_end_matches('\\')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_has_one_path_below_its_volume() {
        for path in [
            r"C:\Windows\System32\ntdll.dll",
            r"\Windows\System32\ntdll.dll",
            r"\SystemRoot\System32\ntdll.dll",
            r"\??\C:\WINDOWS\system32\ntdll.dll",
            r"\Device\HarddiskVolume3\Windows\System32\ntdll.dll",
        ] {
            assert_eq!(below_volume(path), r"\windows\system32\ntdll.dll");
        }
        assert_eq!(below_volume("ntoskrnl.exe"), "ntoskrnl.exe");
    }

    #[test]
    fn paths_are_those_of_programs_where_the_volume_is_known() {
        let pair = |nt: &str, dos: &str| (nt.to_owned(), dos.to_owned());
        let folders = [
            pair(r"\Device\HarddiskVolume3\", r"C:\"),
            pair(r"\Device\HarddiskVolume33\", r"D:\"),
            pair(r"\SystemRoot\", r"C:\Windows"),
        ];
        let check = |path, dos: Option<&str>| assert_eq!(dos_path(&folders, path).as_deref(), dos);
        check(r"\Device\HarddiskVolume3\a\b.dll", Some(r"C:\a\b.dll"));
        check(r"\device\harddiskvolume33\b.dll", Some(r"D:\b.dll"));
        check(
            r"\SystemRoot\system32\x.sys",
            Some(r"C:\Windows\system32\x.sys"),
        );
        check(r"\Device\Mup\x", None);
    }
}
