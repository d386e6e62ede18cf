//! What questions take: arguments of their own, described as data, and text filters, comparisons, sizes and times as
//! people write them; which word was meant where one is not known.

#![forbid(unsafe_code)]

pub mod argument;
pub mod comparison;
pub mod likeness;
pub mod pattern;
pub mod size;
