//! File systems that follow a script: what programs ask of them, as the kernel or its manifest
//! provider reports it, and what an import must find.
//!
//! ```
//! use whyslow_testkit::{FileAsk, FileScript};
//!
//! let mut script = FileScript::new(3);
//! let open = FileAsk { path: r"\Device\HarddiskVolume1\a.txt", object: 0x10, ..FileAsk::open() };
//! script.ask(100, Some(250), (400, 404), open);
//! assert_eq!(script.told[0].lasts, Some(150));
//! assert_eq!(script.events().len(), 2);
//! ```

use crate::event::{Manifest, system};
use crate::file::T0;
use crate::payload::{
    FileIo, FileOpen, file_info, file_list, file_path, file_simple, operation_end,
};

/// Something that is asked of a file system.
#[derive(Debug, Clone, Copy, Default)]
pub struct FileAsk<'a> {
    /// The kernel's opcode.
    pub opcode: u8,
    /// Address of the open file.
    pub object: u64,
    /// Address of the file itself.
    pub key: u64,
    /// The path that is opened, listed, or renamed to.
    pub path: &'a str,
    /// Options of an opening, flags of a transfer.
    pub flags: u32,
    /// Where a transfer begins.
    pub offset: u64,
    /// How much it asks for.
    pub size: u32,
    /// The class of information.
    pub class: u32,
    /// How it ends.
    pub status: u32,
    /// What it returns, such as the bytes that were moved.
    pub information: u64,
}

impl FileAsk<'_> {
    /// Returns an opening of an existing file.
    #[must_use]
    pub fn open() -> Self {
        Self {
            opcode: 64,
            information: 1,
            ..Self::default()
        }
    }

    /// Returns a request with only its opcode.
    #[must_use]
    pub fn of(opcode: u8) -> Self {
        Self {
            opcode,
            ..Self::default()
        }
    }
}

/// A request as the script has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileTold {
    /// When it began, in ticks.
    pub begin: i64,
    /// How long it took, in ticks.
    pub lasts: Option<i64>,
    /// The thread.
    pub tid: u32,
    /// The kernel's opcode.
    pub opcode: u8,
    /// Address of the open file.
    pub object: u64,
    /// How much it asked for.
    pub size: u32,
    /// How it ended.
    pub status: u32,
    /// What it returned.
    pub information: u64,
}

/// The script so far.
#[derive(Debug, Clone)]
pub struct FileScript {
    version: u16,
    is_provided: bool,
    /// Whether pointers have 8 bytes.
    pub wide: bool,
    irp: u64,
    events: Vec<(i64, Vec<u8>)>,
    /// What an import must find.
    pub told: Vec<FileTold>,
}

/// Ids of the manifest's provider by opcode.
const PROVIDED: &[(u8, u16)] = &[
    (32, 10),
    (35, 11),
    (64, 12),
    (65, 13),
    (66, 14),
    (67, 15),
    (68, 16),
    (69, 17),
    (70, 18),
    (71, 19),
    (72, 20),
    (73, 21),
    (74, 22),
    (75, 23),
    (76, 24),
    (77, 25),
    (80, 27),
];

/// Microsoft-Windows-Kernel-File.
const KERNEL_FILE: [u8; 16] = [
    0x27, 0x89, 0xd0, 0xed, 0xc4, 0x9c, 0x65, 0x4e, 0xb9, 0x70, 0xc2, 0x56, 0x0f, 0xb5, 0xc2, 0x89,
];

impl FileScript {
    /// Returns an empty script; the kernel writes events of `version`, 2 or 3.
    #[must_use]
    pub fn new(version: u16) -> Self {
        Self {
            version,
            is_provided: false,
            wide: true,
            irp: 0xffff_b000_0000_1000,
            events: Vec::new(),
            told: Vec::new(),
        }
    }

    /// Returns an empty script whose events the manifest's provider writes.
    #[must_use]
    pub fn provided() -> Self {
        Self {
            is_provided: true,
            ..Self::new(3)
        }
    }

    /// Adds an event as it is.
    pub fn event(&mut self, time: i64, opcode: u8, ids: (u32, u32), payload: &[u8]) {
        let hook = 0x0400 | u16::from(opcode);
        let event = match self.is_provided {
            false => system(self.wide, hook, self.version, T0 + time, ids, payload),
            true => {
                let id = PROVIDED.iter().find(|(of, _)| *of == opcode).unwrap().1;
                let mut event = Manifest {
                    wide: self.wide,
                    provider: KERNEL_FILE,
                    id,
                    ids,
                    items: &[],
                    payload,
                }
                .at(T0 + time);
                // The version is behind provider and id.
                event[0x2a] = 1;
                event
            }
        };
        self.events.push((time, event));
    }

    /// A thread asks for something, and gets it at `end` if that is in the trace.
    pub fn ask(&mut self, begin: i64, end: Option<i64>, ids: (u32, u32), ask: FileAsk<'_>) {
        self.irp += 0x200;
        let irp = self.irp;
        let (wide, version) = (self.wide, self.version);
        let of = FileIo {
            irp,
            thread: ids.1,
            file_object: ask.object,
            file_key: ask.key,
        };
        let payload = match ask.opcode {
            64 => FileOpen {
                irp,
                thread: ids.1,
                file_object: ask.object,
                options: ask.flags,
                attributes: 0,
                share: 7,
                path: ask.path,
            }
            .payload(wide, version),
            67 | 68 => of.transfer(wide, version, ask.offset, (ask.size, ask.flags)),
            65 | 66 | 73 => file_simple(of, wide, version),
            72 | 77 => file_list(of, wide, version, (ask.size, ask.class), ask.path),
            79..=81 => file_path(of, wide, version, ask.class, ask.path),
            _ => file_info(of, wide, version, 0, ask.class),
        };
        self.event(begin, ask.opcode, ids, &payload);
        if let Some(end) = end {
            let payload = operation_end(wide, irp, ask.information, ask.status);
            // It ends in the context of whichever thread runs.
            self.event(end, 76, (0, 0), &payload);
        }
        self.told.push(FileTold {
            begin,
            lasts: end.map(|end| end - begin),
            tid: ids.1,
            opcode: ask.opcode,
            object: ask.object,
            size: ask.size,
            status: ask.status,
            information: ask.information,
        });
    }

    /// Returns the events in order.
    #[must_use]
    pub fn events(&self) -> Vec<(i64, Vec<u8>)> {
        let mut events = self.events.clone();
        events.sort_by_key(|(time, _)| *time);
        events
    }
}
