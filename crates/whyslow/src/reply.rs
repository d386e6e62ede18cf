//! Where the time of a command or a whole machine went, printed or written to a file.

#[cfg(target_os = "linux")]
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use whyslow_explain::words::Names;
use whyslow_explain::{Answer, Machine};
use whyslow_extract::Extract;
#[cfg(target_os = "linux")]
use whyslow_files::{Access, PartFile};
use whyslow_pipeline::debug_package;
#[cfg(target_os = "linux")]
use whyslow_pipeline::place::names_extract;
use whyslow_render::{
    AnswerOptions, Paint, write_across_json, write_answer, write_answer_json, write_machine,
    write_machine_json,
};

use whyslow_review::Across;

use crate::args::{AnswerArgs, AnswerFormat};
use crate::failure::Failure;
use crate::output::{is_standard, write_to};
use crate::terminal::Terminal;

/// Where the time went.
#[derive(Debug)]
pub(crate) enum Reply {
    /// Of a process.
    Process(Answer),
    /// Of the whole machine.
    Machine(Box<Machine>),
}

impl Reply {
    /// Returns whether what was asked for is in the recording.
    pub(crate) fn is_found(&self) -> bool {
        !matches!(self, Self::Process(Answer::NotFound(_)))
    }

    fn write(
        &self,
        format: AnswerFormat,
        options: AnswerOptions,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match (self, format) {
            (Self::Process(answer), AnswerFormat::Text) => write_answer(answer, options, out),
            (Self::Process(answer), AnswerFormat::Json) => write_answer_json(answer, out),
            (Self::Machine(machine), AnswerFormat::Text) => write_machine(machine, options, out),
            (Self::Machine(machine), AnswerFormat::Json) => write_machine_json(machine, out),
        }
    }
}

/// Adds to an answer the packages that have its missing names.
pub(crate) fn with_packages(mut answer: Answer, extract: &Extract) -> Answer {
    if let Answer::Explained(answer) = &mut answer {
        for gap in &mut answer.gaps {
            let module = gap.nameless_module();
            if let Some(package) = module.and_then(|module| debug_package(extract, module)) {
                gap.name_package(package);
            }
        }
    }
    answer
}

/// Returns how an answer is laid out that goes to `file`, or without one to standard output.
pub(crate) fn options(
    file: Option<&Path>,
    args: &AnswerArgs,
    terminal: &Terminal,
) -> AnswerOptions {
    AnswerOptions {
        room: match (file, terminal.width) {
            (None, Some(width)) => width,
            _ => AnswerOptions::default().room,
        },
        paint: if file.is_some() {
            Paint::Plain
        } else {
            terminal.paint
        },
        names: if args.wide { Names::Full } else { Names::Short },
    }
}

/// Writes what replies, each of the machine of that name, have in common.
pub(crate) fn write_across(
    replies: &[Reply],
    machines: &[String],
    args: &AnswerArgs,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let file = args.output.as_deref().filter(|path| !is_standard(path));
    let answers = machines
        .iter()
        .zip(replies)
        .filter_map(|(machine, reply)| match reply {
            Reply::Process(Answer::Explained(answer)) => Some((machine.as_str(), &**answer)),
            _ => None,
        });
    let across = Across::of(answers);
    write_to(file, true, |out| match args.format() {
        AnswerFormat::Text => {
            whyslow_render::write_across(&across, options(file, args, terminal), out)
        }
        AnswerFormat::Json => write_across_json(&across, out),
    })?;
    Ok(())
}

/// Creates the file of an answer before anything is recorded for it, so that it is not found unwritable afterwards; `None` if
/// it goes elsewhere.
#[cfg(target_os = "linux")]
pub(crate) fn claim(args: &AnswerArgs) -> Result<Option<(PartFile, File)>, Failure> {
    let Some(path) = args.output.as_deref().filter(|path| !is_standard(path)) else {
        return Ok(None);
    };
    if names_extract(path) {
        let text = format!("{}: -o names the file of the answer", path.display());
        let hint = "for the extract, use --name NAME (`run` only) or --output-dir DIR";
        return Err(Failure::usage(text).hint(hint));
    }
    let created = PartFile::create(path, true, Access::Usual);
    let created = created.map_err(|error| Failure::uncreated(path, &error));
    created.map(Some)
}

/// Writes replies as `args` wants them, to standard output without a file; returns whether they were
/// read to the end.
pub(crate) fn write(
    replies: &[Reply],
    args: &AnswerArgs,
    terminal: &Terminal,
) -> Result<bool, Failure> {
    let format = args.format();
    let file = args.output.as_deref().filter(|path| !is_standard(path));
    let options = options(file, args, terminal);
    let read = write_to(file, true, |out| {
        for (at, reply) in replies.iter().enumerate() {
            if at > 0 && matches!(format, AnswerFormat::Text) {
                writeln!(out)?;
            }
            reply.write(format, options, out)?;
        }
        Ok(())
    })?;
    Ok(read.is_some())
}
