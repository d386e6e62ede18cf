//! What questions take: arguments of their own, described as data, and text filters, sizes and times as people
//! write them.

#![forbid(unsafe_code)]

pub mod argument;
pub mod pattern;
pub mod size;
