//! What a thread waited for in a system call.

use crate::endian::Endian;

/// Name of the event with a [`WaitObject`].
pub const EVENT_WAIT_OBJECT: &str = "whyslow:wait_object";

/// The kind of object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u32)]
pub enum WaitObjectKind {
    /// Not known.
    Unknown = 0,
    /// A file, a folder, a pipe, a terminal or another device, or an object of the kernel that has a
    /// descriptor.
    File = 1,
    /// A socket.
    Socket = 2,
    /// A word of memory; `number` is its address.
    Futex = 3,
    /// Time.
    Time = 4,
    /// A child process; `number` is its id, 0 any.
    Child = 5,
    /// A signal; `number` is which, 0 any.
    Signal = 6,
    /// A set of System V semaphores; `number` is its id.
    Semaphore = 7,
    /// A System V message queue; `number` is its id.
    Queue = 8,
    /// A name as the program passed it, in `text`.
    Name = 9,
    /// What an epoll watches: `number` of them, and at most 64 are counted.
    Epoll = 10,
    /// Nothing: `poll` or `select` without a descriptor, which sleeps.
    Nothing = 11,
    /// Its tracer, which stopped it; the process is the peer.
    Tracer = 12,
    /// Several descriptors of `poll`, `select` or requests of io_uring: `number` of them.
    Poll = 13,
}

impl WaitObjectKind {
    const ALL: [Self; 14] = [
        Self::Unknown,
        Self::File,
        Self::Socket,
        Self::Futex,
        Self::Time,
        Self::Child,
        Self::Signal,
        Self::Semaphore,
        Self::Queue,
        Self::Name,
        Self::Epoll,
        Self::Nothing,
        Self::Tracer,
        Self::Poll,
    ];

    /// Whether what it watches is described.
    pub fn watches(self) -> bool {
        matches!(self, Self::Epoll | Self::Poll)
    }

    /// Returns the kind with this number.
    pub fn from_number(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|&kind| kind as u32 == number)
    }
}

/// Payload of [`EVENT_WAIT_OBJECT`]: what the waits of one system call were for. It comes when the
/// call returns, before the user stack of the same waits.
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 8 | `since_ns` |
/// | 8 | 8 | `asked_ns`; all bits set: no limit, or not known |
/// | 16 | 8 | `number` |
/// | 24 | 4 | [`WaitObjectKind`] |
/// | 28 | 4 | `system_call` |
/// | 32 | 4 | `device` |
/// | 36 | 4 | `mode` |
/// | 40 | 4 | `others` |
/// | 44 | 4 | `peer_pid` |
/// | 48 | 2 | `family` |
/// | 50 | 2 | `protocol` |
/// | 52 | 2 | `local_port` |
/// | 54 | 2 | `remote_port` |
/// | 56 | 16 | `local` |
/// | 72 | 16 | `remote` |
/// | 88 | 16 | `file_system`, padded with zeros |
/// | 104 | 4 | `flags` |
/// | 108 | 4 | bytes of the text |
/// | 112 | … | `text` |
///
/// After the text of an epoll, and of several descriptors, come the number of `watched`, 4 bytes, and each of them: its length, 4 bytes,
/// and the payload of one of these, which watches nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitObject {
    /// When the first wait of the call began, in nanoseconds of the recording's clock.
    pub since_ns: u64,
    /// The maximum time that the call was to wait.
    pub asked_ns: Option<u64>,
    /// Inode, address or id, depending on the kind.
    pub number: u64,
    /// The kind of object.
    pub kind: WaitObjectKind,
    /// The call.
    pub system_call: u32,
    /// The device of the file system, in the kernel's form: major number times 2^20 plus minor.
    pub device: u32,
    /// Type and permissions of the file.
    pub mode: u32,
    /// How many more descriptors the call watches.
    pub others: u32,
    /// The process at the other end of a Unix socket when it was connected, or of a pipe in the end; the process that held the
    /// lock; the one that was asked whether a file may be used; the one that sent the signal; of a futex the thread that held the lock. 0: not known.
    pub peer_pid: u32,
    /// The socket's family.
    pub family: u16,
    /// The socket's protocol.
    pub protocol: u16,
    /// Its own port.
    pub local_port: u16,
    /// The other end's port; 0: not connected.
    pub remote_port: u16,
    /// Its own address: the first 4 bytes for IPv4.
    pub local: [u8; 16],
    /// The other end's address.
    pub remote: [u8; 16],
    /// Type of the file system.
    pub file_system: Vec<u8>,
    /// As [`FileFlags`](super::FileFlags), [`Self::LISTENING`] and [`Self::OPEN`].
    pub flags: u32,
    /// Path of a file, name of a Unix socket (which may begin with a zero byte), or a name as
    /// passed.
    pub text: Vec<u8>,
    /// What an epoll watches, those with the lowest descriptors; those of `poll` and `select` that come first.
    pub watched: Vec<WaitObject>,
}

