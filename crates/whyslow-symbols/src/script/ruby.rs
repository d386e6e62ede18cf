//! Where Ruby keeps things.

/// Where things are in the structures of an interpreter of Ruby.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Bytes of a frame.
    pub frame_bytes: u32,
    /// The entries of the table of lines, in the body of an instruction sequence.
    pub entries: u32,
    /// Bytes of an entry.
    pub entry_bytes: u32,
    /// Where a short text begins.
    pub short_text: u32,
    /// The length of a short text is in its word of flags.
    pub length_in_flags: bool,
    /// What is known of the lock and of the collection of garbage.
    pub runtime: Option<Runtime>,
}

/// Where an interpreter keeps what all its threads share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Runtime {
    /// A thread's place in the queue for the lock, in the thread; what it waits with follows.
    pub queue: u32,
    /// Which thread runs, in what threads share.
    pub running: u32,
    /// The heap, in the machine.
    pub heap: u32,
    /// What the heap does, in the heap.
    pub heap_flags: u32,
}

/// Where the version whose lock was looked at has a thread's place in the queue, and what runs.
const LOCK_OF_3_1: (u32, u32) = (104, 0x208);

/// The bit of the heap's flags that is set while garbage is collected.
const COLLECTS: u8 = 5;

/// So many bytes of the function that says whether garbage is collected are looked at.
pub(super) const DURING_GC_BYTES: u64 = 31;

/// Where the machine has its heap and the heap its flags, from the code of `rb_during_gc`: it loads the machine, its
/// heap, a byte of its flags, and takes a bit of that. Builds of one version differ, as patches move the heap.
fn heap_and_flags(code: &[u8]) -> Option<(u32, u32)> {
    // endbr64, where compilers mark what may be jumped to
    let code = code.strip_prefix(&[0xf3, 0x0f, 0x1e, 0xfa]).unwrap_or(code);
    // mov rax, [rip + …]
    let rest = code.strip_prefix(&[0x48, 0x8b, 0x05])?.get(4..)?;
    // mov rax, [rax], in a library; a program knows the place itself
    let rest = rest.strip_prefix(&[0x48, 0x8b, 0x00]).unwrap_or(rest);
    // mov rax, [rax + heap]
    let rest = rest.strip_prefix(&[0x48, 0x8b, 0x80])?;
    let (heap, rest) = rest.split_first_chunk()?;
    let heap = i32::from_le_bytes(*heap);
    // movzx eax, byte [rax + flags]; shr al, bit; and eax, 1
    let rest = rest.strip_prefix(&[0x0f, 0xb6, 0x40])?;
    let (&flags, rest) = rest.split_first()?;
    let is_bit = rest.starts_with(&[0xc0, 0xe8, COLLECTS, 0x83, 0xe0, 0x01]);
    // The distances have a sign, but neither lies before what it is in.
    let flags = u32::try_from(flags.cast_signed()).ok()?;
    let heap = u32::try_from(heap).ok()?;
    is_bit.then_some((heap, flags))
}

impl Layout {
    /// Returns the layout of a version whose `rb_during_gc` has this code; `None` if it is not known.
    pub fn of(version: (u32, u32), during_gc: &[u8]) -> Option<Self> {
        let (frame_bytes, entries, entry_bytes, short_text) = match version {
            (3, 0) => (56, 120, 8, 16),
            (3, 1) => (64, 120, 12, 16),
            (3, 2) => (64, 112, 12, 24),
            (3, 3 | 4) => (56, 112, 12, 24),
            _ => return None,
        };
        let runtime = || {
            let (queue, running) = (version == (3, 1)).then_some(LOCK_OF_3_1)?;
            let (heap, heap_flags) = heap_and_flags(during_gc)?;
            Some(Runtime {
                queue,
                running,
                heap,
                heap_flags,
            })
        };
        Some(Self {
            frame_bytes,
            entries,
            entry_bytes,
            short_text,
            length_in_flags: version < (3, 2),
            runtime: runtime(),
        })
    }

    /// Where the number of entries is, in the body of an instruction sequence.
    pub fn entry_count(&self) -> u32 {
        self.entries + 16
    }

    /// Where the index of the entries is, in the body of an instruction sequence.
    pub fn index(&self) -> u32 {
        self.entries + 24
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `rb_during_gc` of Debian's Ruby 3.1.
    const CODE: [u8; 27] = [
        0x48, 0x8b, 0x05, 0xa1, 0xf7, 0x2d, 0x00, 0x48, 0x8b, 0x00, 0x48, 0x8b, 0x80, 0x50, 0x04,
        0x00, 0x00, 0x0f, 0xb6, 0x40, 0x10, 0xc0, 0xe8, 0x05, 0x83, 0xe0, 0x01,
    ];

    #[test]
    fn a_build_tells_where_its_heap_is() {
        let runtime = Layout::of((3, 1), &CODE).and_then(|layout| layout.runtime);
        assert_eq!(runtime.map(|of| (of.heap, of.heap_flags)), Some((1104, 16)));
        let mut patched = CODE;
        patched[13] = 0x58;
        let runtime = Layout::of((3, 1), &patched).and_then(|layout| layout.runtime);
        assert_eq!(runtime.map(|of| of.heap), Some(1112));
        // Other compilers mark the begin; a program without the library loads the machine with one instruction.
        let marked = [&[0xf3, 0x0f, 0x1e, 0xfa], &CODE[..]].concat();
        assert_eq!(heap_and_flags(&marked), Some((1104, 16)));
        let own = [&CODE[..7], &CODE[10..]].concat();
        assert_eq!(heap_and_flags(&own), Some((1104, 16)));
    }

    #[test]
    fn other_code_tells_nothing() {
        for at in [0, 7, 10, 17, 21, 23, 24] {
            let mut other = CODE;
            other[at] ^= 1;
            let layout = Layout::of((3, 1), &other).expect("the version is known");
            assert_eq!(layout.runtime, None, "{at}");
        }
        // A place before the machine, and one before the heap.
        for at in [16, 20] {
            let mut other = CODE;
            other[at] = 0x80;
            assert_eq!(heap_and_flags(&other), None, "{at}");
        }
        for end in 0..CODE.len() {
            let layout = Layout::of((3, 1), &CODE[..end]).expect("the version is known");
            assert_eq!(layout.runtime, None, "{end}");
        }
    }
}
