//! Where fields are in the structures of one virtual machine, as it describes them itself.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::image::JvmImage;
use super::packed::Packing;
use crate::process_memory::{Memory, number, pointer, text};

/// Most entries of a table.
const MOST_ENTRIES: u64 = 16 << 10;
/// Bytes of an entry of the table of fields, and of that of types.
const FIELD_BYTES: u64 = 48;
const TYPE_BYTES: u64 = 40;
/// Longest name of a type or field that matters.
const MOST_NAME: usize = 128;
/// Largest structure that is believed.
const MOST_STRUCTURE: u64 = 4096;

/// Why a virtual machine's structures are not known.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoLayout {
    /// Its memory cannot be read (now).
    Unreadable,
    /// It does not describe this field or type: its version is not a known one.
    Missing(String),
}

/// A number in a structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) offset: u64,
    pub(super) bytes: usize,
}

impl Field {
    /// Returns the number in a structure that begins with `bytes`.
    pub(super) fn of(self, bytes: &[u8]) -> Option<u64> {
        let start = usize::try_from(self.offset).ok()?;
        let mut word = [0; 8];
        let field = bytes.get(start..start.checked_add(self.bytes)?)?;
        word.get_mut(..self.bytes)?.copy_from_slice(field);
        Some(u64::from_le_bytes(word))
    }

    /// Returns the number of the structure at `address`.
    pub(super) fn at(self, memory: &dyn Memory, address: u64) -> Option<u64> {
        number(memory, address.wrapping_add(self.offset), self.bytes)
    }
}

/// Where the code of a blob begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CodeStart {
    /// A pointer says it (up to JDK 22).
    Pointer(Field),
    /// An offset from the blob's start says it (from JDK 23 on).
    Offset(Field),
}

/// Where a compiled method says what is inlined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScopeFields {
    /// All within the method (to JDK 22).
    Inside {
        scopes: Field,
        places: Field,
        places_end: Field,
        metadata: Field,
    },
    /// In memory apart from it (from JDK 24 on).
    Apart {
        data: Field,
        scopes: Field,
        places: Field,
        mutable: Field,
        relocations: Field,
    },
}

/// Where things are.
#[derive(Debug, Clone)]
pub struct Layout {
    /// Address of the pointer to the list of code heaps.
    pub(super) heaps: u64,
    pub(super) array_length: Field,
    pub(super) array_data: Field,
    pub(super) heap_memory: u64,
    pub(super) heap_segments: u64,
    pub(super) heap_log2: Field,
    pub(super) space_low: Field,
    pub(super) space_high: Field,
    pub(super) heap_block_bytes: u64,
    pub(super) blob_name: Field,
    pub(super) blob_size: Field,
    pub(super) blob_code: CodeStart,
    pub(super) blob_frame_words: Field,
    pub(super) blob_complete: Field,
    pub(super) compiled_method: Field,
    /// Bytes of a compiled method before its code that matter.
    pub(super) compiled_bytes: usize,
    pub(super) scopes: Option<ScopeFields>,
    pub(super) method_const: Field,
    pub(super) const_pool: Field,
    pub(super) const_name: Field,
    pub(super) const_flags: Field,
    pub(super) const_code_bytes: Field,
    pub(super) const_bytes: u64,
    pub(super) pool_holder: Field,
    pub(super) pool_source: Option<Field>,
    pub(super) pool_bytes: u64,
    pub(super) class_name: Field,
    pub(super) symbol_length: Field,
    pub(super) symbol_body: u64,
    pub(super) packing: Packing,
}

impl Layout {
    /// Reads the layout of a virtual machine that runs; `bias` is added to the file's addresses.
    ///
    /// # Errors
    /// See [`NoLayout`]; while the virtual machine starts, its memory may not be there yet.
    pub fn read(memory: &dyn Memory, image: &JvmImage, bias: u64) -> Result<Self, NoLayout> {
        let structs = image.structs.wrapping_add(bias);
        let types = image.types.wrapping_add(bias);
        let tables = Tables::read(memory, structs, types).ok_or(NoLayout::Unreadable)?;
        let version = tables.address("Abstract_VM_Version:_vm_major_version")?;
        let version = number(memory, version, 4).ok_or(NoLayout::Unreadable)?;
        tables.layout(Packing::of_version(version))
    }
}

