//! One piece of generated code.

use std::collections::HashMap;
use std::sync::Arc;

use super::code_frame::CodeFrame;
use super::layout::{CodeStart, Layout};
use super::scopes::{Inlined, Scopes};
use crate::process_memory::{Memory, pointer, text};

/// Longest name of a blob that matters.
const MOST_NAME: usize = 64;
/// Largest blob, and largest frame in words.
const MOST_BYTES: u64 = 64 << 20;
const MOST_WORDS: u64 = 1 << 20;
/// Places of one method whose inlined methods are kept.
const MOST_PLACES: usize = 256;

/// A piece of code.
#[derive(Debug)]
pub(super) struct Blob {
    pub(super) start: u64,
    pub(super) end: u64,
    code: u64,
    /// From here on the frame is complete.
    pub(super) complete: u64,
    pub(super) frame: CodeFrame,
    /// Its name, if it is not a method.
    pub(super) name: Option<Arc<str>>,
    /// The method that was compiled; 0: it is another piece of code.
    method: u64,
    scopes: Option<Scopes>,
    places: HashMap<(u64, bool), Arc<[Inlined]>>,
    /// When it was looked at last.
    pub(super) checked_ns: u64,
}

/// The beginning of a blob.
struct Head(Vec<u8>);

impl Head {
    fn read(memory: &dyn Memory, layout: &Layout, start: u64) -> Option<Self> {
        let mut bytes = vec![0; layout.compiled_bytes];
        memory.read(start, &mut bytes)?;
        Some(Self(bytes))
    }

    fn method(&self, layout: &Layout) -> Option<u64> {
        layout.compiled_method.of(&self.0)
    }
}

impl Blob {
    /// Reads the blob at `start`.
    pub(super) fn read(memory: &dyn Memory, layout: &Layout, start: u64) -> Option<Self> {
        let head = Head::read(memory, layout, start)?;
        let bytes = layout.blob_size.of(&head.0)?;
        let words = layout.blob_frame_words.of(&head.0)?;
        if bytes == 0 || bytes > MOST_BYTES {
            return None;
        }
        let code = match layout.blob_code {
            CodeStart::Pointer(field) => field.of(&head.0)?,
            CodeStart::Offset(field) => start.wrapping_add(field.of(&head.0)?),
        };
        let name = pointer_text(memory, layout.blob_name.of(&head.0)?)?;
        let is_method = name.ends_with("nmethod");
        let method = match is_method {
            true => head.method(layout)?,
            false => 0,
        };
        let complete = layout.blob_complete.of(&head.0)?;
        let scopes = is_method.then(|| Scopes::read(memory, layout, start, &head.0));
        Some(Self {
            start,
            end: start.wrapping_add(bytes),
            code,
            // Negative numbers mean never.
            complete: match complete < bytes {
                true => code.wrapping_add(complete),
                false => code,
            },
            frame: frame(&name, words)?,
            name: (!is_method).then(|| name.as_str().into()),
            method,
            scopes: scopes.flatten(),
            places: HashMap::new(),
            checked_ns: 0,
        })
    }

    /// Returns how many bytes of tables it holds.
    pub(super) fn bytes(&self) -> usize {
        self.scopes.as_ref().map_or(0, Scopes::bytes)
    }

    /// Returns whether it is still the same piece of code.
    pub(super) fn is_current(&self, memory: &dyn Memory, layout: &Layout) -> bool {
        let is_same = |head: Head| {
            let bytes = layout.blob_size.of(&head.0);
            let method = head.method(layout).filter(|_| self.method != 0);
            bytes == Some(self.end.wrapping_sub(self.start)) && method.unwrap_or(0) == self.method
        };
        Head::read(memory, layout, self.start).is_some_and(is_same)
    }

    /// Returns the methods at an address, innermost first; empty if it is not a method.
    pub(super) fn methods(
        &mut self,
        memory: &dyn Memory,
        address: u64,
        is_leaf: bool,
    ) -> Arc<[Inlined]> {
        if self.method == 0 {
            return Arc::new([]);
        }
        if let Some(known) = self.places.get(&(address, is_leaf)) {
            return Arc::clone(known);
        }
        let offset = address.wrapping_sub(self.code);
        let scopes = self.scopes.as_ref();
        let found = scopes.and_then(|scopes| scopes.at(memory, (offset, is_leaf), self.method));
        let only = || {
            vec![Inlined {
                method: self.method,
                bytecode: None,
            }]
        };
        let methods: Arc<[Inlined]> = found.unwrap_or_else(only).into();
        if self.places.len() >= MOST_PLACES {
            self.places.clear();
        }
        self.places.insert((address, is_leaf), Arc::clone(&methods));
        methods
    }
}

fn pointer_text(memory: &dyn Memory, address: u64) -> Option<String> {
    match address {
        0 => None,
        address => text(memory, address, MOST_NAME),
    }
}

/// Returns how the frames of a blob look; `None`: it cannot be one.
fn frame(name: &str, words: u64) -> Option<CodeFrame> {
    Some(match words {
        _ if name == "Interpreter" => CodeFrame::Interpreted,
        // Return address and frame pointer are part of it.
        2..MOST_WORDS => CodeFrame::Sized { bytes: 8 * words },
        0 | 1 if name.contains("adapter") || name.contains("table") => CodeFrame::Bare,
        0 | 1 => CodeFrame::FramePointer,
        _ => return None,
    })
}

/// Returns where a heap's block that an address is in begins: each segment before it says how far back
/// the beginning is, at most as far as a byte can say.
pub(super) fn block_start(memory: &dyn Memory, segments: u64, mut segment: u64) -> Option<u64> {
    const FREE: u8 = 0xff;
    const MOST_PARTS: usize = 512;
    let mut part = [0; 256];
    for _ in 0..MOST_PARTS {
        // A part of the map that ends with this segment.
        let first = segment.saturating_sub(part.len() as u64 - 1);
        let length = usize::try_from(segment - first + 1).ok()?;
        memory.read(segments.wrapping_add(first), part.get_mut(..length)?)?;
        while segment >= first {
            match *part.get(usize::try_from(segment - first).ok()?)? {
                FREE => return None,
                0 => return Some(segment),
                back => segment = segment.checked_sub(u64::from(back))?,
            }
        }
    }
    None
}

/// Returns the pointer of a list's element.
pub(super) fn element(memory: &dyn Memory, data: u64, index: u64) -> Option<u64> {
    pointer(memory, data.wrapping_add(8 * index))
}
