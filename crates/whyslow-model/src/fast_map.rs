//! A hash map for small integer keys that we generate ourselves.

use rustc_hash::FxHashMap;

/// A map with integer keys: row numbers or addresses from one trace. Nobody gains from making them
/// collide, so a multiplication replaces the keyed hash of the standard library.
pub type FastMap<K, V> = FxHashMap<K, V>;
