//! Where things are in V8's structures, as the file exports it.

use std::collections::BTreeMap;
use std::path::Path;

use object::elf;

use crate::elf::ElfImage;
use crate::exported::{bytes_at, is_x86_64, symbols};
use crate::file_bytes::FileBytes;

const PREFIX: &[u8] = b"v8dbg_";
/// Constants that are kept; V8 has about 600.
const MOST_CONSTANTS: usize = 4096;
/// Largest offset that is believed.
const LARGEST_OFFSET: i32 = 1 << 16;
/// Where deoptimization data name their function, in versions that do not export it.
const USUAL_SHARED_INDEX: u64 = 6;
const USUAL_LITERALS_INDEX: u64 = 2;

/// Why there is no [`Layout`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoLayout {
    /// The file holds no V8 that exports its layout.
    Absent,
    /// The file cannot be read, or is damaged.
    Unreadable,
    /// The name of something that it does not export, or that has an unknown layout.
    Missing(String),
}

/// Offsets in objects, in bytes; kinds of objects; places in frames, from the frame pointer on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    pub(super) map_kind: u64,
    pub(super) function_shared: u64,
    pub(super) shared_name: u64,
    pub(super) shared_script: u64,
    pub(super) shared_token: u64,
    pub(super) script_name: u64,
    pub(super) script_source: u64,
    /// In words, after the map.
    pub(super) scope_n_locals: u64,
    pub(super) scope_locals: u64,
    pub(super) array_data: u64,
    pub(super) string: StringFields,
    pub(super) frame_context: u64,
    pub(super) frame_function: u64,
    pub(super) frame_bytecodes: u64,
    /// `None`: every piece of code is one object.
    pub(super) stream_kind: Option<u16>,
    pub(super) stream_start: u64,
    pub(super) code_bytes: Option<u64>,
    /// Index in the deoptimization data of the function.
    pub(super) deoptimization_shared: u64,
    /// Indexes there of the calls of inlined functions, and of the literals.
    pub(super) deoptimization_inlined: u64,
    pub(super) deoptimization_literals: u64,
    pub(super) shared_kind: u16,
    pub(super) shared_wrapper_kind: Option<u16>,
    pub(super) script_kind: u16,
    pub(super) scope_kind: u16,
    pub(super) bytecodes_kind: u16,
    pub(super) code_kind: u16,
    /// Kinds of arrays that deoptimization data may be.
    pub(super) array_kinds: Vec<u16>,
    /// Kinds of arrays of bytes.
    pub(super) bytes_kinds: Vec<u16>,
}

/// How the forms of texts are distinguished, and where their parts are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StringFields {
    pub(super) not_string: u16,
    pub(super) form_mask: u16,
    pub(super) encoding_mask: u16,
    pub(super) one_byte: u16,
    pub(super) sequential: u16,
    pub(super) cons: u16,
    pub(super) external: u16,
    pub(super) sliced: u16,
    pub(super) thin: u16,
    pub(super) length: u64,
    pub(super) one_byte_text: u64,
    pub(super) two_byte_text: u64,
    pub(super) cons_first: u64,
    pub(super) cons_second: u64,
    pub(super) sliced_parent: u64,
    pub(super) sliced_offset: u64,
    pub(super) thin_actual: u64,
    pub(super) external_resource: u64,
}

impl Layout {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// See [`NoLayout`].
    pub fn read(path: &Path) -> Result<Self, NoLayout> {
        let bytes = FileBytes::open(path).map_err(|_| NoLayout::Unreadable)?;
        let image = ElfImage::new(bytes).map_err(|_| NoLayout::Unreadable)?;
        if !is_x86_64(&image) {
            return Err(NoLayout::Absent);
        }
        Self::of(&Constants::read(&image))
    }

