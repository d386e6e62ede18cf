//! The rules of a file.

use crate::document::{Document, MOST_BYTES};
use crate::fault::Faults;
use crate::reader;
use crate::rule::Rule;

/// The rules of a file, all of which can be asked.
#[derive(Debug)]
pub struct Rules {
    /// The name of the file.
    pub(crate) file: String,
    pub(crate) all: Vec<Rule>,
    examples: usize,
}

impl Rules {
    /// The longest file, in bytes; of a longer one, one byte more is enough to know that.
    pub const MOST_BYTES: usize = MOST_BYTES;

    /// Reads the rules in the bytes of a file, and tries them on their examples.
    ///
    /// # Errors
    /// Everything that is wrong in it.
    pub fn read(file: &str, bytes: &[u8]) -> Result<Self, Faults> {
        let mut faults = Faults::default();
        let document = Document::new(bytes, &mut faults);
        let (all, examples) = match &document {
            Some(document) => reader::read(document, &mut faults),
            None => (Vec::new(), 0),
        };
        if faults.count() > 0 {
            faults.all.sort();
            return Err(faults);
        }
        let file = file.to_owned();
        Ok(Self {
            file,
            all,
            examples,
        })
    }

    /// Returns how many rules there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// Returns how many examples they have.
    #[must_use]
    pub fn examples(&self) -> usize {
        self.examples
    }
}
