//! The raw data that the programs write, as seen by the recorder: `struct frames` and `struct code`
//! of `bpf/python.bpf.c`.

/// What one raw sample of the programs says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Payload<'a> {
    /// The process.
    pub pid: u32,
    /// The thread.
    pub tid: u32,
    /// What it is.
    pub event: Event<'a>,
}

/// The kinds of output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event<'a> {
    /// The frames of the thread when its stack was copied: the last stack of that thread in the
    /// same ring.
    Frames(Frames<'a>),
    /// A code object that no frame had before.
    Code(Code<'a>),
    /// The same of Ruby, PHP or Perl.
    Script(ScriptCode<'a>),
}

/// The frames of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frames<'a> {
    /// There are more, further out.
    pub is_cut: bool,
    /// The thread waits for the lock of its interpreter (GIL).
    pub waits_for_gil: bool,
    /// It collects garbage.
    pub collects: bool,
    bytes: &'a [u8],
    awaited: &'a [u8],
}

/// A frame, or only the end of a run of frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    /// The code object's address and a checksum of its contents; `None`: it only ends a run.
    pub code: Option<(u64, u32)>,
    /// Instruction in the code: its number up to version 3.10, else bytes from the first one;
    /// negative: not begun.
    pub place: i32,
    /// The interpreter's evaluation function was called for it, and not again between it and the
    /// frame before (further in).
    pub ends_run: bool,
}

/// A code object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Code<'a> {
    /// Its address.
    pub code: u64,
    /// A checksum of its contents.
    pub sum: u32,
    /// The line it begins at.
    pub first_line: u32,
    /// Its name.
    pub name: Text<'a>,
    /// Its file.
    pub file: Text<'a>,
    /// Its table of lines, perhaps cut.
    pub lines: &'a [u8],
}

/// A code object of Ruby (the body of an instruction sequence), of PHP (a function), or of Perl (the operations of a
/// subroutine or a file).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScriptCode<'a> {
    /// Its address.
    pub code: u64,
    /// The sum of what it holds.
    pub sum: u32,
    /// Its class or package, if that is known; then its name.
    pub name: (&'a [u8], &'a [u8]),
    /// Its file; empty if it is written in C.
    pub file: &'a [u8],
    /// Its lines.
    pub lines: ScriptLines<'a>,
}

/// The lines of a code object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScriptLines<'a> {
    /// Ruby: the entries of its table, perhaps cut, and their index.
    Ruby(&'a [u8], &'a [u8]),
    /// PHP: the first and the last one.
    Php(u32, u32),
    /// Perl: the first one of a subroutine.
    Perl(u32),
    /// Perl: a file, and whether it was required.
    PerlFile(bool),
}

/// A text as the interpreter keeps it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text<'a> {
    state: u32,
    bytes: &'a [u8],
}

/// Numbers of the kinds, and the flags, in `bpf/python.bpf.c`.
const FRAMES: u32 = 1;
const CODE: u32 = 2;
const RUBY_CODE: u32 = 3;
const PHP_CODE: u32 = 4;
const PERL_CODE: u32 = 5;
const IS_CUT: u32 = 1;
const WAITS_FOR_GIL: u32 = 2;
const COLLECTS: u32 = 4;
/// Frames of an event loop that waits, further in than what runs it: `LOOP_DEPTH`.
pub const LOOP_FRAMES: usize = 3;
/// Bytes of `struct frame`.
const FRAME_BYTES: usize = 16;

impl<'a> Payload<'a> {
    /// Reads raw data. `None` if it is too short or of an unknown kind.
    pub fn parse(raw: &'a [u8]) -> Option<Self> {
        let mut fields = Fields(raw);
        let (kind, flags) = (fields.u32()?, fields.u32()?);
        let (pid, tid, _time_ns) = (fields.u32()?, fields.u32()?, fields.u64()?);
        let event = match kind {
            FRAMES => {
                let (count, awaited) = (fields.u32()?, fields.u32()?);
                let mut frames = |count: u32| {
                    let count = usize::try_from(count).ok()?;
                    fields.bytes(count.checked_mul(FRAME_BYTES)?)
                };
                Event::Frames(Frames {
                    is_cut: flags & IS_CUT != 0,
                    waits_for_gil: flags & WAITS_FOR_GIL != 0,
                    collects: flags & COLLECTS != 0,
                    bytes: frames(count)?,
                    awaited: frames(awaited)?,
                })
            }
            CODE => Event::Code(fields.code()?),
            RUBY_CODE | PHP_CODE | PERL_CODE => Event::Script(fields.script(kind)?),
            _ => return None,
        };
        Some(Self { pid, tid, event })
    }
}

