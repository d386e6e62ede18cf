//! A hash map for small integer keys of our own making.

use rustc_hash::FxHashMap;

/// A map with integer keys: row numbers or addresses from one trace. Nobody gains from colliding them, so a
/// multiplication replaces the keyed hash of the standard library.
pub type FastMap<K, V> = FxHashMap<K, V>;
