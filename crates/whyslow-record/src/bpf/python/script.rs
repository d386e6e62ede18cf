//! What the programs are told of an interpreter of Ruby or PHP: `struct script` of `bpf/scripts.h`.

use whyslow_symbols::script::{PhpLayout, RubyLayout, State};

pub(super) use whyslow_symbols::script::Interpreter;

/// `struct script`.
pub(super) type Words = [u64; 10];

/// `enum languages`.
const RUBY: u32 = 1;
const PHP: u32 = 2;

/// Returns what the programs are told, of an interpreter whose addresses are shifted by `bias`.
pub(super) fn words(state: &State, bias: u64) -> Words {
    let (at, place, halves) = match state {
        State::Ruby { at, place, layout } => {
            (at, place.unwrap_or(0), of_ruby(layout, place.is_none()))
        }
        State::Php { at, layout } => (at, 0, of_php(layout)),
    };
    let mut words = [0; 10];
    let (pairs, _) = halves.as_chunks::<2>();
    let pairs = pairs
        .iter()
        .map(|[low, high]| u64::from(*low) | u64::from(*high) << 32);
    let all = [at.wrapping_add(bias), place].into_iter().chain(pairs);
    for (word, value) in words.iter_mut().zip(all) {
        *word = value;
    }
    words
}

fn of_ruby(layout: &RubyLayout, is_distance: bool) -> [u32; 16] {
    let runtime = layout.runtime.as_ref();
    let [queue, running, heap, heap_flags] =
        runtime.map_or([0; 4], |of| [of.queue, of.running, of.heap, of.heap_flags]);
    [
        RUBY,
        is_distance.into(),
        layout.frame_bytes,
        layout.entries,
        layout.entry_count(),
        layout.entry_bytes,
        layout.index(),
        layout.short_text,
        layout.length_in_flags.into(),
        queue,
        running,
        heap,
        heap_flags,
        0,
        0,
        0,
    ]
}

fn of_php(layout: &PhpLayout) -> [u32; 16] {
    let mut halves = [0; 16];
    halves[0] = PHP;
    halves[13] = layout.file;
    halves[14] = layout.first_line();
    halves
}
