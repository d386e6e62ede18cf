//! One event as the trace holds it, borrowed from its buffer.

use crate::bytes::{size, u8_at, u16_at, u32_at, u64_at};
use crate::extended::{self, Items};
use crate::guid::Guid;
use crate::head::{Head, HeaderKind, MessageLayout};
use crate::pointer::{PointerSize, Pointers};

/// Offset of the extended items, or else of the payload, in an event header.
const EVENT_BYTES: usize = 80;

/// One event.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a> {
    /// File offset of its header; of its buffer if that is compressed.
    pub offset: u64,
    /// The processor whose buffer it is in; 0 if the session had one stream for all.
    pub cpu: u16,
    /// Raw time stamp, for [`Clock`](crate::Clock). An event without one, or with one that cannot
    /// be right, has that of the event before it in its buffer.
    pub raw_time: i64,
    /// Whether a later event was delivered before it, because its buffer is not in order.
    pub late: bool,
    head: Head,
    bytes: &'a [u8],
    payload_at: usize,
}

/// The identity of an event, in the form of its header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Identity {
    /// An event of the kernel.
    Kernel {
        /// The group, which identifies a class, such as 3 for processes.
        group: u8,
        /// The kind of event within the group.
        opcode: u8,
        /// Version of the payload's layout.
        version: u16,
    },
    /// A classic event.
    Classic {
        /// The class.
        class: Guid,
        /// The kind of event within the class.
        opcode: u8,
        /// Version of the payload's layout.
        version: u16,
        /// Severity: 1 critical to 5 verbose.
        level: u8,
    },
    /// An event of a manifest, an event source or `TraceLogging`.
    Event(Descriptor),
    /// A message of the trace preprocessor; its text is in the program's symbols.
    Message {
        /// The source file's GUID, or the component's number in its first four bytes.
        source: Guid,
        /// Number of the message within it.
        number: u16,
    },
    /// A placeholder of an event that failed.
    Error,
}

/// The identity of an event of a manifest (`EVENT_DESCRIPTOR`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the words of the manifest")]
pub struct Descriptor {
    pub provider: Guid,
    pub id: u16,
    pub version: u8,
    pub channel: u8,
    pub level: u8,
    pub opcode: u8,
    pub task: u16,
    pub keyword: u64,
}

impl<'a> Record<'a> {
    /// Takes the bytes of an event and the head read from them; also returns whether its extended
    /// items are sound.
    #[inline]
    pub(crate) fn new(head: Head, bytes: &'a [u8]) -> (Self, bool) {
        let (payload_at, sound) = payload_at(&head, bytes);
        let record = Self {
            offset: 0,
            cpu: 0,
            raw_time: head.time.unwrap_or(0),
            late: false,
            head,
            bytes,
            payload_at,
        };
        (record, sound)
    }

    /// Returns the shape of its header.
    #[inline]
    pub fn kind(&self) -> HeaderKind {
        self.head.kind
    }

    /// Returns the size of the pointers in its payload: that of the kernel or process that logged
    /// it.
    #[inline]
    pub fn pointer_size(&self) -> PointerSize {
        self.head.pointer
    }

