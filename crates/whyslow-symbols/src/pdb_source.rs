//! What `pdb2` reads a PDB through: piece by piece, never more than the file holds.
//!
//! A PDB is a file of numbered pages, and its streams are lists of page numbers. A damaged list may
//! name one page a million times; since no real stream is larger than its file, asking for more is
//! an error, and memory is bounded by the size of the file.

use std::io;

use pdb2::{Source, SourceSlice, SourceView};

use crate::file_bytes::FileBytes;

/// The file behind a PDB.
#[derive(Debug)]
pub(crate) struct PdbSource {
    pub(crate) bytes: FileBytes,
}

#[derive(Debug)]
struct View(Vec<u8>);

impl SourceView<'_> for View {
    fn as_slice(&self) -> &[u8] {
        &self.0
    }
}

impl<'s> Source<'s> for PdbSource {
    fn view(
        &mut self,
        slices: &[SourceSlice],
    ) -> io::Result<Box<dyn SourceView<'s> + Send + Sync>> {
        let sizes = slices.iter().map(|slice| slice.size as u64);
        let total = sizes.fold(0_u64, u64::saturating_add);
        if total > self.bytes.len_bytes() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let size = usize::try_from(total).map_err(|_| io::ErrorKind::OutOfMemory)?;
        let mut view = vec![0; size];
        let mut rest = view.as_mut_slice();
        for slice in slices {
            let (part, tail) = rest.split_at_mut(slice.size.min(rest.len()));
            let read = self.bytes.read_exact_at(slice.offset, part);
            read.map_err(|_| io::ErrorKind::UnexpectedEof)?;
            rest = tail;
        }
        Ok(Box::new(View(view)))
    }
}
