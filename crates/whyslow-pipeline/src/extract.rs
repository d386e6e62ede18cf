//! From a recording to an extract.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use whyslow_extract::{Extract, ExtractWriter, Options};
use whyslow_import::{ImportOptions, Limits, Settled, Summary, import_etl, import_perf};
use whyslow_model::tables::{PROBLEM, ProblemRow, SYMBOL};
use whyslow_model::{RowSink, Table, Watch};
use whyslow_perfdata::Reader;
use whyslow_perfdata::whyslow_events::{
    FEATURE_KALLSYMS, FEATURE_KEPT_FILES, KeptFile as RecordedFile,
};
use whyslow_query::rollup::RollUps;
use whyslow_source::{Error, ErrorKind, Part, RecordingKind, kind};
use whyslow_symbols::KeptFile;

use crate::error::{check, damaged_view, failed_import, unread_table, unwritable};
use crate::etl_file::open_etl;
use crate::facts::facts_of;
use crate::names::{self, Lookup};
use crate::problems::say_nameless;
use crate::redact::{Pseudonyms, redacted};
use crate::watched::Watched;

/// The result of making one extract.
#[derive(Debug)]
pub struct Extracted {
    /// Where it is.
    pub path: PathBuf,
    /// Figures of the import.
    pub summary: Summary,
    /// Size of the recording.
    pub source_bytes: i64,
    /// Size of the extract.
    pub bytes: u64,
    /// What was damaged, lost or unresolved.
    pub problems: Vec<ProblemRow>,
}

/// Everything that a step of the pipeline needs besides its data.
#[derive(Debug)]
pub struct Pipeline<'a> {
    /// About how much memory may be used, in bytes, whatever the size of the recording.
    pub memory: usize,
    /// Where to look for names; `None`: names are looked up later.
    pub lookup: Option<&'a Lookup>,
    /// Whether existing extracts are replaced.
    pub replace: bool,
    /// Whether paths, arguments and names are replaced by pseudonyms.
    pub redact: bool,
    /// The watcher, which may stop it.
    pub watch: Arc<dyn Watch>,
}