    /// Returns all its bytes, header and payload.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the payload.
    #[inline]
    pub fn payload(&self) -> &'a [u8] {
        self.bytes.get(self.payload_at..).unwrap_or_default()
    }

    /// Returns the extended data items.
    pub fn extended(&self) -> Items<'a> {
        if self.kind() != HeaderKind::Event {
            return Items::default();
        }
        let items = self.bytes.get(EVENT_BYTES..self.payload_at);
        Items::new(items.unwrap_or_default())
    }

    /// Returns the identity of the event.
    #[inline]
    pub fn identity(&self) -> Identity {
        match self.kind() {
            HeaderKind::System | HeaderKind::Compact => self.kernel(self.u16(0)),
            // The upper byte describes counters.
            HeaderKind::PerfInfo => self.kernel(self.u16(0) & 0xff),
            HeaderKind::Full | HeaderKind::Instance => Identity::Classic {
                class: self.guid(0x18),
                opcode: self.u8(4),
                version: self.u16(6),
                level: self.u8(5),
            },
            HeaderKind::Event => Identity::Event(self.descriptor()),
            HeaderKind::Message => self.message(),
            HeaderKind::Error => Identity::Error,
        }
    }

    /// Returns the thread that logged it; `None` if the header does not say. Kernel events may
    /// happen while any thread runs: their payload is more reliable.
    #[inline]
    pub fn thread_id(&self) -> Option<u32> {
        self.id_at(0)
    }

    /// Returns the process that logged it; see [`Record::thread_id`].
    #[inline]
    pub fn process_id(&self) -> Option<u32> {
        self.id_at(4)
    }

    /// Returns the activity it belongs to; `None` if there is none.
    pub fn activity(&self) -> Option<Guid> {
        let is_event = self.kind() == HeaderKind::Event;
        let guid = is_event.then(|| self.guid(0x40))?;
        (!guid.is_zero()).then_some(guid)
    }

    /// Returns processor time of the thread in kernel and user mode, in periods of the timer;
    /// `None` if the header has none.
    pub fn processor_times(&self) -> Option<(u32, u32)> {
        let at = match self.kind() {
            HeaderKind::System => 0x18,
            HeaderKind::Full => 0x28,
            HeaderKind::Instance if self.has_long_instance() => 0x28,
            HeaderKind::Event => 0x38,
            _ => return None,
        };
        Some((self.u32(at), self.u32(at + 4)))
    }

    /// Returns the ids of its instance and of the parent instance, if the header has them.
    pub fn instance(&self) -> Option<(u32, u32)> {
        let at = match self.kind() {
            HeaderKind::Instance if self.has_long_instance() => 0x30,
            HeaderKind::Instance => 0x20,
            _ => return None,
        };
        Some((self.u32(at), self.u32(at + 4)))
    }

    /// Returns the performance counters in the header of a kernel event.
    pub fn counters(&self) -> Option<Pointers<'a>> {
        if self.kind() != HeaderKind::PerfInfo {
            return None;
        }
        let (first, end) = counter_range(self.u16(0));
        let bytes = self.bytes.get(first..end)?;
        (!bytes.is_empty()).then(|| Pointers::new(bytes, PointerSize::Eight))
    }

    fn has_long_instance(&self) -> bool {
        self.bytes.len() >= 72
    }

    fn kernel(&self, version: u16) -> Identity {
        let hook = match self.kind() {
            HeaderKind::System | HeaderKind::Compact | HeaderKind::PerfInfo => self.u16(6),
            _ => 0,
        };
        let [opcode, group] = hook.to_le_bytes();
        Identity::Kernel {
            group,
            opcode,
            version,
        }
    }

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            provider: self.guid(0x18),
            id: self.u16(0x28),
            version: self.u8(0x2a),
            channel: self.u8(0x2b),
            level: self.u8(0x2c),
            opcode: self.u8(0x2d),
            task: self.u16(0x2e),
            keyword: u64_at(self.bytes, 0x30).unwrap_or(0),
        }
    }

    fn message(&self) -> Identity {
        let layout = MessageLayout::new(self.u16(6));
        let mut source = Guid::default();
        if let Some(at) = layout.guid {
            source = self.guid(usize::from(at));
        } else if let Some(at) = layout.component {
            source = Guid::new(self.u32(usize::from(at)), 0, 0, [0; 8]);
        }
        Identity::Message {
            source,
            number: self.u16(4),
        }
    }

    fn id_at(&self, shift: usize) -> Option<u32> {
        let at = match self.kind() {
            HeaderKind::PerfInfo | HeaderKind::Error => return None,
            HeaderKind::Message => usize::from(MessageLayout::new(self.u16(6)).ids?),
            _ => 8,
        };
        let id = u32_at(self.bytes, at + shift)?;
        (id != u32::MAX).then_some(id)
    }

    // The head was read from these bytes, so its fields exist.

    fn u8(&self, at: usize) -> u8 {
        u8_at(self.bytes, at).unwrap_or(0)
    }

    #[inline]
    fn u16(&self, at: usize) -> u16 {
        u16_at(self.bytes, at).unwrap_or(0)
    }

    fn u32(&self, at: usize) -> u32 {
        u32_at(self.bytes, at).unwrap_or(0)
    }

    #[inline]
    fn guid(&self, at: usize) -> Guid {
        Guid::read(self.bytes, at).unwrap_or_default()
    }
}

/// Where the counters in the header of a kernel event are: if bit 15 of the version is set, an
/// index of precise sampling comes before them; bits 8 to 10 are their number.
fn counter_range(version: u16) -> (usize, usize) {
    let first = 16 + 8 * usize::from(version >> 15);
    (first, first + 8 * usize::from(version >> 8 & 7))
}

#[inline]
fn payload_at(head: &Head, bytes: &[u8]) -> (usize, bool) {
    let at = match head.kind {
        HeaderKind::System => 32,
        HeaderKind::Compact => 24,
        HeaderKind::PerfInfo => counter_range(u16_at(bytes, 0).unwrap_or(0)).1,
        HeaderKind::Full => 48,
        HeaderKind::Instance if head.size >= 72 => 72,
        HeaderKind::Instance => 56,
        HeaderKind::Message => usize::from(MessageLayout::new(u16_at(bytes, 6).unwrap_or(0)).end),
        HeaderKind::Error => 8,
        HeaderKind::Event => {
            if u16_at(bytes, 4).unwrap_or(0) & 1 == 0 {
                return (EVENT_BYTES, true);
            }
            let items = bytes.get(EVENT_BYTES..).unwrap_or_default();
            let (length, sound) = extended::measure(items);
            return (EVENT_BYTES + length, sound);
        }
    };
    let end = size(head.size);
    (at.min(end), at <= end)
}
