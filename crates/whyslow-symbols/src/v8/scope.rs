//! What the scope of a function contains: its name and its position in the source.
//!
//! A scope is a list of words after the map:
//!
//! ```text
//! flags, parameters, locals (n), [start, end,] [variables of the module,]
//! names of the locals (n, or one table of many), what they are (n),
//! [variable of the class,] [name, its place,] [name that was guessed,] [start, end,] scope around it
//! ```
//!
//! Before V8 13, start and end come before the scope around it, later before the names. Flags that
//! differ between versions, and the words themselves, decide which of the optional words are present.

use super::heap::{Heap, Kinds, small_number};

/// Locals from which on their names are in a table.
const MANY_LOCALS: u64 = 75;
/// Locals of a scope that is looked at.
const MOST_LOCALS: u64 = 16 << 10;
/// Words after the locals that are looked at.
const MOST_WORDS: usize = 10;
/// Longest name that is kept, in letters.
const MOST_NAME: u64 = 1024;
/// The usual place of the names where start and end follow them.
const LATE_POSITIONS: u64 = 3;

/// A function, as its scope describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Scope {
    /// Its name, else one guessed from what it was assigned to; empty: neither.
    pub(super) name: String,
    /// First position in the source, and the one after the last.
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Scope {
    /// Reads the scope `object`.
    pub(super) fn read(heap: Heap<'_>, kinds: &mut Kinds, object: u64) -> Option<Self> {
        let layout = heap.layout;
        if !heap.is(kinds, object, layout.scope_kind) {
            return None;
        }
        let at = |index: u64| 8 * (1 + index);
        let n_locals = small_number(heap.word(object, at(layout.scope_n_locals))?)?;
        let n_locals = u64::try_from(n_locals).ok()?;
        if n_locals > MOST_LOCALS {
            return None;
        }
        let mut first = layout.scope_locals;
        // A module has one more word, a number, where the names begin.
        let is_name = |word| small_number(word).is_none();
        if n_locals > 0 && !is_name(heap.word(object, at(first))?) {
            first += 1;
        }
        let names = if n_locals < MANY_LOCALS { n_locals } else { 1 };
        // What follows the scope may not be readable.
        let rest = (2..=MOST_WORDS).rev();
        let mut rest = rest.filter_map(|n| heap.words(object, at(first + names + n_locals), n));
        let rest = rest.next()?;
        let around = rest.iter().position(|&word| {
            let is_scope = heap.is(kinds, word, layout.scope_kind);
            is_scope && small_number(word).is_none()
        });
        let (names, positions) = match layout.scope_locals {
            LATE_POSITIONS => {
                let end = around.or_else(|| end_of_outermost(heap, kinds, &rest))?;
                let (names, positions) = rest.get(..end)?.split_at_checked(end.checked_sub(2)?)?;
                (names, positions.to_vec())
            }
            _ => {
                let positions = heap.words(object, at(layout.scope_locals.checked_sub(2)?), 2)?;
                (rest.get(..around.unwrap_or(0))?, positions)
            }
        };
        let position = |at: usize| {
            let number = small_number(*positions.get(at)?)?;
            u32::try_from(number).ok()
        };
        let (start, end) = (position(0)?, position(1)?);
        (start <= end).then(|| Self {
            name: name(heap, kinds, names),
            start,
            end,
        })
    }
}

/// Returns where start and end end, of a scope with none around it: they are the last numbers in a row.
fn end_of_outermost(heap: Heap<'_>, kinds: &mut Kinds, words: &[u64]) -> Option<usize> {
    let is_object = |word: u64, kinds: &mut Kinds| heap.kind(kinds, word).is_some();
    let numbers = words.windows(2).position(|pair| {
        let [Some(start), Some(end)] = [pair[0], pair[1]].map(small_number) else {
            return false;
        };
        start >= 0 && end > start
    })?;
    let end = numbers + 2;
    let behind = *words.get(end)?;
    (small_number(behind).is_none() && is_object(behind, kinds)).then_some(end)
}

/// Finds the name: before the place of its variable, else the last word is one that was guessed.
fn name(heap: Heap<'_>, kinds: &mut Kinds, words: &[u64]) -> String {
    let mut words = words;
    let mut guessed = None;
    if let Some((&last, before)) = words.split_last()
        && small_number(last).is_none()
    {
        guessed = heap.text(kinds, last, MOST_NAME);
        words = before;
    }
    let own = match *words {
        [.., name, place] if small_number(place).is_some() => heap.text(kinds, name, MOST_NAME),
        _ => None,
    };
    let known = own.filter(|name| !name.is_empty());
    known.or(guessed).unwrap_or_default()
}
