//! The runtime of one process: where its list of goroutines is.

use std::ops::Range;

use whyslow_symbols::go::GoImage;
use whyslow_symbols::jvm::Memory;

use crate::goroutine::{Goroutine, Parsed};
use crate::layouts::Layout;

/// Goroutines that one look reads; of more, every second, fourth … is read.
pub(crate) const MOST_READ: usize = 1024;
/// More goroutines than this are not believed.
const MOST_GOROUTINES: u64 = 1 << 28;
/// Structures that lie so near to each other are read together.
const NEAR_BYTES: u64 = 1024;
/// Most bytes that are read together.
const MOST_TOGETHER: usize = 64 << 10;
/// Pieces of the list that one look reads.
const PIECE: usize = 4096;

/// Why there are no goroutines to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoRuntime {
    /// The runtime has not begun, or the process is gone.
    NotYet,
    /// The structures are not as those of the versions that are known.
    Unknown,
    /// The version is older than all that are known.
    TooOld,
}

/// A runtime whose goroutines can be read.
#[derive(Debug, Clone)]
pub struct Runtime {
    /// Where the list is: its address, its length and its room.
    list: u64,
    layout: Layout,
}

/// The goroutines of a look.
#[derive(Debug, Default)]
pub(crate) struct Listed {
    /// Each with where its structure is.
    pub(crate) all: Vec<(u64, Goroutine)>,
    /// How many each represents.
    pub(crate) stands_for: u32,
}

impl Runtime {
    /// Finds the list of goroutines of a process, whose addresses are those of the file plus `bias`.
    ///
    /// # Errors
    /// [`NoRuntime`].
    pub fn find(memory: &dyn Memory, image: &GoImage, bias: u64) -> Result<Self, NoRuntime> {
        let layout = Layout::of(image.minor()).ok_or(NoRuntime::TooOld)?;
        let mut has_list = false;
        for &place in image.list_places() {
            let runtime = Self {
                list: place.wrapping_add(bias),
                layout,
            };
            match runtime.is_one(memory) {
                Some(true) => return Ok(runtime),
                Some(false) => has_list = true,
                None => {}
            }
        }
        Err(if has_list {
            NoRuntime::Unknown
        } else {
            NoRuntime::NotYet
        })
    }

    /// Whether the list begins with the goroutine that runs `main`; `None`: it is empty, or no list at all.
    fn is_one(&self, memory: &dyn Memory) -> Option<bool> {
        let (list, _) = self.extent(memory)?;
        let first = read_words(memory, list, 1)?.first().copied()?;
        let mut bytes = [0; Layout::MOST_BYTES];
        let bytes = bytes.get_mut(..self.layout.size)?;
        memory.read(first, bytes)?;
        let parsed = Goroutine::parse(&self.layout, first, bytes);
        Some(matches!(parsed, Parsed::Alive(goroutine) if goroutine.id == 1))
    }

    /// Returns where the list is and how many entries it has.
    fn extent(&self, memory: &dyn Memory) -> Option<(u64, u64)> {
        let words = read_words(memory, self.list, 3)?;
        let &[list, length, room] = words.as_slice() else {
            return None;
        };
        let is_list = list != 0 && list.is_multiple_of(8) && length != 0 && length <= room;
        (is_list && room <= MOST_GOROUTINES).then_some((list, length))
    }

    /// Reads all goroutines that are alive, or of very many a part; `None`: the process is gone.
    pub(crate) fn read(&self, memory: &dyn Memory) -> Option<Listed> {
        let (list, length) = self.extent(memory)?;
        let step = length.div_ceil(MOST_READ as u64).next_power_of_two();
        let mut addresses = list_of(memory, list, length, step)?;
        addresses.sort_unstable();
        addresses.dedup();
        let mut listed = Listed {
            all: Vec::new(),
            stands_for: u32::try_from(step).unwrap_or(u32::MAX),
        };
        let mut rest = addresses.as_slice();
        let mut bytes = Vec::new();
        while let Some(together) = self.next_together(&mut rest) {
            let (Some(&first), Some(&last)) = (together.first(), together.last()) else {
                break;
            };
            bytes.clear();
            bytes.resize(usize::try_from(last - first).ok()? + self.layout.size, 0);
            // A hole between two of them: none of them can be read. This does not happen, for they lie in
            // the heap of the runtime.
            if memory.read(first, &mut bytes).is_none() {
                continue;
            }
            for &address in together {
                let at = usize::try_from(address - first).ok()?;
                let of = bytes.get(at..at + self.layout.size)?;
                if let Parsed::Alive(goroutine) = Goroutine::parse(&self.layout, address, of) {
                    listed.all.push((address, goroutine));
                }
            }
        }
        Some(listed)
    }

    /// Takes those addresses that lie near to each other off the front.
    fn next_together<'a>(&self, rest: &mut &'a [u64]) -> Option<&'a [u64]> {
        let &first = rest.first()?;
        let reach = first.saturating_add((MOST_TOGETHER - self.layout.size) as u64);
        let mut end = 1;
        let mut last = first;
        while let Some(&next) = rest.get(end) {
            if next > reach || next - last > NEAR_BYTES {
                break;
            }
            (last, end) = (next, end + 1);
        }
        let (together, after) = rest.split_at(end);
        *rest = after;
        Some(together)
    }

    /// Reads one goroutine again.
    pub(crate) fn again(&self, memory: &dyn Memory, address: u64) -> Option<Goroutine> {
        let mut bytes = [0; Layout::MOST_BYTES];
        let bytes = bytes.get_mut(..self.layout.size)?;
        memory.read(address, bytes)?;
        match Goroutine::parse(&self.layout, address, bytes) {
            Parsed::Alive(goroutine) => Some(goroutine),
            Parsed::Dead | Parsed::Odd => None,
        }
    }
}

/// Reads every `step`th entry of the list, always including the first.
fn list_of(memory: &dyn Memory, list: u64, length: u64, step: u64) -> Option<Vec<u64>> {
    let mut found = Vec::new();
    if step == 1 {
        let length = usize::try_from(length).ok()?;
        let mut at = Range {
            start: 0,
            end: length,
        };
        while !at.is_empty() {
            let count = at.len().min(PIECE);
            let from = list.checked_add(at.start as u64 * 8)?;
            found.extend(read_words(memory, from, count)?);
            at.start += count;
        }
    } else {
        for number in (0..length).step_by(usize::try_from(step).ok()?) {
            let from = list.checked_add(number * 8)?;
            found.extend(read_words(memory, from, 1)?);
        }
    }
    found.retain(|&address| address != 0 && address.is_multiple_of(8));
    Some(found)
}

fn read_words(memory: &dyn Memory, address: u64, count: usize) -> Option<Vec<u64>> {
    let mut bytes = vec![0; count.checked_mul(8)?];
    memory.read(address, &mut bytes)?;
    let words = bytes.chunks_exact(8);
    let words = words.filter_map(|word| word.first_chunk().copied());
    Some(words.map(u64::from_le_bytes).collect())
}
