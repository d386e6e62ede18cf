//! What is known about Python interpreters (CPython): where they keep the frames of their threads,
//! and how their code objects encode lines.
//!
//! Nothing here reads a process. Code that does needs an [`Interpreter`], from the file that holds
//! one, and [`Lines`], from the table of a code object.
//!
//! The layouts of versions 3.8 to 3.12 are a table that a program compiled against each version's
//! public headers prints (`layouts/generate`); they do not change within a minor version. From 3.13
//! on the interpreter describes its layout itself (`_Py_DebugOffsets`), which is read from the
//! file.

mod awaits;
mod image;
mod layouts;
mod lines;
mod told;

pub use awaits::{Awaits, Top};
pub use image::{Interpreter, NoInterpreter};
pub use layouts::{Layout, Runs, Within};
pub use lines::Lines;
