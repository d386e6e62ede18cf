//! The layout that an interpreter describes itself, from version 3.13 on: `_Py_DebugOffsets`,
//! numbers of
//! 8 bytes at the start of `_PyRuntime`, after a cookie.
//!
//! Which number means what differs between versions. Source: the public headers of 3.13.0
//! (`internal/pycore_runtime.h`), 3.14.10 and 3.15.2 (`internal/pycore_debug_offsets.h`).

use super::layouts::{Layout, Runs, Within};
use crate::elf::ElfImage;
use crate::exported::bytes_at;

/// Words that are read; all that matter are within.
const WORDS: u64 = 112;
/// Largest offset that is accepted from an interpreter.
const LARGEST_OFFSET: u64 = 1 << 20;
const COOKIE: &[u8; 8] = b"xdebugpy";

/// What an interpreter says about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Told {
    /// Its version, as `PY_VERSION_HEX`.
    pub(super) version: u64,
    /// Whether it was built to run without the lock: fields of its objects are elsewhere then.
    pub(super) is_free_threaded: bool,
    /// `None` if the version is not known, or a number cannot be true.
    pub(super) layout: Option<Layout>,
}

/// Where the groups of numbers begin in one version, in words.
#[derive(Debug, Clone, Copy)]
struct Groups {
    minor: u32,
    interpreter_gc: usize,
    gil: usize,
    thread_next: usize,
    thread_base: Option<usize>,
    thread_id: usize,
    frame: usize,
    code: usize,
    object_type: usize,
    bytes: usize,
    text: usize,
    /// The size of a text that is not ASCII; `None`: it has two words more than one that is.
    text_other: Option<usize>,
    collecting: usize,
}

const KNOWN: [Groups; 3] = [
    Groups {
        minor: 13,
        interpreter_gc: 10,
        gil: 14,
        thread_next: 21,
        thread_base: None,
        thread_id: 24,
        frame: 29,
        code: 35,
        object_type: 45,
        bytes: 65,
        text: 68,
        text_other: None,
        collecting: 72,
    },
    Groups {
        minor: 14,
        interpreter_gc: 11,
        gil: 15,
        thread_next: 24,
        thread_base: None,
        thread_id: 27,
        frame: 32,
        code: 40,
        object_type: 51,
        bytes: 75,
        text: 78,
        text_other: None,
        collecting: 82,
    },
    Groups {
        minor: 15,
        interpreter_gc: 11,
        gil: 15,
        thread_next: 24,
        thread_base: Some(27),
        thread_id: 30,
        frame: 40,
        code: 48,
        object_type: 59,
        bytes: 87,
        text: 90,
        text_other: Some(93),
        collecting: 95,
    },
];

impl Told {
    /// Reads what the interpreter in a file, whose `_PyRuntime` is at `runtime`, says about itself;
    /// `None`: nothing.
    pub(super) fn read(image: &ElfImage, runtime: u64) -> Option<Self> {
        let bytes = bytes_at(image, runtime, WORDS * 8)?;
        if !bytes.starts_with(COOKIE) {
            return None;
        }
        let words = bytes.chunks_exact(8);
        let words = words.filter_map(|word| word.first_chunk().copied().map(u64::from_le_bytes));
        Self::of(&words.collect::<Vec<u64>>())
    }

    fn of(words: &[u64]) -> Option<Self> {
        let [_, version, free_threaded, ..] = *words else {
            return None;
        };
        let is_free_threaded = free_threaded != 0;
        let minor = u32::try_from(version >> 16 & 0xff).ok()?;
        let known = KNOWN.iter().find(|groups| groups.minor == minor);
        let known = known.filter(|_| version >> 24 == 3 && !is_free_threaded);
        Some(Self {
            version,
            is_free_threaded,
            layout: known.and_then(|groups| groups.layout(words)),
        })
    }
}

impl Groups {
    fn layout(&self, words: &[u64]) -> Option<Layout> {
        let at = |at: usize| {
            let value = words.get(at).copied();
            let value = value.filter(|value| *value < LARGEST_OFFSET)?;
            u32::try_from(value).ok()
        };
        let Self {
            gil, frame, code, ..
        } = *self;
        let text_ascii = at(self.text + 2)?;
        Some(Layout {
            minor: self.minor,
            interpreters: at(5)?,
            interpreter_next: at(8)?,
            interpreter_threads: at(9)?,
            thread_next: at(self.thread_next)?,
            thread_interpreter: at(self.thread_next + 1)?,
            thread_frame: at(self.thread_next + 2)?,
            thread_id: at(self.thread_id)?,
            thread_base: match self.thread_base {
                Some(base) => Some(at(base)?),
                None => None,
            },
            c_frame: None,
            gil: Within::Interpreter(at(gil)?),
            collecting: {
                let of_interpreter = at(self.interpreter_gc)?;
                Within::Interpreter(of_interpreter.checked_add(at(self.collecting)?)?)
            },
            runs: Runs::AfterForeign,
            frame_previous: at(frame)?,
            frame_code: at(frame + 1)?,
            frame_place: at(frame + 2)?,
            frame_kind: at(frame + 4)?,
            code_file: at(code)?,
            code_name: at(code + 2)?,
            code_lines: at(code + 3)?,
            code_first_line: at(code + 4)?,
            code_instructions: at(code + 8)?,
            object_type: at(self.object_type)?,
            bytes_size: at(self.bytes)?,
            bytes_data: at(self.bytes + 1)?,
            text_state: at(self.text)?,
            text_length: at(self.text + 1)?,
            text_ascii,
            text_other: match self.text_other {
                Some(other) => at(other)?,
                None => text_ascii.checked_add(16)?,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What an interpreter of a version would say if each number were eight times its index.
    fn told(minor: u64, free_threaded: u64) -> Option<Told> {
        let mut words: Vec<u64> = (0..112).map(|at| at * 8).collect();
        words[1] = 3 << 24 | minor << 16;
        words[2] = free_threaded;
        Told::of(&words)
    }

    #[test]
    fn the_numbers_of_each_version_are_taken_from_where_it_has_them() {
        let layout = |minor| told(minor, 0).and_then(|told| told.layout);
        let names = |minor| layout(minor).map(|layout| layout.code_name / 8);
        assert_eq!([13, 14, 15].map(names), [Some(37), Some(42), Some(50)]);
        let base = |minor| layout(minor).map(|layout| layout.thread_base);
        assert_eq!([14, 15].map(base), [Some(None), Some(Some(27 * 8))]);
        let gil = layout(15).map(|layout| (layout.gil, layout.collecting));
        let collecting = Within::Interpreter((11 + 95) * 8);
        assert_eq!(gil, Some((Within::Interpreter(15 * 8), collecting)));
    }

    #[test]
    fn what_is_not_known_is_not_guessed() {
        let later = told(16, 0).unwrap();
        assert_eq!((later.layout, later.is_free_threaded), (None, false));
        let free = told(14, 1).unwrap();
        assert_eq!((free.layout, free.is_free_threaded), (None, true));
        let mut words = vec![u64::MAX; 112];
        words[1] = 3 << 24 | 13 << 16;
        words[2] = 0;
        assert_eq!(Told::of(&words).unwrap().layout, None);
        assert_eq!(Told::of(&[0; 2]), None);
    }
}