/// The entry of a field.
#[derive(Debug, Clone, Copy)]
struct FieldEntry {
    offset: u64,
    address: u64,
    bytes: usize,
}

/// What the virtual machine says about itself.
#[derive(Debug, Default)]
struct Tables {
    /// By type, a colon, and field.
    fields: HashMap<String, FieldEntry>,
    /// Bytes by type.
    types: HashMap<String, u64>,
}

impl Tables {
    fn read(memory: &dyn Memory, structs: u64, types: u64) -> Option<Self> {
        let mut tables = Self::default();
        let mut names = Names::default();
        let first = pointer(memory, structs)?;
        for number in 0..MOST_ENTRIES {
            let mut entry = [0; FIELD_BYTES as usize];
            memory.read(first.wrapping_add(number * FIELD_BYTES), &mut entry)?;
            let word = |at: usize| {
                let bytes = entry.get(at..).and_then(|rest| rest.first_chunk());
                bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
            };
            if word(0) == 0 {
                break;
            }
            let type_name = names.of(memory, word(0))?.to_owned();
            if !TYPES.contains(&type_name.as_str()) {
                continue;
            }
            let field = text(memory, word(8), MOST_NAME)?;
            let kind = match word(16) {
                0 => String::new(),
                at => text(memory, at, MOST_NAME)?,
            };
            tables.fields.insert(
                format!("{type_name}:{field}"),
                FieldEntry {
                    offset: word(32),
                    address: word(40),
                    bytes: width(&kind),
                },
            );
        }
        let first = pointer(memory, types)?;
        for at in 0..MOST_ENTRIES {
            let entry = first.wrapping_add(at * TYPE_BYTES);
            let Some(name) = pointer(memory, entry) else {
                break;
            };
            let name = names.of(memory, name)?.to_owned();
            if TYPES.contains(&name.as_str()) {
                tables.types.insert(name, number(memory, entry + 32, 8)?);
            }
        }
        Some(tables)
    }

    fn layout(&self, packing: Packing) -> Result<Layout, NoLayout> {
        let compiled = ["CompiledMethod", "nmethod"];
        let apart = self.fields.contains_key("nmethod:_immutable_data");
        Ok(Layout {
            heaps: self.address("CodeCache:_heaps")?,
            array_length: self.any(&["GrowableArrayBase:_len", "GenericGrowableArray:_len"])?,
            array_data: self.field("GrowableArray<int>:_data")?,
            heap_memory: self.field("CodeHeap:_memory")?.offset,
            heap_segments: self.field("CodeHeap:_segmap")?.offset,
            heap_log2: self.field("CodeHeap:_log2_segment_size")?,
            space_low: self.field("VirtualSpace:_low")?,
            space_high: self.field("VirtualSpace:_high")?,
            heap_block_bytes: self.size("HeapBlock")?,
            blob_name: self.field("CodeBlob:_name")?,
            blob_size: self.field("CodeBlob:_size")?,
            blob_code: match self.field("CodeBlob:_code_begin") {
                Ok(field) => CodeStart::Pointer(field),
                Err(_) => CodeStart::Offset(self.field("CodeBlob:_code_offset")?),
            },
            blob_frame_words: self.field("CodeBlob:_frame_size")?,
            blob_complete: self.field("CodeBlob:_frame_complete_offset")?,
            compiled_method: self.any(&compiled.map(|name| format!("{name}:_method")))?,
            compiled_bytes: usize::try_from(self.size("nmethod")?).unwrap_or(0),
            scopes: match apart {
                true => self.scopes_apart().ok(),
                false => self.scopes_inside(&compiled).ok(),
            },
            method_const: self.field("Method:_constMethod")?,
            const_pool: self.field("ConstMethod:_constants")?,
            const_name: self.field("ConstMethod:_name_index")?,
            const_flags: self.any(&["ConstMethod:_flags", "ConstMethod:_flags._flags"])?,
            const_code_bytes: self.field("ConstMethod:_code_size")?,
            const_bytes: self.size("ConstMethod")?,
            pool_holder: self.field("ConstantPool:_pool_holder")?,
            pool_source: self.field("ConstantPool:_source_file_name_index").ok(),
            pool_bytes: self.size("ConstantPool")?,
            class_name: self.field("Klass:_name")?,
            symbol_length: self.field("Symbol:_length")?,
            symbol_body: self.field("Symbol:_body")?.offset,
            packing,
        })
    }

