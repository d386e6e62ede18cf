//! What is known of interpreters of Ruby (MRI), PHP and Perl: where they keep the frames of their threads, and
//! how a Ruby method tells its lines.
//!
//! Nothing here reads a process. Whoever does needs an [`Interpreter`], from the file that holds one, and for
//! Ruby [`RubyLines`], from the tables of an instruction sequence.
//!
//! No language tells its layout. They have tables here, made from each version's public headers; a layout
//! does not change within a minor version.

mod image;
mod perl;
mod php;
mod ruby;
mod ruby_lines;

pub use image::{Interpreter, State};
pub use perl::Layout as PerlLayout;
pub use php::Layout as PhpLayout;
pub use ruby::Layout as RubyLayout;
pub use ruby_lines::RubyLines;
