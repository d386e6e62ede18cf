//! What the eBPF programs are told of an interpreter of Ruby, PHP or Perl: `struct script` of the recorder's
//! `bpf/scripts.h`.

use whyslow_symbols::script::{PerlLayout, PhpLayout, RubyLayout, State};

/// `struct script`.
pub type Words = [u64; 13];

/// `enum languages`.
const RUBY: u32 = 1;
const PHP: u32 = 2;
const PERL: u32 = 3;

/// Returns what the programs are told, of an interpreter whose addresses are shifted by `bias`.
pub fn words(state: &State, bias: u64) -> Words {
    let shifted = |at: u64| at.wrapping_add(bias);
    let (at, place, halves, functions) = match state {
        State::Ruby { at, place, layout } => {
            let halves = of_ruby(layout, place.is_none());
            (at, place.unwrap_or(0), halves, [0; 3])
        }
        State::Php { at, layout } => (at, 0, of_php(layout), [0; 3]),
        State::Perl {
            at,
            number,
            functions,
            layout,
        } => {
            let functions = functions.map(shifted);
            (at, shifted(*number), of_perl(layout), functions)
        }
    };
    let mut words = [0; 13];
    let (pairs, _) = halves.as_chunks::<2>();
    let pairs = pairs
        .iter()
        .map(|[low, high]| u64::from(*low) | u64::from(*high) << 32);
    let all = [shifted(*at), place].into_iter().chain(pairs);
    for (word, value) in words.iter_mut().zip(all.chain(functions)) {
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

fn of_perl(layout: &PerlLayout) -> [u32; 16] {
    let mut halves = [0; 16];
    halves[0] = PERL;
    halves[15] = layout.name_is_behind_table.into();
    halves
}