    fn scopes_inside(&self, compiled: &[&str; 2]) -> Result<ScopeFields, NoLayout> {
        let scopes = compiled.map(|name| format!("{name}:_scopes_data_begin"));
        Ok(ScopeFields::Inside {
            scopes: self.any(&scopes)?,
            places: self.field("nmethod:_scopes_pcs_offset")?,
            places_end: self.field("nmethod:_dependencies_offset")?,
            metadata: self.field("nmethod:_metadata_offset")?,
        })
    }

    fn scopes_apart(&self) -> Result<ScopeFields, NoLayout> {
        Ok(ScopeFields::Apart {
            data: self.field("nmethod:_immutable_data")?,
            scopes: self.field("nmethod:_scopes_data_offset")?,
            places: self.field("nmethod:_scopes_pcs_offset")?,
            mutable: self.field("CodeBlob:_mutable_data")?,
            relocations: self.field("CodeBlob:_relocation_size")?,
        })
    }

    fn entry(&self, name: &str) -> Result<FieldEntry, NoLayout> {
        let entry = self.fields.get(name).copied();
        entry.ok_or_else(|| NoLayout::Missing(name.to_owned()))
    }

    fn address(&self, name: &str) -> Result<u64, NoLayout> {
        let address = self.entry(name)?.address;
        match address {
            0 => Err(NoLayout::Missing(name.to_owned())),
            address => Ok(address),
        }
    }

    fn field(&self, name: &str) -> Result<Field, NoLayout> {
        let FieldEntry { offset, bytes, .. } = self.entry(name)?;
        match offset < MOST_STRUCTURE {
            true => Ok(Field { offset, bytes }),
            false => Err(NoLayout::Missing(name.to_owned())),
        }
    }

    /// Returns the first of these fields that exists.
    fn any(&self, names: &[impl AsRef<str>]) -> Result<Field, NoLayout> {
        let mut found = names.iter().map(|name| self.field(name.as_ref()));
        let first = found.next().unwrap_or(Err(NoLayout::Unreadable));
        first.or_else(|missing| found.find_map(Result::ok).ok_or(missing))
    }

    fn size(&self, name: &str) -> Result<u64, NoLayout> {
        let size = self.types.get(name).copied();
        let size = size.filter(|&size| (1..MOST_STRUCTURE).contains(&size));
        size.ok_or_else(|| NoLayout::Missing(name.to_owned()))
    }
}

/// Types whose fields or size matter.
const TYPES: &[&str] = &[
    "Abstract_VM_Version",
    "CodeCache",
    "GrowableArrayBase",
    "GenericGrowableArray",
    "GrowableArray<int>",
    "CodeHeap",
    "VirtualSpace",
    "HeapBlock",
    "CodeBlob",
    "CompiledMethod",
    "nmethod",
    "Method",
    "ConstMethod",
    "ConstantPool",
    "Klass",
    "Symbol",
];

/// Returns how many bytes a number of this type has; all else is a pointer, or not read as a number.
fn width(kind: &str) -> usize {
    match kind {
        "u1" | "bool" | "volatile signed char" => 1,
        "u2" | "int16_t" => 2,
        "int" | "u4" | "jint" | "uint32_t" | "juint" | "unsigned int" => 4,
        _ => 8,
    }
}

/// Names of types by where they are: many entries share one.
#[derive(Default)]
struct Names {
    all: HashMap<u64, String>,
}

impl Names {
    fn of(&mut self, memory: &dyn Memory, address: u64) -> Option<&str> {
        if let Entry::Vacant(vacant) = self.all.entry(address) {
            vacant.insert(text(memory, address, MOST_NAME)?);
        }
        self.all.get(&address).map(String::as_str)
    }
}
