//! Processes, threads and images.

use crate::bytes::Bytes;

/// A process (group 3, opcodes 1 to 4 and 39).
#[derive(Debug, Clone, Default)]
#[expect(missing_docs, reason = "the names of MSDN")]
pub struct Process<'a> {
    pub key: u64,
    pub process_id: u32,
    pub parent_id: u32,
    pub session_id: u32,
    pub exit_status: i32,
    pub directory_table: u64,
    pub flags: u32,
    /// `TOKEN_USER` and SID; four zeros mean none.
    pub user: &'a [u8],
    pub image: &'a str,
    pub command_line: &'a str,
    pub package: &'a str,
    pub application: &'a str,
    pub exit_time: i64,
}

impl Process<'_> {
    /// Returns the payload.
    pub fn payload(&self, wide: bool, version: u16) -> Vec<u8> {
        let mut out = Bytes::default().pointer(wide, self.key);
        out = out.u32(self.process_id).u32(self.parent_id);
        out = out.u32(self.session_id).i32(self.exit_status);
        if version >= 3 {
            out = out.pointer(wide, self.directory_table);
        }
        if version >= 4 {
            out = out.u32(self.flags);
        }
        let user = if self.user.is_empty() {
            &[0; 4]
        } else {
            self.user
        };
        out = out.bytes(user).ansi(self.image);
        if version >= 2 {
            out = out.utf16(self.command_line);
        }
        if version >= 4 {
            out = out.utf16(self.package).utf16(self.application);
        }
        if version >= 5 {
            out = out.i64(self.exit_time);
        }
        out.0
    }
}

/// A thread (group 5, opcodes 1 to 4).
#[derive(Debug, Clone, Default)]
#[expect(missing_docs, reason = "the names of MSDN")]
pub struct Thread<'a> {
    pub process_id: u32,
    pub thread_id: u32,
    /// Base and limit of the kernel's stack, then of the user's.
    pub stacks: [u64; 4],
    /// The start in the kernel; from version 3 on, the processors it may use.
    pub affinity: u64,
    pub start_address: u64,
    pub environment: u64,
    pub service_tag: u32,
    pub base_priority: u8,
    pub page_priority: u8,
    pub io_priority: u8,
    pub flags: u8,
    /// In newer Windows 10.
    pub name: Option<&'a str>,
}

impl Thread<'_> {
    /// Returns the payload; the end of a thread (opcodes 2 and 4) is shorter in version 1.
    pub fn payload(&self, wide: bool, version: u16, is_end: bool) -> Vec<u8> {
        let out = Bytes::default().u32(self.process_id).u32(self.thread_id);
        if is_end && version < 2 {
            return out.0;
        }
        let out = out.pointers(wide, &self.stacks);
        let out = out.pointers(wide, &[self.affinity, self.start_address]);
        if version < 2 {
            return out.u8(self.flags).0;
        }
        let out = out.pointer(wide, self.environment).u32(self.service_tag);
        if version < 3 {
            return out.0;
        }
        let out = out.u8(self.base_priority).u8(self.page_priority);
        let out = out.u8(self.io_priority).u8(self.flags);
        match self.name {
            Some(name) => out.utf16(name).0,
            None => out.0,
        }
    }
}

/// An image (group 20, opcodes 2, 3, 4 and 10).
#[derive(Debug, Clone, Default)]
#[expect(missing_docs, reason = "the names of MSDN")]
pub struct Image<'a> {
    pub base: u64,
    pub size: u64,
    pub process_id: u32,
    pub checksum: u32,
    pub time_stamp: u32,
    /// Level and type of its signature, from version 3 on.
    pub signature: (u8, u8),
    pub default_base: u64,
    pub path: &'a str,
}

impl Image<'_> {
    /// Returns the payload.
    pub fn payload(&self, wide: bool, version: u16) -> Vec<u8> {
        let mut out = Bytes::default().pointer(wide, self.base);
        if version == 0 {
            return out.u32(self.size as u32).utf16(self.path).0;
        }
        out = out.pointer(wide, self.size).u32(self.process_id);
        if version >= 2 {
            out = out.u32(self.checksum).u32(self.time_stamp);
            out = out.u8(self.signature.0).u8(self.signature.1).u16(0);
            out = out.pointer(wide, self.default_base).zeros(16);
        }
        out.utf16(self.path).0
    }
}
