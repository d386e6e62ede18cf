//! What merges add about the files of images: which symbol file belongs to one, and its version.

use std::collections::{BTreeMap, HashMap};

use whyslow_etl::{Record, Value};

use super::emitter::Emitter;
use super::payload::Fields;
use super::stacks::is_kernel;
use crate::mappings::{Module, ModuleId};
use crate::text::TextId;

/// Files of images.
#[derive(Debug)]
pub(super) struct ImageFiles {
    /// Symbol files that come before the image they belong to, by process and address.
    early: HashMap<(u32, u64), SymbolFile>,
    versions: BTreeMap<(u64, u32), Version>,
    most: usize,
}

/// A symbol file.
#[derive(Debug, Clone, Copy)]
pub(super) struct SymbolFile {
    id: Option<TextId>,
    name: Option<TextId>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Version {
    version: Option<TextId>,
    vendor: Option<TextId>,
    product: Option<TextId>,
}

impl ImageFiles {
    /// Returns an empty set of at most about `most` of each.
    pub(super) fn new(most: usize) -> Self {
        Self {
            early: HashMap::new(),
            versions: BTreeMap::new(),
            most,
        }
    }

    /// Keeps the symbol file of an image that is not known yet.
    pub(super) fn keep(&mut self, image: (u32, u64), file: SymbolFile, out: &mut Emitter<'_>) {
        if self.early.len() < self.most {
            self.early.insert(image, file);
        } else {
            out.refuse("ids of symbol files left out: too many");
        }
    }

    /// Returns the symbol file of an image, if it came before the image.
    pub(super) fn take(&mut self, image: (u32, u64)) -> Option<SymbolFile> {
        self.early.remove(&image)
    }

    /// Takes the version of a file.
    pub(super) fn version(&mut self, record: &Record<'_>, out: &mut Emitter<'_>) {
        let fields = Fields::of(record);
        let (size, stamp) = (fields.number("ImageSize"), fields.number("TimeDateStamp"));
        let (Some(size), Some(stamp)) = (size, stamp) else {
            return out.bad(record, "the version of a file");
        };
        let file = (size, u32::try_from(stamp).unwrap_or(0));
        if self.versions.len() >= self.most {
            return out.refuse("versions of files left out: too many");
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
        self.versions.entry(file).or_insert(version);
    }

    /// Completes a module by the version of its file.
    pub(super) fn complete(&self, module: &mut Module) {
        let stamp = module
            .time_stamp
            .and_then(|stamp| u32::try_from(stamp).ok());
        let file = (module.size_bytes.unwrap_or(0), stamp.unwrap_or(0));
        if let Some(version) = self.versions.get(&file) {
            module.version = version.version;
            module.vendor = version.vendor;
            module.product = version.product;
        }
    }
}

impl SymbolFile {
    /// Reads what a merge says of an image's symbol file: the image's process and address, and the
    /// file.
    pub(super) fn read(
        record: &Record<'_>,
        out: &mut Emitter<'_>,
    ) -> Option<((u32, u64), SymbolFile)> {
        let fields = Fields::of(record);
        let (base, pid) = (fields.number("ImageBase"), fields.number("ProcessId"));
        let guid = match fields.value("GuidSig") {
            Some(Value::Guid(guid)) => Some(guid),
            _ => None,
        };
        let (Some(base), Some(pid), Some(guid), Some(age)) =
            (base, pid, guid, fields.number("Age"))
        else {
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
        let pid = u32::try_from(pid).unwrap_or(0);
        let is_kernel = is_kernel(base, record.pointer_size());
        Some(((if is_kernel { 0 } else { pid }, base), symbol_file))
    }

    /// Completes the module it belongs to.
    pub(super) fn complete(self, module: ModuleId, out: &mut Emitter<'_>) {
        if let Some(module) = out.module_mut(module) {
            module.build_id = module.build_id.or(self.id);
            module.pdb_name = module.pdb_name.or(self.name);
        }
    }
}
