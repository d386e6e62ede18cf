//! Images: where they lie, and which modules they are.
//!
//! A mapping goes to the importer when it ends, or at the end of the trace; only then are its start
//! and end known. The rundown at the end is often the only list. An image without a load event has
//! been there since before the trace.

use whyslow_etl::kernel::Image;
use whyslow_etl::kernel::hooks::image;
use whyslow_etl::{PointerSize, Record, Utf16};
use whyslow_model::FastMap;
use whyslow_settle::{Module, ModuleId, ModuleKind};

use super::emitter::Emitter;
use super::image_files::{ImageFile, ImageFiles, SymbolFile};
use super::processes_and_threads::{Processes, Program};
use super::stacks::is_kernel;
use crate::error::Error;
use crate::event::{EventKind, Mapping};
use whyslow_etl::kernel::KernelRecord;
use whyslow_etl::paths::{below_volume, file_name};

/// The images that are loaded, and what is known of their files.
#[derive(Debug)]
pub(super) struct Images {
    /// By process (0 for the kernel) and address.
    loaded: FastMap<(u32, u64), Loaded>,
    /// Modules by path without the volume, and by file size: a module may come with and without its
    /// time stamp, and with and without its drive.
    by_path: FastMap<(String, u64), Vec<ModuleId>>,
    files: ImageFiles,
    most: usize,
}

#[derive(Debug, Clone, Copy)]
struct Loaded {
    module: ModuleId,
    size_bytes: u64,
    /// When it was loaded; `None` is before the trace.
    from_ns: Option<i64>,
    /// When an event first mentioned it.
    seen_ns: i64,
}

/// What happened to an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Load,
    Unload,
    /// It was there at the start or end of the session.
    None,
}

/// What an event says about an image.
#[derive(Debug, Clone, Copy)]
pub(super) struct ImageFacts<'a> {
    pub(super) pid: u32,
    pub(super) base: u64,
    pub(super) size: u64,
    /// Of the file's header; 0 where the event does not say.
    pub(super) time_stamp: u32,
    pub(super) path: Utf16<'a>,
}

impl Images {
    /// Returns an empty set, limited to about `most` images.
    pub(super) fn new(most: usize) -> Self {
        Self {
            loaded: FastMap::default(),
            by_path: FastMap::default(),
            files: ImageFiles::new(most),
            most,
        }
    }

    /// Takes an event of an image.
    pub(super) fn image(
        &mut self,
        of: &KernelRecord<'_>,
        processes: &mut Processes,
        out: &mut Emitter<'_>,
    ) {
        let (record, pointer) = (of.record, of.pointer());
        let Some(image) = Image::read(record.payload(), of.version, pointer) else {
            return out.bad(record, "an image");
        };
        let facts = ImageFacts {
            pid: image.process_id.or(record.process_id()).unwrap_or(0),
            base: image.base,
            size: image.size,
            time_stamp: image.time_stamp,
            path: image.path,
        };
        let change = match of.hook {
            image::LOAD => Change::Load,
            image::UNLOAD => Change::Unload,
            _ => Change::None,
        };
        self.take(record, (change, pointer), &facts, (processes, out));
    }