impl Frames<'_> {
    /// The frames, the innermost first.
    pub fn iter(&self) -> impl Iterator<Item = Frame> {
        frames(self.bytes)
    }

    /// The frames of coroutines that the event loop awaits, the innermost first. They belong between those of
    /// [`LOOP_FRAMES`] and the others.
    pub fn awaited(&self) -> impl Iterator<Item = Frame> {
        frames(self.awaited).rev()
    }
}

fn frames(bytes: &[u8]) -> impl DoubleEndedIterator<Item = Frame> {
    bytes.chunks_exact(FRAME_BYTES).filter_map(|bytes| {
        let mut fields = Fields(bytes);
        let (code, place, sum) = (fields.u64()?, fields.u32()?, fields.u32()?);
        Some(Frame {
            code: (code != 0).then_some((code, sum & !1)),
            place: place.cast_signed(),
            ends_run: sum & 1 != 0,
        })
    })
}

impl Text<'_> {
    /// The text; what cannot be read is replaced.
    pub fn text(&self) -> String {
        // interned:2, kind:3, compact:1, ascii:1; the kind is the size of a letter.
        let unit = |bytes: &[u8]| match *bytes {
            [a] => u32::from(a),
            [a, b] => u32::from(u16::from_ne_bytes([a, b])),
            [a, b, c, d] => u32::from_ne_bytes([a, b, c, d]),
            _ => 0,
        };
        let size = match self.state >> 2 & 7 {
            1 => 1,
            2 => 2,
            4 => 4,
            _ => return String::new(),
        };
        let letters = self.bytes.chunks_exact(size).map(unit);
        letters
            .map(|letter| char::from_u32(letter).unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect()
    }
}

/// Takes fields off the front.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn bytes(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn u32(&mut self) -> Option<u32> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_ne_bytes(*bytes))
    }

    fn u64(&mut self) -> Option<u64> {
        let (bytes, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_ne_bytes(*bytes))
    }

    /// `struct copied`: the bytes that follow later, and the state.
    fn copied(&mut self) -> Option<(usize, u32)> {
        let (_whole, bytes) = (self.u32()?, self.u32()?);
        let (state, _) = (self.u32()?, self.u32()?);
        Some((usize::try_from(bytes).ok()?, state))
    }

    fn script(&mut self, kind: u32) -> Option<ScriptCode<'a>> {
        let (code, sum, first_line) = (self.u64()?, self.u32()?, self.u32()?);
        // `struct copied`: where the class ends; the last line, or of a file whether it was required; the bytes of
        // the index.
        let [of_class, name] = [self.u32()?, self.u32()?];
        let [_, _, _, file] = [self.u32()?, self.u32()?, self.u32()?, self.u32()?];
        let [_, _, last_line, entries] = [self.u32()?, self.u32()?, self.u32()?, self.u32()?];
        let [index, _] = [self.u32()?, self.u32()?];
        let mut take = |bytes: u32| self.bytes(usize::try_from(bytes).ok()?);
        let name = take(name)?;
        let of_class = match kind {
            RUBY_CODE => 0,
            _ => usize::try_from(of_class).ok()?,
        };
        Some(ScriptCode {
            code,
            sum,
            name: name.split_at_checked(of_class)?,
            file: take(file)?,
            lines: match kind {
                RUBY_CODE => ScriptLines::Ruby(take(entries)?, take(index)?),
                PERL_CODE if name.is_empty() => ScriptLines::PerlFile(last_line != 0),
                PERL_CODE => ScriptLines::Perl(first_line),
                _ => ScriptLines::Php(first_line, last_line),
            },
        })
    }

    fn code(&mut self) -> Option<Code<'a>> {
        let (code, sum, first_line) = (self.u64()?, self.u32()?, self.u32()?);
        let [name, file, lines] = [self.copied()?, self.copied()?, self.copied()?];
        let mut text = |(length, state)| {
            let bytes = self.bytes(length)?;
            Some(Text { state, bytes })
        };
        let (name, file) = (text(name)?, text(file)?);
        Some(Code {
            code,
            sum,
            first_line,
            name,
            file,
            lines: self.bytes(lines.0)?,
        })
    }
}
