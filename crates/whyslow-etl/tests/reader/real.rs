//! Real traces.
