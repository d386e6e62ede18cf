//! One Windows module: find its PDB, or at least its image, and name addresses by them.
//!
//! Order of sources: the PDB whose id the trace names; where the trace names none, the one that the
//! image itself names, if the image is there and is the recorded build; where there is no PDB, the
//! image's exports. A PDB with another id is not used: its names would be wrong.

use std::path::{Component, Path, PathBuf, Prefix};

use crate::job::Job;
use crate::pdb::{Pdb, PdbNames};
use crate::pdb_id::last_part;
use crate::pe::PeImage;
use crate::store::Store;
use crate::{ImageId, ModuleRef, NameId, Names, PdbId, Reason, SymbolFrame, SymbolSource};

/// Names the places of `job`, which are relative to the base of `module`.
pub(crate) fn name(
    store: &Store,
    job: &mut Job<'_>,
    module: &ModuleRef<'_>,
    inlined: bool,
) -> Result<(), Reason> {
    let wanted = job.sorted_addresses();
    let mut image = None;
    let recorded = module.pdb.map(|pdb| (pdb.id, pdb.name.to_owned()));
    let pdb = recorded.or_else(|| {
        image = find_image(store, module);
        image.as_ref().and_then(|(image, _)| image.pdb())
    });
    let failure = match pdb {
        Some((id, name)) => match find_names(store, &name, id, &wanted, inlined) {
            Ok((found, path)) => {
                job.report.source = Some(SymbolSource::Pdb);
                job.report.file = Some(path);
                job.report.verified = true;
                job.report.has_lines = !found.files.is_empty();
                let frames = frames(&found, &wanted, job.names);
                job.finish_with_frames(&frames, Reason::OutsideSymbols);
                return Ok(());
            }
            Err(reason) => reason,
        },
        None => Reason::PdbUnidentified,
    };
    let (image, path) = image.or_else(|| find_image(store, module)).ok_or(failure)?;
    let exports = image.exports_of(&wanted).map_err(|_| failure)?;
    let named: Vec<_> = exports
        .iter()
        .map(|export| {
            let (name, start) = export.as_ref()?;
            Some((job.names.intern_linker_name(name), *start))
        })
        .collect();
    job.report.source = Some(SymbolSource::Exports);
    job.report.file = Some(path);
    job.report.verified = true;
    // Exports leave out most functions: what is missing is the PDB.
    job.finish(&named, failure);
    Ok(())
}

fn find_names(
    store: &Store,
    name: &str,
    id: PdbId,
    wanted: &[u64],
    inlined: bool,
) -> Result<(PdbNames, PathBuf), Reason> {
    let open = |bytes| Pdb::read(bytes, id);
    let (pdb, path) = store.find(name, &id.to_string(), &open)?;
    Ok((pdb.names_of(wanted, inlined)?, path))
}

/// The image itself, if it is the recorded build.
fn find_image(store: &Store, module: &ModuleRef<'_>) -> Option<(PeImage, PathBuf)> {
    let id = module.image?;
    let path = module.path.to_string_lossy();
    if is_on_a_drive(module.path) {
        let recorded = PeImage::open(module.path).and_then(|image| is_recorded(image, id));
        if let Ok(image) = recorded {
            return Some((image, module.path.to_owned()));
        }
    }
    let open = |bytes| PeImage::new(bytes).and_then(|image| is_recorded(image, id));
    store.find(last_part(&path), &id.to_string(), &open).ok()
}

/// Returns whether a path begins with a drive. Others are never opened: a trace may name a server,
/// which Windows would log on to.
fn is_on_a_drive(path: &Path) -> bool {
    let first = path.components().next();
    let is_drive = |kind| matches!(kind, Prefix::Disk(_) | Prefix::VerbatimDisk(_));
    path.is_absolute()
        && matches!(first, Some(Component::Prefix(prefix)) if is_drive(prefix.kind()))
}

fn is_recorded(image: PeImage, id: ImageId) -> Result<PeImage, Reason> {
    if image.id == id {
        Ok(image)
    } else {
        Err(Reason::FileReplaced)
    }
}

/// The frames of each address; none where it has no name.
fn frames(found: &PdbNames, wanted: &[u64], names: &mut Names) -> Vec<Vec<SymbolFrame>> {
    let ids: Vec<NameId> = found
        .names
        .iter()
        .map(|name| names.intern_linker_name(name))
        .collect();
    let mut all = Vec::with_capacity(wanted.len());
    for (index, &address) in wanted.iter().enumerate() {
        let mut frames = Vec::new();
        let function = found.functions.get(index).copied().flatten();
        if let Some((function, &id)) = function.and_then(|f| Some((f, ids.get(f.name)?))) {
            let offset_bytes = address.wrapping_sub(function.start);
            let inlined = found.inlined.get(index).and_then(Option::as_ref);
            let frame = |function, inlined, line: Option<crate::pdb_inlined::Line>| SymbolFrame {
                function,
                offset_bytes,
                inlined,
                file: None,
                line: line.map(|line| line.line).filter(|&line| line > 0),
            };
            let file = |names: &mut Names, line: Option<crate::pdb_inlined::Line>| {
                let file = found.files.get(line?.file?)?;
                Some(names.intern(file))
            };
            for &(site, line) in inlined.map_or(&[][..], |inlined| &inlined.sites) {
                if let Some(name) = found.inlinees.get(&site) {
                    let id = names.intern_linker_name(name);
                    let file = file(names, line);
                    frames.push(SymbolFrame {
                        file,
                        ..frame(id, true, line)
                    });
                }
            }
            let line = inlined.and_then(|inlined| inlined.outermost);
            let file = file(names, line);
            frames.push(SymbolFrame {
                file,
                ..frame(id, false, line)
            });
        }
        all.push(frames);
    }
    all
}