impl Pipeline<'_> {
    /// Makes the extract `output` of a recording: one file, or several of one session on Windows.
    ///
    /// # Errors
    /// When the recording cannot be read, the extract cannot be written, or the watcher asks to
    /// stop. There is no extract then.
    pub fn extract(&self, files: &[Part], output: &Path) -> Result<Extracted, Error> {
        let trace = files.first().map_or(Path::new(""), |part| &part.path);
        let facts = facts_of(files)?;
        let source_bytes = facts.trace.source_bytes;
        let options = Options {
            // Half of the budget is for import's facts, an eighth for the reader's window.
            memory_bytes: self.memory / 8 * 3,
            trace_id: facts.trace.trace_id.clone(),
            replace: self.replace,
            watch: Arc::clone(&self.watch),
        };
        let unwritable = |error: whyslow_extract::Error| unwritable(output, &error);
        let mut writer = ExtractWriter::create(output, options).map_err(unwritable)?;
        let name = trace.file_name().unwrap_or_default().to_string_lossy();
        let options = ImportOptions {
            limits: Limits::within(self.memory / 2),
            facts,
        };
        let mut settled = self.import(files, output, options, &mut writer)?;
        check(&*self.watch, output)?;
        self.watch.step(&format_args!("{name}: sorting"));
        let merged = writer.merge(&mut settled);
        check(&*self.watch, output)?;
        merged.map_err(unwritable)?;
        let summary = settled.summary();
        let mut problems = Vec::new();
        let mut known = Table::new(&SYMBOL);
        let written = settled.each_table(&mut |table| {
            if table.schema.name == PROBLEM.name {
                problems = table.rows().collect();
                return Ok(());
            }
            if table.schema.name == SYMBOL.name {
                known = table;
                return Ok(());
            }
            writer.write_table(&table)
        });
        written.map_err(unwritable)?;
        check(&*self.watch, output)?;
        // The view of the tables written so far; the roll-ups below read the symbols through it.
        let view = writer.view().map_err(unwritable)?;
        let symbols = match self.lookup {
            None => known,
            Some(lookup) => {
                let lookup = with_recorded(lookup, trace);
                let named = names::look_up(&view, &known, &lookup, &name, &*self.watch);
                let named = named.map_err(|error| unread_table(output, &error))?;
                say_nameless(&mut problems, &named);
                named.symbols
            }
        };
        writer.write_table(&symbols).map_err(unwritable)?;
        writer
            .write_table(&Table::from_rows(problems.clone()))
            .map_err(unwritable)?;
        let view = self.redact(view, &mut writer, output)?;
        check(&*self.watch, output)?;
        self.watch.step(&format_args!("{name}: summing up"));
        let sums = RollUps::compute(&Watched {
            view: &view,
            watch: &*self.watch,
        });
        check(&*self.watch, output)?;
        let sums = sums.map_err(|error| damaged_view(output, &error))?;
        writer.write_table(&sums.methods).map_err(unwritable)?;
        writer.write_table(&sums.timeline).map_err(unwritable)?;
        drop(view);
        check(&*self.watch, output)?;
        let path = writer.finish().map_err(unwritable)?;
        let bytes = Extract::open(&path).map_err(unwritable)?.size_bytes();
        Ok(Extracted {
            path,
            summary,
            source_bytes,
            bytes,
            problems,
        })
    }

    /// Replaces personal data in the tables written so far, if requested; returns the view of them.
    fn redact(
        &self,
        view: Extract,
        writer: &mut ExtractWriter,
        output: &Path,
    ) -> Result<Extract, Error> {
        if !self.redact {
            return Ok(view);
        }
        let unwritable = |error: whyslow_extract::Error| unwritable(output, &error);
        let tables = redacted(&view, &mut Pseudonyms::default())
            .map_err(|error| unread_table(output, &error))?;
        drop(view);
        for table in &tables {
            writer.write_table(table).map_err(unwritable)?;
        }
        writer.view().map_err(unwritable)
    }

    /// Reads a recording of any format.
    fn import(
        &self,
        files: &[Part],
        output: &Path,
        options: ImportOptions,
        sink: &mut dyn RowSink,
    ) -> Result<Settled, Error> {
        let bytes = u64::try_from(options.facts.trace.source_bytes).unwrap_or(0);
        let name = files.first().map_or("", |part| part.name.as_str());
        let mut progress = |at: whyslow_import::Progress| {
            let what = format_args!("{name}: reading");
            let of = Some(bytes).filter(|bytes| *bytes > 0);
            self.watch.progress(&what, at.bytes, of);
            self.watch.flow()
        };
        let kinds: Vec<RecordingKind> = files.iter().map(|file| kind(&file.path)).collect();
        let settled = match (files, kinds.as_slice()) {
            ([trace], [RecordingKind::Perf]) => {
                let mut reader = trace.open_perf(&*self.watch)?;
                reader.set_window_bytes(self.memory / 8);
                import_perf(reader, options, sink, &mut progress)
            }
            (files, kinds) if kinds.iter().all(|kind| *kind == RecordingKind::Etl) => {
                let open = |part: &Part| {
                    let action = || format!("read {}", part.shown);
                    let failed =
                        |error| Error::io(ErrorKind::Unreadable, action(), &part.path, &error);
                    open_etl(&part.path).map_err(failed)
                };
                let sources = files.iter().map(open).collect::<Result<Vec<_>, _>>()?;
                import_etl(&sources, options, sink, &mut progress)
            }
            _ => {
                let why = "only .etl files can be of one recording";
                let action = "extract several files together";
                return Err(Error::new(ErrorKind::NotTogether, action, output, why));
            }
        };
        // An interrupted read of a pipe is not a read error.
        check(&*self.watch, output)?;
        settled.map_err(|error| failed_import(files, output, &error))
    }
}

/// Adds what the recorder put into the recording for names.
fn with_recorded(lookup: &Lookup, trace: &Path) -> Lookup {
    let mut lookup = lookup.clone();
    // A pipe cannot be read twice.
    let reader = trace.is_file().then(|| Reader::open(trace).ok()).flatten();
    let Some(reader) = reader else {
        return lookup;
    };
    let section = |number| reader.features().raw(number);
    lookup.kallsyms = section(FEATURE_KALLSYMS).map(<[u8]>::to_vec);
    let kept = section(FEATURE_KEPT_FILES).unwrap_or_default();
    let kept = RecordedFile::decode_all(kept, reader.endian()).into_iter();
    lookup.kept = kept.map(kept_file).collect();
    lookup
}

fn kept_file(file: RecordedFile) -> KeptFile {
    KeptFile {
        path: String::from_utf8_lossy(&file.path).into_owned().into(),
        build_id: Some(file.build_id).filter(|id| !id.is_empty()),
        length: file.length,
        parts: file.parts.into(),
    }
}
