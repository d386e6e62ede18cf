//! Calls of ONC RPC (RFC 5531) with arguments in XDR (RFC 4506), written into one buffer.

/// A procedure of a program.
#[derive(Debug, Clone, Copy)]
pub(super) struct Procedure {
    program: u32,
    number: u32,
    pub(super) name: &'static str,
}

const NFS: u32 = 100_003;
const MOUNT: u32 = 100_005;

/// Both programs are of this version.
const VERSION: u32 = 3;

const fn procedure(program: u32, number: u32, name: &'static str) -> Procedure {
    Procedure {
        program,
        number,
        name,
    }
}

pub(super) const MNT: Procedure = procedure(MOUNT, 1, "MNT");
pub(super) const LOOKUP: Procedure = procedure(NFS, 3, "LOOKUP");
pub(super) const GETATTR: Procedure = procedure(NFS, 1, "GETATTR");
pub(super) const ACCESS: Procedure = procedure(NFS, 4, "ACCESS");
pub(super) const READ: Procedure = procedure(NFS, 6, "READ");
pub(super) const WRITE: Procedure = procedure(NFS, 7, "WRITE");
pub(super) const CREATE: Procedure = procedure(NFS, 8, "CREATE");
pub(super) const MKDIR: Procedure = procedure(NFS, 9, "MKDIR");
pub(super) const REMOVE: Procedure = procedure(NFS, 12, "REMOVE");
pub(super) const RENAME: Procedure = procedure(NFS, 14, "RENAME");
pub(super) const READDIR: Procedure = procedure(NFS, 16, "READDIR");
pub(super) const COMMIT: Procedure = procedure(NFS, 21, "COMMIT");

/// The call being written, with room for its length in front.
pub(super) struct Request {
    pub(super) bytes: Vec<u8>,
}

impl Request {
    pub(super) fn new() -> Self {
        Self {
            bytes: Vec::with_capacity(1024),
        }
    }

    /// Begins the call number `id` by the user 0 of the group 0.
    pub(super) fn call(&mut self, id: u32, procedure: Procedure) {
        self.bytes.clear();
        let head = [0, id, 0, 2, procedure.program, VERSION, procedure.number];
        for word in head {
            self.u32(word);
        }
        // AUTH_SYS: 5 words, of which the machine's name is an empty one; no verifier.
        for word in [1, 20, 0, 0, 0, 0, 0, 0, 0] {
            self.u32(word);
        }
    }

    pub(super) fn u32(&mut self, value: u32) {
        self.bytes.extend(value.to_be_bytes());
    }

    pub(super) fn u64(&mut self, value: u64) {
        self.bytes.extend(value.to_be_bytes());
    }

    /// Writes bytes with their length, filled to whole words.
    pub(super) fn opaque(&mut self, bytes: &[u8]) {
        self.u32(u32::try_from(bytes.len()).unwrap_or(u32::MAX));
        self.bytes.extend(bytes);
        let filled = self.bytes.len().next_multiple_of(4);
        self.bytes.resize(filled, 0);
    }

    /// Writes `name` in the directory with this handle.
    pub(super) fn entry(&mut self, directory: &[u8], name: &str) {
        self.opaque(directory);
        self.opaque(name.as_bytes());
    }

    /// Writes the attributes of something new: a mode, nothing else.
    pub(super) fn mode(&mut self, mode: u32) {
        for word in [1, mode, 0, 0, 0, 0, 0] {
            self.u32(word);
        }
    }
}
