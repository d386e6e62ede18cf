//! Requests of SMB 2 and 3 (MS-SMB2 2.2), written into one buffer that is used again and again.

use super::dialect::Dialect;

/// What a request asks for (MS-SMB2 2.2.1.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
pub(super) enum Command {
    Negotiate = 0,
    SessionSetup = 1,
    TreeConnect = 3,
    Create = 5,
    Close = 6,
    Read = 8,
    Write = 9,
    QueryDirectory = 14,
    SetInfo = 17,
}

impl Command {
    /// Returns what messages call it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Negotiate => "NEGOTIATE",
            Self::SessionSetup => "SESSION_SETUP",
            Self::TreeConnect => "TREE_CONNECT",
            Self::Create => "CREATE",
            Self::Close => "CLOSE",
            Self::Read => "READ",
            Self::Write => "WRITE",
            Self::QueryDirectory => "QUERY_DIRECTORY",
            Self::SetInfo => "SET_INFO",
        }
    }
}

/// Bytes of the length before a message.
const FRAME: usize = 4;

/// Bytes of a message's header.
pub(super) const HEADER: usize = 64;

/// What the header of a request says.
#[derive(Debug, Clone, Copy)]
pub(super) struct Head {
    pub(super) command: Command,
    /// Credits it costs; 2.02 has none.
    pub(super) charge: u16,
    pub(super) message: u64,
    pub(super) tree: u32,
    pub(super) session: u64,
}

/// Credits that every request asks for, more than are ever used.
const CREDITS: u16 = 64;

/// A handle of an open file.
pub(super) type FileId = [u8; 16];

/// How a file is opened (MS-SMB2 2.2.13).
#[derive(Debug, Clone, Copy)]
pub(super) struct Opening {
    pub(super) access: u32,
    pub(super) disposition: u32,
    pub(super) options: u32,
}

/// Opens what is there.
const OPEN: u32 = 1;
/// Makes a new file; fails if there is one.
const CREATE: u32 = 2;
/// Makes a new file or empties the old one.
const OVERWRITE_IF: u32 = 5;

const READ_DATA: u32 = 0x0000_0001;
const WRITE_DATA: u32 = 0x0000_0002;
const READ_ATTRIBUTES: u32 = 0x0000_0080;
const DELETE: u32 = 0x0001_0000;
const SYNCHRONIZE: u32 = 0x0010_0000;

const DIRECTORY_FILE: u32 = 0x0000_0001;
const NON_DIRECTORY_FILE: u32 = 0x0000_0040;
const DELETE_ON_CLOSE: u32 = 0x0000_1000;

const fn opening(access: u32, disposition: u32, options: u32) -> Opening {
    Opening {
        access: access | READ_ATTRIBUTES | SYNCHRONIZE,
        disposition,
        options,
    }
}

impl Opening {
    pub(super) const NEW: Self = opening(WRITE_DATA, CREATE, NON_DIRECTORY_FILE);
    pub(super) const WRITE: Self = opening(WRITE_DATA, OVERWRITE_IF, NON_DIRECTORY_FILE);
    pub(super) const READ: Self = opening(READ_DATA, OPEN, NON_DIRECTORY_FILE);
    pub(super) const STATUS: Self = opening(0, OPEN, 0);
    pub(super) const RENAME: Self = opening(DELETE, OPEN, NON_DIRECTORY_FILE);
    pub(super) const REMOVE: Self = opening(DELETE, OPEN, NON_DIRECTORY_FILE | DELETE_ON_CLOSE);
    pub(super) const LIST: Self = opening(READ_DATA, OPEN, DIRECTORY_FILE);
    pub(super) const MAKE_DIRECTORY: Self = opening(READ_DATA, CREATE, DIRECTORY_FILE);
}

/// The request being written, with room for its length in front.
pub(super) struct Request {
    pub(super) bytes: Vec<u8>,
}

impl Request {
    pub(super) fn new() -> Self {
        Self {
            bytes: Vec::with_capacity(1024),
        }
    }

    fn u16(&mut self, value: u16) {
        self.bytes.extend(value.to_le_bytes());
    }

    fn u32(&mut self, value: u32) {
        self.bytes.extend(value.to_le_bytes());
    }

    fn u64(&mut self, value: u64) {
        self.bytes.extend(value.to_le_bytes());
    }

    fn zeros(&mut self, count: usize) {
        self.bytes.resize(self.bytes.len() + count, 0);
    }

    /// Writes an offset from the header's beginning, which lies `ahead` bytes after the end so far.
    fn offset(&mut self, ahead: usize) {
        let offset = self.bytes.len() - FRAME + ahead;
        self.u16(u16::try_from(offset).unwrap_or(u16::MAX));
    }

    fn length16(&mut self, length: usize) {
        self.u16(u16::try_from(length).unwrap_or(u16::MAX));
    }

    fn length32(&mut self, length: usize) {
        self.u32(u32::try_from(length).unwrap_or(u32::MAX));
    }

    /// Begins a request.
    fn head(&mut self, head: Head) {
        self.bytes.clear();
        self.zeros(FRAME);
        self.bytes.extend(b"\xfeSMB");
        self.u16(64);
        self.u16(head.charge);
        self.u32(0);
        self.u16(head.command as u16);
        self.u16(CREDITS);
        self.u32(0);
        self.u32(0);
        self.u64(head.message);
        self.u32(0);
        self.u32(head.tree);
        self.u64(head.session);
        self.zeros(16);
    }

