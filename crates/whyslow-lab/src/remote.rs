//! The cases on network file systems, with clients of our own.

mod deeds;
pub mod dialects;
mod series;

pub use series::series;
pub(crate) use series::served;
