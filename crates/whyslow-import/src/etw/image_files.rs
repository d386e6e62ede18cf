//! What merges add about the files of images: the symbol file of an image, and its version.
//!
//! ```text
//! process, address ─→ image, most often without the time stamp of its file
//!                └──→ Info: size, time stamp, original name ─→ FileVersion
//! ```
//!
//! Several files may have the same size, and even the same size and time stamp. So the version is
//! found by size, time stamp and name together.

use whyslow_etl::{Record, Value};
use whyslow_model::FastMap;
use whyslow_settle::{Module, ModuleId, TextId};

use super::emitter::Emitter;
use super::stacks::is_kernel;
use crate::payload::etw::Fields;

/// Files of images.
#[derive(Debug)]
pub(super) struct ImageFiles {
    /// Facts that came before the image they belong to, by process and address.
    early: FastMap<(u32, u64), Early>,
    /// The file that a module was loaded from.
    files: FastMap<ModuleId, ImageFile>,
    /// By size and time stamp: names and versions of the files that have both.
    versions: FastMap<(u64, u32), Vec<(String, Version)>>,
    known_versions: usize,
    most: usize,
}

/// Facts that came before the image they belong to.
#[derive(Debug, Clone, Default)]
pub(super) struct Early {
    symbol_file: Option<SymbolFile>,
    file: Option<ImageFile>,
}

/// A symbol file.
#[derive(Debug, Clone, Copy)]
pub(super) struct SymbolFile {
    id: Option<TextId>,
    name: Option<TextId>,
}

/// What identifies the file of an image; the events of images often lack the time stamp.
#[derive(Debug, Clone)]
pub(super) struct ImageFile {
    /// Bytes of the image in memory.
    pub(super) size: u64,
    /// Of the file's header.
    time_stamp: u32,
    /// The name it was built with, in lower case.
    name: String,
}

#[derive(Debug, Clone, Copy, Default)]
struct Version {
    version: Option<TextId>,
    vendor: Option<TextId>,
    product: Option<TextId>,
}

impl ImageFiles {
    /// Returns an empty set, limited to about `most` entries of each kind.
    pub(super) fn new(most: usize) -> Self {
        Self {
            early: FastMap::default(),
            files: FastMap::default(),
            versions: FastMap::default(),
            known_versions: 0,
            most,
        }
    }

    /// Returns where to keep facts that came before their image; `None` at the limit.
    fn early(&mut self, image: (u32, u64), out: &mut Emitter<'_>) -> Option<&mut Early> {
        if self.early.len() >= self.most && !self.early.contains_key(&image) {
            out.refuse("files of images left out: too many");
            return None;
        }
        Some(self.early.entry(image).or_default())
    }

    /// Keeps the symbol file of an image that is not known yet.
    pub(super) fn keep_symbol_file(
        &mut self,
        image: (u32, u64),
        file: SymbolFile,
        out: &mut Emitter<'_>,
    ) {
        if let Some(early) = self.early(image, out) {
            early.symbol_file = Some(file);
        }
    }

    /// Keeps the file of an image that is not known yet.
    pub(super) fn keep(&mut self, image: (u32, u64), file: ImageFile, out: &mut Emitter<'_>) {
        if let Some(early) = self.early(image, out) {
            early.file = Some(file);
        }
    }

    /// Returns whether something came for an image that is not known yet.
    pub(super) fn has_early(&self, image: (u32, u64)) -> bool {
        self.early.contains_key(&image)
    }

    /// Takes the facts that came before an image of this size.
    pub(super) fn take(&mut self, image: (u32, u64), size: u64) -> Early {
        let mut early = self.early.remove(&image).unwrap_or_default();
        early.file = early.file.filter(|file| file.size == size);
        early
    }

    /// Completes a module with its file.
    pub(super) fn give(&mut self, module: ModuleId, file: ImageFile, out: &mut Emitter<'_>) {
        if let Some(module) = out.module_mut(module) {
            let stamp = (file.time_stamp != 0).then_some(i64::from(file.time_stamp));
            module.time_stamp = module.time_stamp.or(stamp);
        }
        self.files.entry(module).or_insert(file);
    }