    /// Asks for one of the dialects of `offer`; `client` is a number of this connection's own.
    pub(super) fn negotiate(&mut self, head: Head, offer: &[Dialect], client: [u8; 16]) {
        self.head(head);
        self.u16(36);
        self.length16(offer.len());
        // Signing is possible, not required.
        self.u16(1);
        self.u16(0);
        // Large reads and writes, which 2.02 does not know.
        let newer = offer.iter().any(|dialect| *dialect > Dialect::V202);
        self.u32(if newer { 0x0000_0004 } else { 0 });
        self.bytes.extend(if newer { client } else { [0; 16] });
        let contexts = offer.contains(&Dialect::V311);
        let dialects = 2 * offer.len();
        let padding = (8 - (HEADER + 36 + dialects) % 8) % 8;
        if contexts {
            self.length32(HEADER + 36 + dialects + padding);
            self.u16(1);
            self.u16(0);
        } else {
            self.u64(0);
        }
        for dialect in offer {
            self.u16(dialect.number());
        }
        if contexts {
            self.zeros(padding);
            self.integrity(client);
        }
    }

    /// Writes the one context that 3.1.1 must have: integrity by SHA-512 with some salt.
    fn integrity(&mut self, salt: [u8; 16]) {
        self.u16(1);
        self.u16(6 + 32);
        self.u32(0);
        self.u16(1);
        self.u16(32);
        self.u16(1);
        self.bytes.extend(salt);
        self.bytes.extend(salt);
    }

    /// Sends a message of the authentication.
    pub(super) fn session_setup(&mut self, head: Head, token: &[u8]) {
        self.head(head);
        self.u16(25);
        self.bytes.extend([0, 1]);
        self.u32(0);
        self.u32(0);
        self.offset(2 + 2 + 8);
        self.length16(token.len());
        self.u64(0);
        self.bytes.extend(token);
    }

    /// Asks for the share `path`, as `\\server\share`.
    pub(super) fn tree_connect(&mut self, head: Head, path: &str) {
        self.head(head);
        self.u16(9);
        self.u16(0);
        self.offset(2 + 2);
        self.length16(2 * path.encode_utf16().count());
        self.text(path);
    }

    fn text(&mut self, text: &str) {
        for unit in text.encode_utf16() {
            self.u16(unit);
        }
    }

    /// Opens `directory\name`, or the directory if the name is empty.
    pub(super) fn create(&mut self, head: Head, opening: Opening, directory: &str, name: &str) {
        self.head(head);
        self.u16(57);
        self.u16(0);
        // As the user, not only to be known as him.
        self.u32(2);
        self.zeros(16);
        self.u32(opening.access);
        self.u32(0x0000_0080);
        // Others may read, write and delete.
        self.u32(7);
        self.u32(opening.disposition);
        self.u32(opening.options);
        self.offset(2 + 2 + 8);
        let length = self.bytes.len();
        self.u16(0);
        self.u64(0);
        let begin = self.bytes.len();
        self.path(directory, name);
        let bytes = self.bytes.len() - begin;
        let bytes = u16::try_from(bytes).unwrap_or(u16::MAX).to_le_bytes();
        if let Some(room) = self.bytes.get_mut(length..length + 2) {
            room.copy_from_slice(&bytes);
        }
        if self.bytes.len() == begin {
            // The buffer is never empty.
            self.u16(0);
        }
    }

    fn path(&mut self, directory: &str, name: &str) {
        self.text(directory);
        if !directory.is_empty() && !name.is_empty() {
            self.text("\\");
        }
        self.text(name);
    }

    pub(super) fn close(&mut self, head: Head, file: FileId) {
        self.head(head);
        self.u16(24);
        self.zeros(6);
        self.bytes.extend(file);
    }

    pub(super) fn read(&mut self, head: Head, file: FileId, offset: u64, length: u32) {
        self.head(head);
        self.u16(49);
        self.zeros(2);
        self.u32(length);
        self.u64(offset);
        self.bytes.extend(file);
        self.zeros(16);
        self.zeros(1);
    }

    pub(super) fn write(&mut self, head: Head, file: FileId, offset: u64, content: &[u8]) {
        self.head(head);
        self.u16(49);
        self.offset(2 + 4 + 8 + 16 + 16);
        self.length32(content.len());
        self.u64(offset);
        self.bytes.extend(file);
        self.zeros(16);
        self.bytes.extend(content);
    }

    /// Asks for as many entries of a directory as `room` bytes hold.
    pub(super) fn query_directory(&mut self, head: Head, file: FileId, room: u32) {
        self.head(head);
        self.u16(33);
        // Names, times, sizes and attributes.
        self.bytes.extend([1, 0]);
        self.u32(0);
        self.bytes.extend(file);
        self.offset(2 + 2 + 4);
        self.u16(2);
        self.u32(room);
        self.text("*");
    }

    /// Gives an open file another name; fails if there is one of that name.
    pub(super) fn rename(&mut self, head: Head, file: FileId, directory: &str, name: &str) {
        let slash = usize::from(!directory.is_empty());
        let units = directory.encode_utf16().count() + slash + name.encode_utf16().count();
        self.head(head);
        self.u16(33);
        // FileRenameInformation of a file.
        self.bytes.extend([1, 10]);
        self.length32(20 + 2 * units);
        self.offset(2 + 2 + 4 + 16);
        self.u16(0);
        self.u32(0);
        self.bytes.extend(file);
        self.zeros(16);
        self.length32(2 * units);
        self.path(directory, name);
    }
}
