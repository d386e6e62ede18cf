//! Disks, files and hard faults. From version 3 on, the thread comes after the pointers and has
//! four bytes.

use crate::bytes::Bytes;

/// A finished request to a disk (group 1, opcodes 10 read and 11 write).
#[derive(Debug, Clone, Copy, Default)]
#[expect(missing_docs, reason = "the names of MSDN")]
pub struct DiskIo {
    pub disk: u32,
    pub irp_flags: u32,
    pub size: u32,
    pub offset: i64,
    pub file_object: u64,
    pub irp: u64,
    /// In ticks of the performance counter.
    pub response_time: u64,
    /// From version 3 on.
    pub thread: u32,
}

impl DiskIo {
    /// Returns the payload of the completion.
    pub fn payload(&self, wide: bool, version: u16) -> Vec<u8> {
        let out = Bytes::default().u32(self.disk).u32(self.irp_flags);
        let out = out.u32(self.size).u32(0).i64(self.offset);
        let out = out.pointers(wide, &[self.file_object, self.irp]);
        self.thread(out.u64(self.response_time), version)
    }

    /// Returns the payload of the request (opcodes 12, 13 and 15).
    pub fn init_payload(&self, wide: bool, version: u16) -> Vec<u8> {
        self.thread(Bytes::default().pointer(wide, self.irp), version)
    }

    /// Returns the payload of a finished flush (opcode 14).
    pub fn flush_payload(&self, wide: bool, version: u16) -> Vec<u8> {
        let out = Bytes::default().u32(self.disk).u32(self.irp_flags);
        let out = out.u64(self.response_time).pointer(wide, self.irp);
        self.thread(out, version)
    }

    fn thread(&self, out: Bytes, version: u16) -> Vec<u8> {
        if version < 3 {
            return out.0;
        }
        out.u32(self.thread).0
    }
}

/// The thread that asks the file system for something, and the file.
#[derive(Debug, Clone, Copy, Default)]
#[expect(missing_docs, reason = "the names of MSDN")]
pub struct FileIo {
    pub irp: u64,
    pub thread: u32,
    pub file_object: u64,
    pub file_key: u64,
}

impl FileIo {
    /// Request, thread and file; in version 3, more pointers come before the thread.
    fn start(&self, out: Bytes, wide: bool, version: u16, more: &[u64]) -> Bytes {
        if version < 3 {
            let out = out.pointers(wide, &[self.irp, self.thread.into()]);
            let out = out.pointers(wide, &[self.file_object, self.file_key]);
            return out.pointers(wide, more);
        }
        let out = out.pointers(wide, &[self.irp, self.file_object, self.file_key]);
        out.pointers(wide, more).u32(self.thread)
    }

    /// A read or write (group 4, opcodes 67 and 68).
    pub fn transfer(
        &self,
        wide: bool,
        version: u16,
        offset: u64,
        (size, flags): (u32, u32),
    ) -> Vec<u8> {
        let out = self.start(Bytes::default().u64(offset), wide, version, &[]);
        let out = out.u32(size).u32(flags);
        if version < 3 { out.0 } else { out.u32(0).0 }
    }
}

/// A clean-up, close or flush (group 4, opcodes 65, 66 and 73).
pub fn file_simple(of: FileIo, wide: bool, version: u16) -> Vec<u8> {
    of.start(Bytes::default(), wide, version, &[]).0
}

/// Setting or reading properties, a deletion or a renaming (group 4, opcodes 69, 70, 71, 74 and
/// 75).
pub fn file_info(of: FileIo, wide: bool, version: u16, extra: u64, class: u32) -> Vec<u8> {
    let out = of.start(Bytes::default(), wide, version, &[extra]);
    out.u32(class).0
}

/// A listing of a folder, or a request for news of it (group 4, opcodes 72 and 77).
pub fn file_list(
    of: FileIo,
    wide: bool,
    version: u16,
    (length, class): (u32, u32),
    pattern: &str,
) -> Vec<u8> {
    let out = of.start(Bytes::default(), wide, version, &[]);
    out.u32(length).u32(class).u32(0).utf16(pattern).0
}

/// A deletion, renaming or link with its path (group 4, opcodes 79 to 81).
pub fn file_path(of: FileIo, wide: bool, version: u16, class: u32, path: &str) -> Vec<u8> {
    let out = of.start(Bytes::default(), wide, version, &[0]);
    out.u32(class).utf16(path).0
}

/// A mini-filter's routine has returned (group 4, opcodes 98 before and 99 after the file system).
#[derive(Debug, Clone, Copy, Default)]
#[expect(missing_docs, reason = "the names of MSDN")]
pub struct FilterCall {
    /// Raw time.
    pub since: i64,
    pub routine: u64,
    pub file_object: u64,
    pub file_context: u64,
    pub irp: u64,
    pub callback_data: u64,
    pub major_function: u32,
}

impl FilterCall {
    /// Returns the payload.
    pub fn payload(&self, wide: bool) -> Vec<u8> {
        let out = Bytes::default().i64(self.since);
        let out = out.pointers(wide, &[self.routine, self.file_object, self.file_context]);
        let out = out.pointers(wide, &[self.irp, self.callback_data]);
        out.u32(self.major_function).0
    }
}

/// An opening of a file (group 4, opcode 64).
#[derive(Debug, Clone, Copy, Default)]
#[expect(missing_docs, reason = "the names of MSDN")]
pub struct FileOpen<'a> {
    pub irp: u64,
    pub thread: u32,
    pub file_object: u64,
    pub options: u32,
    pub attributes: u32,
    pub share: u32,
    pub path: &'a str,
}

impl FileOpen<'_> {
    /// Returns the payload.
    pub fn payload(&self, wide: bool, version: u16) -> Vec<u8> {
        let out = Bytes::default().pointer(wide, self.irp);
        let out = if version < 3 {
            out.pointers(wide, &[self.thread.into(), self.file_object])
        } else {
            out.pointer(wide, self.file_object).u32(self.thread)
        };
        let out = out.u32(self.options).u32(self.attributes).u32(self.share);
        out.utf16(self.path).0
    }
}

/// The end of an operation (group 4, opcode 76).
pub fn operation_end(wide: bool, irp: u64, extra: u64, status: u32) -> Vec<u8> {
    let out = Bytes::default().pointers(wide, &[irp, extra]);
    out.u32(status).0
}

/// The name of a file (group 4, opcodes 0, 32, 35 and 36).
pub fn file_name(wide: bool, key: u64, name: &str) -> Vec<u8> {
    Bytes::default().pointer(wide, key).utf16(name).0
}

/// A fault that read from a disk (group 2, opcode 32).
#[derive(Debug, Clone, Copy, Default)]
#[expect(missing_docs, reason = "the names of MSDN")]
pub struct HardFault {
    /// Raw time.
    pub since: i64,
    pub offset: u64,
    pub address: u64,
    pub file_object: u64,
    pub thread: u32,
    pub size: u32,
}

impl HardFault {
    /// Returns the payload.
    pub fn payload(&self, wide: bool) -> Vec<u8> {
        let out = Bytes::default().i64(self.since).u64(self.offset);
        let out = out.pointers(wide, &[self.address, self.file_object]);
        out.u32(self.thread).u32(self.size).0
    }
}
