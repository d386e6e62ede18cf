//! Records a command, or the machine for a number of seconds:
//! `record -o FILE [--for SECONDS | -- CMD…]`.
#![expect(clippy::print_stderr, clippy::panic, reason = "an example program")]

use std::ffi::OsString;
use std::time::Duration;

use whyslow_record::{Recorder, Settings};

fn main() {
    let mut settings = Settings::new("whyslow.data");
    let mut time = None;
    let mut arguments = std::env::args_os().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        let number = |text: OsString| text.to_string_lossy().parse::<u32>().unwrap_or(0);
        match argument.to_string_lossy().as_ref() {
            "-o" => settings.output = value().into(),
            "--force" => settings.replace_output = true,
            "--for" => time = Some(Duration::from_secs(number(value()).into())),
            "--hz" => settings.sample_hz = number(value()),
            "--dump" => settings.stack_dump_bytes = number(value()),
            "--ring-kb" => settings.ring_bytes = number(value()) as usize * 1024,
            "--stacks" => settings.stacks_per_second = number(value()),
            "--no-syscalls" => settings.count_system_calls = false,
            "--exact-call-times" => settings.hot_call_gap_ns = 0,
            "--no-bpf" => settings.use_bpf = false,
            "--" => break,
            other => panic!("unknown argument {other}"),
        }
    }
    let command: Vec<OsString> = arguments.collect();
    let result = Recorder::new(settings).and_then(|recorder| {
        if command.is_empty() {
            recorder.run_for(time)
        } else {
            recorder.run_command(&command)
        }
    });
    match result {
        Ok(report) => {
            eprintln!("{report:#?}");
            std::process::exit(
                report
                    .command
                    .map_or(0, |command| command.ending.shell_code()),
            );
        }
        Err(error) => {
            eprintln!("cannot record: {error}");
            std::process::exit(
                error
                    .command()
                    .map_or(125, |command| command.ending.shell_code()),
            );
        }
    }
}