impl WaitObject {
    /// A flag: the socket takes connections.
    pub const LISTENING: u32 = 1 << 31;
    /// A flag: the wait was still going on when the recording ended; `since_ns` says nothing then.
    pub const OPEN: u32 = 1 << 30;
    const HEAD_BYTES: usize = 112;
    /// Most things of an epoll.
    const MOST_WATCHED: usize = 64;
    /// Longest text.
    const MOST_TEXT: usize = 8192;

    /// Appends the payload to `out`.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let text = self.text.get(..Self::MOST_TEXT).unwrap_or(&self.text);
        for word in [
            self.since_ns,
            self.asked_ns.unwrap_or(u64::MAX),
            self.number,
        ] {
            out.extend_from_slice(&word.to_ne_bytes());
        }
        for word in [
            self.kind as u32,
            self.system_call,
            self.device,
            self.mode,
            self.others,
            self.peer_pid,
        ] {
            out.extend_from_slice(&word.to_ne_bytes());
        }
        for word in [
            self.family,
            self.protocol,
            self.local_port,
            self.remote_port,
        ] {
            out.extend_from_slice(&word.to_ne_bytes());
        }
        out.extend_from_slice(&self.local);
        out.extend_from_slice(&self.remote);
        let mut system = [0; 16];
        for (to, from) in system.iter_mut().zip(&self.file_system) {
            *to = *from;
        }
        out.extend_from_slice(&system);
        out.extend_from_slice(&self.flags.to_ne_bytes());
        let length = u32::try_from(text.len()).unwrap_or(0);
        out.extend_from_slice(&length.to_ne_bytes());
        out.extend_from_slice(text);
        if !self.kind.watches() {
            return;
        }
        let watched = self.watched.get(..Self::MOST_WATCHED);
        let watched = watched.unwrap_or(&self.watched);
        let count = u32::try_from(watched.len()).unwrap_or(0);
        out.extend_from_slice(&count.to_ne_bytes());
        for one in watched {
            let mut bytes = Vec::new();
            one.encode(&mut bytes);
            let length = u32::try_from(bytes.len()).unwrap_or(0);
            out.extend_from_slice(&length.to_ne_bytes());
            out.extend_from_slice(&bytes);
        }
    }

    /// Reads a payload; `None` if it is too short or of an unknown kind.
    pub fn decode(bytes: &[u8], endian: Endian) -> Option<Self> {
        let (mut object, rest) = Self::decode_one(bytes, endian)?;
        if !object.kind.watches() {
            return Some(object);
        }
        let (count, mut rest) = (endian.u32(rest, 0)?, rest.get(4..)?);
        for _ in 0..usize::try_from(count).ok()?.min(Self::MOST_WATCHED) {
            let length = usize::try_from(endian.u32(rest, 0)?).ok()?;
            let (one, behind) = rest.get(4..)?.split_at_checked(length)?;
            object.watched.push(Self::decode_one(one, endian)?.0);
            rest = behind;
        }
        Some(object)
    }

    /// Reads a payload up to the end of its text; returns what follows, too.
    fn decode_one(bytes: &[u8], endian: Endian) -> Option<(Self, &[u8])> {
        let length = usize::try_from(endian.u32(bytes, 108)?).ok()?;
        if length > Self::MOST_TEXT {
            return None;
        }
        let system = bytes.get(88..104)?;
        let end = system.iter().position(|&byte| byte == 0);
        let (text, rest) = bytes.get(Self::HEAD_BYTES..)?.split_at_checked(length)?;
        let object = Self {
            since_ns: endian.u64(bytes, 0)?,
            asked_ns: Some(endian.u64(bytes, 8)?).filter(|&ns| ns != u64::MAX),
            number: endian.u64(bytes, 16)?,
            kind: WaitObjectKind::from_number(endian.u32(bytes, 24)?)?,
            system_call: endian.u32(bytes, 28)?,
            device: endian.u32(bytes, 32)?,
            mode: endian.u32(bytes, 36)?,
            others: endian.u32(bytes, 40)?,
            peer_pid: endian.u32(bytes, 44)?,
            family: endian.u16(bytes, 48)?,
            protocol: endian.u16(bytes, 50)?,
            local_port: endian.u16(bytes, 52)?,
            remote_port: endian.u16(bytes, 54)?,
            local: bytes.get(56..72)?.try_into().ok()?,
            remote: bytes.get(72..88)?.try_into().ok()?,
            file_system: system.get(..end.unwrap_or(system.len()))?.to_vec(),
            flags: endian.u32(bytes, 104)?,
            text: text.to_vec(),
            watched: Vec::new(),
        };
        Some((object, rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_survive_and_short_or_unknown_ones_are_refused() {
        let object = WaitObject {
            since_ns: 1,
            asked_ns: Some(2),
            number: 3,
            kind: WaitObjectKind::Socket,
            system_call: 4,
            device: 5,
            mode: 6,
            others: 7,
            peer_pid: 8,
            family: 9,
            protocol: 10,
            local_port: 11,
            remote_port: 12,
            local: [13; 16],
            remote: [14; 16],
            file_system: b"sockfs".to_vec(),
            flags: 15,
            text: b"\0abstract".to_vec(),
            watched: Vec::new(),
        };
        let endian = if cfg!(target_endian = "big") {
            Endian::Big
        } else {
            Endian::Little
        };
        let mut bytes = Vec::new();
        object.encode(&mut bytes);
        let whole = bytes.len();
        assert_eq!(whole, WaitObject::HEAD_BYTES + 9);
        bytes.extend_from_slice(&[0; 4]);
        assert_eq!(WaitObject::decode(&bytes, endian), Some(object.clone()));
        assert_eq!(WaitObject::decode(&bytes[..whole - 1], endian), None);
        bytes[24] = 99;
        assert_eq!(WaitObject::decode(&bytes, endian), None);

        for kind in [WaitObjectKind::Epoll, WaitObjectKind::Poll] {
            let several = WaitObject {
                kind,
                text: Vec::new(),
                watched: vec![object.clone(), object.clone()],
                ..WaitObject::decode(&bytes_of_a_futex(), endian).unwrap()
            };
            let mut bytes = Vec::new();
            several.encode(&mut bytes);
            assert_eq!(WaitObject::decode(&bytes, endian), Some(several));
            for cut in 0..bytes.len() {
                assert_eq!(WaitObject::decode(&bytes[..cut], endian), None, "{cut}");
            }
        }
    }

    fn bytes_of_a_futex() -> Vec<u8> {
        let mut bytes = vec![0; WaitObject::HEAD_BYTES];
        bytes[24..28].copy_from_slice(&(WaitObjectKind::Futex as u32).to_ne_bytes());
        bytes
    }
}