    /// Takes what an event of any provider says about an image.
    pub(super) fn take(
        &mut self,
        record: &Record<'_>,
        (change, pointer): (Change, PointerSize),
        image: &ImageFacts<'_>,
        (processes, out): (&mut Processes, &mut Emitter<'_>),
    ) {
        let pid = if is_kernel(image.base, pointer) {
            0
        } else {
            image.pid
        };
        let seen_ns = out.ns(record.raw_time);
        let key = (pid, image.base);
        if change == Change::Unload {
            if pid != 0 {
                // For a process older than the trace, this may be the only event.
                processes.note(pid, false, out);
            }
            let known = self.loaded.remove(&key);
            let loaded = known.or_else(|| self.loaded(image, None, seen_ns, out));
            if let Some(loaded) = loaded {
                let mapping = loaded.mapping(key, Some(seen_ns));
                out.push_at(loaded.seen_ns, EventKind::Mapping(mapping));
            }
            return;
        }
        let from_ns = (change == Change::Load).then_some(seen_ns);
        let is_there = self.loaded.get(&key);
        if is_there.is_some_and(|there| there.size_bytes == image.size) && from_ns.is_none() {
            return;
        }
        if self.loaded.len() >= self.most {
            return out.refuse("images left out: too many");
        }
        let early = self.files.take(key, image.size);
        let image = ImageFacts {
            time_stamp: match image.time_stamp {
                0 => early.time_stamp(),
                stamp => stamp,
            },
            ..*image
        };
        let Some(loaded) = self.loaded(&image, from_ns, seen_ns, out) else {
            return;
        };
        if pid != 0 {
            processes.note(pid, false, out);
            let path = out.module_mut(loaded.module).map(|module| module.path);
            if let Some(path) = path.filter(|&path| out.is_path_of_program(path)) {
                let program = Program {
                    path,
                    file: file_name(&image.path.to_string()),
                    from_ns,
                };
                processes.program(pid, program, out);
            }
        }
        if let Some(gone) = self.loaded.insert(key, loaded) {
            let mapping = gone.mapping(key, Some(seen_ns));
            out.push_at(gone.seen_ns, EventKind::Mapping(mapping));
        }
        early.complete(loaded.module, &mut self.files, out);
    }

    /// Returns an image that no event mentioned before.
    fn loaded(
        &mut self,
        image: &ImageFacts<'_>,
        from_ns: Option<i64>,
        seen_ns: i64,
        out: &mut Emitter<'_>,
    ) -> Option<Loaded> {
        let path = image.path.to_string();
        let stamp = (image.time_stamp != 0).then_some(i64::from(image.time_stamp));
        let file = (below_volume(&path), image.size);
        let known = self.by_path.get(&file).into_iter().flatten();
        let known = known.copied().find(|&module| {
            let module = out.module_mut(module);
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
                let path = out.any_text(&path)?;
                let module = out.module(Module {
                    size_bytes: Some(image.size),
                    time_stamp: stamp,
                    ..Module::new(path, ModuleKind::Pe)
                })?;
                self.by_path.entry(file).or_default().push(module);
                module
            }
        };
        Some(Loaded {
            module,
            size_bytes: image.size,
            from_ns,
            seen_ns,
        })
    }

    /// Takes what a merge says about an image's symbol file.
    pub(super) fn symbol_file(&mut self, record: &Record<'_>, out: &mut Emitter<'_>) {
        let Some((image, file)) = SymbolFile::read(record, out) else {
            return;
        };
        let loaded = self.loaded.get(&image);
        match loaded.filter(|_| !self.files.has_early(image)) {
            Some(loaded) => file.complete(loaded.module, out),
            None => self.files.keep_symbol_file(image, file, out),
        }
    }

    /// Takes what a merge says about an image's file.
    pub(super) fn file(&mut self, record: &Record<'_>, out: &mut Emitter<'_>) {
        let Some((image, file)) = ImageFile::read(record, out) else {
            return;
        };
        let loaded = self.loaded.get(&image);
        // Another image may still be there, whose end was not seen.
        match loaded.filter(|loaded| loaded.size_bytes == file.size) {
            Some(loaded) => self.files.give(loaded.module, file, out),
            None => self.files.keep(image, file, out),
        }
    }

    /// Takes what a merge says about a file's version.
    pub(super) fn file_version(&mut self, record: &Record<'_>, out: &mut Emitter<'_>) {
        self.files.version(record, out);
    }

    /// Emits the remaining mappings, and completes the modules.
    pub(super) fn finish(&mut self, out: &mut Emitter<'_>) -> Result<(), Error> {
        let mut left: Vec<_> = self.loaded.drain().collect();
        left.sort_unstable_by_key(|&(key, loaded)| (loaded.seen_ns, key));
        for (key, loaded) in left {
            let mapping = loaded.mapping(key, None);
            out.hand_on_late(loaded.seen_ns, EventKind::Mapping(mapping))?;
        }
        for &id in self.by_path.values().flatten() {
            if let Some(module) = out.module_mut(id) {
                self.files.complete(id, module);
            }
        }
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