    pub(super) fn of(all: &Constants) -> Result<Self, NoLayout> {
        if all.0.is_empty() {
            return Err(NoLayout::Absent);
        }
        // Compressed references need a base address.
        if all.number("TaggedSize") != Some(8) {
            return Err(NoLayout::Missing("references of 8 bytes".to_owned()));
        }
        let name = all.offset("class_Script__name__")?;
        let source = all.offset("class_Script__source__");
        let shared_index = all
            .offset("DeoptimizationDataSharedFunctionInfoIndex")
            .or_else(|_| all.offset("DeoptimizationDataWrappedSharedFunctionInfoIndex"))
            .unwrap_or(USUAL_SHARED_INDEX);
        Ok(Self {
            map_kind: all.offset("class_Map__instance_type__")?,
            function_shared: all.offset("class_JSFunction__shared__")?,
            shared_name: all.offset("class_SharedFunctionInfo__name_or_scope_info__")?,
            shared_script: all.offset("class_SharedFunctionInfo__script")?,
            shared_token: all.offset("class_SharedFunctionInfo__raw_function_token_offset__")?,
            script_name: name,
            // It is the first field, and the name the second.
            script_source: source.or_else(|_| Ok(name.saturating_sub(8)))?,
            scope_n_locals: all.offset("scopeinfo_idx_ncontextlocals")?,
            scope_locals: all.offset("scopeinfo_idx_first_vars")?,
            array_data: all.offset("class_FixedArray__data__")?,
            string: StringFields::of(all)?,
            frame_context: all.below_frame("off_fp_context")?,
            frame_function: all.below_frame("off_fp_function")?,
            frame_bytecodes: all.below_frame("off_fp_bytecode_array")?,
            stream_kind: all.kind("type_InstructionStream__").ok(),
            stream_start: all
                .offset("class_InstructionStream__instruction_start__")
                .or_else(|_| all.offset("class_Code__instruction_start__"))?,
            code_bytes: all.offset("class_Code__instruction_size__").ok(),
            deoptimization_shared: shared_index,
            deoptimization_inlined: all
                .offset("DeoptimizationDataInliningPositionsIndex")
                .unwrap_or(shared_index + 1),
            deoptimization_literals: all
                .offset("DeoptimizationDataLiteralArrayIndex")
                .unwrap_or(USUAL_LITERALS_INDEX),
            shared_kind: all.kind("type_SharedFunctionInfo__")?,
            shared_wrapper_kind: all.kind("type_SharedFunctionInfoWrapper__").ok(),
            script_kind: all.kind("type_Script__")?,
            scope_kind: all.kind("type_ScopeInfo__")?,
            bytecodes_kind: all.kind("type_BytecodeArray__")?,
            code_kind: all.kind("type_Code__")?,
            array_kinds: all.kinds(&["FixedArray", "TrustedFixedArray", "ProtectedFixedArray"]),
            bytes_kinds: all.kinds(&["ByteArray", "TrustedByteArray"]),
        })
    }
}

impl StringFields {
    fn of(all: &Constants) -> Result<Self, NoLayout> {
        Ok(Self {
            not_string: all.kind("IsNotStringMask")?,
            form_mask: all.kind("StringRepresentationMask")?,
            encoding_mask: all.kind("StringEncodingMask")?,
            one_byte: all.kind("OneByteStringTag")?,
            sequential: all.kind("SeqStringTag")?,
            cons: all.kind("ConsStringTag")?,
            external: all.kind("ExternalStringTag")?,
            sliced: all.kind("SlicedStringTag")?,
            thin: all.kind("ThinStringTag")?,
            length: all.offset("class_String__length__")?,
            one_byte_text: all.offset("class_SeqOneByteString__chars__")?,
            two_byte_text: all.offset("class_SeqTwoByteString__chars__")?,
            cons_first: all.offset("class_ConsString__first__")?,
            cons_second: all.offset("class_ConsString__second__")?,
            sliced_parent: all.offset("class_SlicedString__parent__")?,
            sliced_offset: all.offset("class_SlicedString__offset__")?,
            thin_actual: all.offset("class_ThinString__actual__")?,
            external_resource: all.offset("class_ExternalString__resource__")?,
        })
    }
}

/// The exported constants, without the prefix of their names.
#[derive(Debug, Default)]
pub(super) struct Constants(pub(super) BTreeMap<String, i32>);

impl Constants {
    fn read(image: &ElfImage) -> Self {
        let mut all = BTreeMap::new();
        symbols(image, elf::SHT_DYNSYM, |symbol| {
            let Some(name) = symbol.name_after(PREFIX) else {
                return;
            };
            // What is not in the file is 0.
            let bytes = bytes_at(image, symbol.address, 4);
            let bytes = bytes.as_deref().and_then(|bytes| bytes.first_chunk());
            if all.len() < MOST_CONSTANTS {
                all.insert(
                    name.to_owned(),
                    bytes.map_or(0, |bytes| i32::from_le_bytes(*bytes)),
                );
            }
        });
        Self(all)
    }

    /// Returns the constant with this name, or else the first one whose name begins with it: names of
    /// fields end
    /// with their types.
    fn number(&self, name: &str) -> Option<i32> {
        if let Some(number) = self.0.get(name) {
            return Some(*number);
        }
        let (found, number) = self.0.range(name.to_owned()..).next()?;
        found.starts_with(name).then_some(*number)
    }

    fn known(&self, name: &str) -> Result<i32, NoLayout> {
        self.number(name)
            .ok_or_else(|| NoLayout::Missing(name.to_owned()))
    }

    /// A distance from the beginning of an object, or an index.
    fn offset(&self, name: &str) -> Result<u64, NoLayout> {
        let number = self.known(name)?;
        let number = Some(number).filter(|number| (0..LARGEST_OFFSET).contains(number));
        let number = number.and_then(|number| u64::try_from(number).ok());
        number.ok_or_else(|| NoLayout::Missing(name.to_owned()))
    }

    /// How far below the frame pointer something is.
    fn below_frame(&self, name: &str) -> Result<u64, NoLayout> {
        let number = self.known(name)?.unsigned_abs();
        Ok(number.into())
    }

    /// A kind of objects, or bits of it.
    fn kind(&self, name: &str) -> Result<u16, NoLayout> {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "bits"
        )]
        self.known(name).map(|number| number as u16)
    }

    /// The kinds of these types, as far as there are such types.
    fn kinds(&self, names: &[&str]) -> Vec<u16> {
        let kinds = names
            .iter()
            .map(|name| self.kind(&format!("type_{name}__")));
        kinds.filter_map(Result::ok).collect()
    }
}