    /// Takes the version of a file.
    pub(super) fn version(&mut self, record: &Record<'_>, out: &mut Emitter<'_>) {
        let fields = Fields::of(record);
        let (size, stamp) = (fields.number("ImageSize"), fields.number("TimeDateStamp"));
        let (Some(size), Some(stamp)) = (size, stamp) else {
            return out.bad(record, "the version of a file");
        };
        let file = (size, u32::try_from(stamp).unwrap_or(0));
        if self.known_versions >= self.most {
            return out.refuse("versions of files left out: too many");
        }
        let name = fields.text("OrigFileName").unwrap_or_default();
        let name = name.to_lowercase();
        let known = self.versions.entry(file).or_default();
        if known.iter().any(|(of, _)| *of == name) {
            return;
        }
        let mut text = |name| {
            let text = fields.text(name);
            text.and_then(|text| out.any_text(text.trim()))
        };
        let version = Version {
            version: text("FileVersion"),
            vendor: text("CompanyName"),
            product: text("ProductName"),
        };
        known.push((name, version));
        self.known_versions += 1;
    }

    /// Completes a module with the version of its file.
    pub(super) fn complete(&self, id: ModuleId, module: &mut Module) {
        let found = match self.files.get(&id) {
            Some(file) => {
                let known = self.versions.get(&(file.size, file.time_stamp));
                let mut known = known.into_iter().flatten();
                known.find(|(name, _)| *name == file.name)
            }
            // Without its name, it can only be the one file of its size and time stamp.
            None => {
                let stamp = module.time_stamp.and_then(|of| u32::try_from(of).ok());
                let file = module.size_bytes.zip(stamp);
                match file
                    .and_then(|file| self.versions.get(&file))
                    .map(Vec::as_slice)
                {
                    Some([only]) => Some(only),
                    _ => None,
                }
            }
        };
        if let Some((_, version)) = found {
            module.version = version.version;
            module.vendor = version.vendor;
            module.product = version.product;
        }
    }
}

impl Early {
    /// Returns the time stamp of the file's header; 0 where it did not come.
    pub(super) fn time_stamp(&self) -> u32 {
        self.file.as_ref().map_or(0, |file| file.time_stamp)
    }

    /// Completes the module that it belongs to.
    pub(super) fn complete(self, module: ModuleId, files: &mut ImageFiles, out: &mut Emitter<'_>) {
        if let Some(file) = self.symbol_file {
            file.complete(module, out);
        }
        if let Some(file) = self.file {
            files.give(module, file, out);
        }
    }
}

/// Reads which image a merge describes: its process (0 for the kernel) and its address.
fn image_of(fields: &Fields<'_>, record: &Record<'_>) -> Option<(u32, u64)> {
    let (base, pid) = (fields.number("ImageBase")?, fields.number("ProcessId")?);
    let is_kernel = is_kernel(base, record.pointer_size());
    let pid = if is_kernel { 0 } else { pid };
    Some((u32::try_from(pid).unwrap_or(0), base))
}

impl ImageFile {
    /// Reads what a merge says about an image's file: the image, and the file.
    pub(super) fn read(
        record: &Record<'_>,
        out: &mut Emitter<'_>,
    ) -> Option<((u32, u64), ImageFile)> {
        let fields = Fields::of(record);
        let image = image_of(&fields, record);
        let (size, stamp) = (fields.number("ImageSize"), fields.number("TimeDateStamp"));
        let (Some(image), Some(size), Some(stamp)) = (image, size, stamp) else {
            out.bad(record, "the file of an image");
            return None;
        };
        let name = fields.text("OriginalFileName").unwrap_or_default();
        let file = Self {
            size,
            time_stamp: u32::try_from(stamp).unwrap_or(0),
            name: name.to_lowercase(),
        };
        Some((image, file))
    }
}

impl SymbolFile {
    /// Reads what a merge says about an image's symbol file: the image's process and address, and
    /// the file.
    pub(super) fn read(
        record: &Record<'_>,
        out: &mut Emitter<'_>,
    ) -> Option<((u32, u64), SymbolFile)> {
        let fields = Fields::of(record);
        let guid = match fields.value("GuidSig") {
            Some(Value::Guid(guid)) => Some(guid),
            _ => None,
        };
        let image = image_of(&fields, record);
        let (Some(image), Some(guid), Some(age)) = (image, guid, fields.number("Age")) else {
            out.bad(record, "the id of a symbol file");
            return None;
        };
        let name = fields.text("PDBFileName").unwrap_or_default();
        let digits: String = guid.to_string().chars().filter(|&c| c != '-').collect();
        let id = format!("{}{age:x}", digits.to_uppercase());
        let file = name.rsplit(['\\', '/']).next().unwrap_or_default();
        let symbol_file = Self {
            id: out.text(&id),
            name: out.text(file),
        };
        Some((image, symbol_file))
    }

    /// Completes the module it belongs to.
    pub(super) fn complete(self, module: ModuleId, out: &mut Emitter<'_>) {
        if let Some(module) = out.module_mut(module) {
            module.build_id = module.build_id.or(self.id);
            module.pdb_name = module.pdb_name.or(self.name);
        }
    }
}
