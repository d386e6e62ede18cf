//! What a merge of traces adds about the machine and its images, as classic events of two classes
//! that no group of kernel events stands for.
//!
//! Seen in merged traces of Windows 7 to 11 (xperf, `PerfView`, WPR). Names of events and fields are
//! those of the TraceEvent library where it has them; opcodes 34 and 39 of images and 34, 36 and 37
//! of the machine are from observation.

use super::Kind::{Ansi as A, FileTime, Guid, Pointer as P, Rest, U16, U32, Utf16 as W, X64};
use super::{Field, KernelEvent, Layout, layouts};
use crate::record::{Identity, Record};

/// Class, its number in the table, and its name.
const CLASSES: &[(crate::guid::Guid, u8, &str)] = &[
    (
        super::class(0xb3e6_75d7, 0x2554, 0x4f18, 0x830b_2762_7325_60de),
        0,
        "ImageID",
    ),
    (
        super::class(0x9b79_ee91, 0xb5fd, 0x41c0, 0xa243_4248_e266_e9d0),
        1,
        "SysConfig",
    ),
];

const ALL: &[Layout] = layouts::layouts! {
    // ImageID: shares the time of the image's load, and the process of its header.
    0 [0 Info] 0 {
        ImageBase P, ImageSize P, ProcessId U32, TimeDateStamp U32, OriginalFileName W,
    }
    0 [32 None] 0 { ImageBase P, ProcessId U32, }
    0 [34 DbgMisc] 0 {
        ImageBase P, ProcessId U32, ImageCheckSum U32, TimeDateStamp U32, ImageSize U32,
        DbgFileName W,
    }
    0 [36 DbgID_RSDS 37 DbgID_ILRSDS] 0 {
        ImageBase P, ProcessId U32, GuidSig Guid, Age U32, PDBFileName A,
    }
    0 [38 DbgPPDB] 0 {
        ImageBase P, ProcessId U32, TimeDateStamp U32, MajorVersion U16, MinorVersion U16,
    }
    0 [39 DbgEmbedded] 0 {
        ImageBase P, ProcessId U32, MajorVersion U16, MinorVersion U16, GuidSig Guid, Age U32,
    }
    0 [40 DbgDeterministic] 0 { ImageBase P, ProcessId U32, }
    0 [41 Failure] 0 { Message W, }
    0 [64 FileVersion] 0 {
        ImageSize U32, TimeDateStamp U32, OrigFileName W, FileDescription W, FileVersion W,
        BinFileVersion W, VerLanguage W, ProductName W, CompanyName W, ProductVersion W,
        FileId W, ProgramId W,
    }

    // SystemConfigEx
    1 [32 BuildInfo] 0 { InstallDate FileTime, BuildLab W, ProductName W, }
    1 [33 SystemPaths] 0 { SystemDirectory W, SystemWindowsDirectory W, }
    1 [34 UnknownVolume] 0 { NtPath W, }
    1 [35 VolumeMapping] 0 { NtPath W, DosPath W, }
    1 [36 NetworkInterface] 0 { Data Rest, }
    1 [37 DeviceFamily] 0 { UAPInfo X64, DeviceFamily U32, DeviceForm U32, }
};

/// Returns the name of the class that a GUID stands for; `None` where it is none of these.
pub(super) fn class_name(class: crate::guid::Guid) -> Option<&'static str> {
    let (.., name) = CLASSES.iter().find(|(guid, ..)| *guid == class)?;
    Some(name)
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
    let (_, group, class) = CLASSES.iter().find(|(guid, ..)| *guid == class)?;
    super::find(ALL, class, (*group, opcode, version))
}
