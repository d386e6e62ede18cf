//! What a merge of traces adds about the machine and its images, as classic events of two classes
//! that have no group of kernel events.
//!
//! Seen in merged traces of Windows 7 to 11 (xperf, `PerfView`, WPR). Names of events and fields
//! are those of the TraceEvent library where it has them; opcodes 34 and 39 of images, and 34, 36
//! and 37 of the machine, are from observation.

use super::FieldType::{Ansi as A, FileTime, Guid, Pointer as P, Rest, U16, U32, Utf16 as W, X64};
use super::hooks::classes;
use super::{Field, KernelEvent, Layout, layouts};
use crate::record::{Identity, Record};

/// The kind of an event that a merge adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MergeHook {
    /// The class.
    pub class: crate::guid::Guid,
    /// The kind of event within the class.
    pub opcode: u8,
}

classes! {
    MergeHook { class: CLASS }

    /// Images and their files.
    image_id 0 "ImageID" (0xb3e6_75d7, 0x2554, 0x4f18, 0x830b_2762_7325_60de) {
        0 INFO Info, 32 NONE None, 34 DBG_MISC DbgMisc, 36 SYMBOL_FILE DbgID_RSDS,
        37 IL_SYMBOL_FILE DbgID_ILRSDS, 38 PORTABLE_SYMBOL_FILE DbgPPDB,
        39 EMBEDDED_SYMBOL_FILE DbgEmbedded, 40 DETERMINISTIC DbgDeterministic,
        41 FAILURE Failure, 64 FILE_VERSION FileVersion,
    }
    /// The machine.
    system_config_ex 1 "SysConfig" (0x9b79_ee91, 0xb5fd, 0x41c0, 0xa243_4248_e266_e9d0) {
        32 BUILD_INFO BuildInfo, 33 SYSTEM_PATHS SystemPaths, 34 UNKNOWN_VOLUME UnknownVolume,
        35 VOLUME_MAPPING VolumeMapping, 36 NETWORK_INTERFACE NetworkInterface,
        37 DEVICE_FAMILY DeviceFamily,
    }
}

const ALL: &[Layout] = layouts::layouts! {
    // ImageID: has the time of the image's load, and the process in its header.
    image_id [INFO] 0 {
        ImageBase P, ImageSize P, ProcessId U32, TimeDateStamp U32, OriginalFileName W,
    }
    image_id [NONE] 0 { ImageBase P, ProcessId U32, }
    image_id [DBG_MISC] 0 {
        ImageBase P, ProcessId U32, ImageCheckSum U32, TimeDateStamp U32, ImageSize U32,
        DbgFileName W,
    }
    image_id [SYMBOL_FILE IL_SYMBOL_FILE] 0 {
        ImageBase P, ProcessId U32, GuidSig Guid, Age U32, PDBFileName A,
    }
    image_id [PORTABLE_SYMBOL_FILE] 0 {
        ImageBase P, ProcessId U32, TimeDateStamp U32, MajorVersion U16, MinorVersion U16,
    }
    image_id [EMBEDDED_SYMBOL_FILE] 0 {
        ImageBase P, ProcessId U32, MajorVersion U16, MinorVersion U16, GuidSig Guid, Age U32,
    }
    image_id [DETERMINISTIC] 0 { ImageBase P, ProcessId U32, }
    image_id [FAILURE] 0 { Message W, }
    image_id [FILE_VERSION] 0 {
        ImageSize U32, TimeDateStamp U32, OrigFileName W, FileDescription W, FileVersion W,
        BinFileVersion W, VerLanguage W, ProductName W, CompanyName W, ProductVersion W,
        FileId W, ProgramId W,
    }

    // SystemConfigEx
    system_config_ex [BUILD_INFO] 0 { InstallDate FileTime, BuildLab W, ProductName W, }
    system_config_ex [SYSTEM_PATHS] 0 { SystemDirectory W, SystemWindowsDirectory W, }
    system_config_ex [UNKNOWN_VOLUME] 0 { NtPath W, }
    system_config_ex [VOLUME_MAPPING] 0 { NtPath W, DosPath W, }
    system_config_ex [NETWORK_INTERFACE] 0 { Data Rest, }
    system_config_ex [DEVICE_FAMILY] 0 { UAPInfo X64, DeviceFamily U32, DeviceForm U32, }
};

/// Returns the kind of a merge event; `None` for other records.
pub fn merge_hook(record: &Record<'_>) -> Option<MergeHook> {
    match record.identity() {
        Identity::Classic { class, opcode, .. } => CLASSES
            .iter()
            .any(|known| known.guid == class)
            .then_some(MergeHook { class, opcode }),
        _ => None,
    }
}

/// Returns the name of the class with a GUID; `None` if it is neither of these.
pub(super) fn class_name(class: crate::guid::Guid) -> Option<&'static str> {
    let class = CLASSES.iter().find(|known| known.guid == class)?;
    Some(class.name)
}

/// Returns name and layout of an event that a merge has added; `None` for others.
pub(super) fn event(record: &Record<'_>) -> Option<KernelEvent> {
    let Identity::Classic {
        class,
        opcode,
        version,
        ..
    } = record.identity()
    else {
        return None;
    };
    let class = CLASSES.iter().find(|known| known.guid == class)?;
    super::find(ALL, class, opcode, version)
}
