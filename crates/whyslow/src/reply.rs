//! Where the time of a command or a whole machine went, printed or written to a file.

use std::io::{self, Write};

use whyslow_explain::words::Names;
use whyslow_explain::{Answer, Machine};
use whyslow_render::{
    AnswerOptions, Paint, write_answer, write_answer_json, write_machine, write_machine_json,
};

use crate::args::{AnswerArgs, AnswerFormat};
use crate::failure::Failure;
use crate::output::write_to;
use crate::terminal::Terminal;

/// Where the time went.
#[derive(Debug)]
pub(crate) enum Reply {
    /// Of a process.
    Process(Answer),
    /// Of the whole machine.
    Machine(Machine),
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

/// Writes replies as `args` wants them, to standard output without a file; returns whether they were
/// read to the end.
pub(crate) fn write(
    replies: &[Reply],
    args: &AnswerArgs,
    terminal: &Terminal,
) -> Result<bool, Failure> {
    let format = args.format();
    let file = args.output.as_deref();
    let options = AnswerOptions {
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
    };
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
