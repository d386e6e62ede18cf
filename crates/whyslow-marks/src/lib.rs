//! What programs say about themselves while they are recorded: marks, and the time that they measured.
//!
//! [`spelling`] is how a mark is written as the name of a file that cannot exist, and read again; [`value`] is the
//! number that a mark may have. [`Measured`] is where a program's own figure comes from, and [`Output`] passes on what a
//! program prints while it is searched for that figure.

mod figure;
#[cfg(target_os = "linux")]
mod output;
pub mod spelling;
mod value;

pub use figure::{Measured, Told, TookMark};
#[cfg(target_os = "linux")]
pub use output::Output;
pub use value::{named_number, value};
