//! Programs on Windows that use files in slow ways: what is said about them, from the trace on.

use std::fs;

use whyslow_testkit::{FileAsk, FileScript, Leaves, ScriptedMachine, Start, T0, Waker, full};

use crate::harness::Place;

/// The process and the thread that does it.
const IDS: (u32, u32) = (100, 101);

/// Ticks in a second.
const SECOND: i64 = 10_000_000;

const NOT_FOUND: u32 = 0xc000_0034;
const DENIED: u32 = 0xc000_0022;
const NO_MORE_FILES: u32 = 0x8000_0006;

fn in_volume(path: &str) -> String {
    format!(r"\Device\HarddiskVolume1\{path}")
}

/// Names the volume.
fn volume() -> Vec<u8> {
    const SYSTEM_CONFIG_EX: [u8; 16] = [
        0x91, 0xee, 0x79, 0x9b, 0xfd, 0xb5, 0xc0, 0x41, 0xa2, 0x43, 0x42, 0x48, 0xe2, 0x66, 0xe9,
        0xd0,
    ];
    let text = [r"\Device\HarddiskVolume1\", r"C:\"].join("\0") + "\0";
    let payload: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    full(T0 + 1, SYSTEM_CONFIG_EX, (35, 0), &payload)
}

/// One thing after the other that a program asks of file systems.
struct Asks {
    script: FileScript,
    at: i64,
}

impl Asks {
    /// Asks for something that takes so many microseconds, and computes as long afterwards.
    fn ask(&mut self, us: i64, ask: FileAsk<'_>) {
        let end = self.at + us * 10;
        self.script.ask(self.at, Some(end), IDS, ask);
        self.at = end + us * 10;
    }
}

/// Returns what is said about a program that runs for a second, hardly waits, and asks for all this
/// meanwhile.
fn answer(does: impl Fn(&mut Asks)) -> String {
    let mut machine = ScriptedMachine::new(2);
    machine.process(100, 4, "editor.exe", r"editor.exe C:\letter.txt");
    machine.process(200, 4, "other.exe", "other.exe");
    machine.thread(100, 101, Start::Running(0));
    machine.thread(200, 201, Start::Running(1));
    machine.image(100, 0x7ff6_0000_0000, 0x9000, &in_volume("editor.exe"));
    for at in 1..500 {
        let time = at * 20_000;
        machine.sample(time, 0, 0x7ff6_0000_1000);
        machine.stack(&[0x7ff6_0000_1000]);
    }
    machine.event(1, 0, volume());
    let mut asks = Asks {
        script: FileScript::new(3),
        at: 1_000,
    };
    does(&mut asks);
    assert!(asks.at < SECOND, "{}", asks.at);
    for (time, event) in asks.script.events() {
        machine.event(time, 0, event);
    }
    machine.switch(SECOND, 0, 0, Leaves::Waits(6));
    machine.ready(SECOND + 10_000, 1, 101, Waker::Thread(201));
    machine.switch(SECOND + 10_010, 0, 101, Leaves::Ready);
    let place = Place::new();
    fs::write(place.path("x.etl"), machine.trace().bytes()).expect("a trace");
    let said = place.run(&["extract", "x.etl"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let said = place.run(&["why", "x.whyslow", "-p", "editor.exe"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    // As one line.
    said.out.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn says(answer: &str, words: &[&str]) {
    for words in words {
        assert!(answer.contains(words), "{words:?} is not said in\n{answer}");
    }
}

#[test]
fn a_file_that_is_opened_again_and_again_is_named() {
    let said = answer(|asks| {
        // Case does not matter.
        let paths = [r"Editor\settings.ini", r"EDITOR\Settings.ini"].map(in_volume);
        for at in 0..3000 {
            let object = 0x1000 + u64::try_from(at).expect("few") * 0x100;
            let of = |opcode| FileAsk {
                object,
                key: 0x9000,
                ..FileAsk::of(opcode)
            };
            let open = FileAsk {
                path: &paths[at % 2],
                object,
                ..FileAsk::open()
            };
            asks.ask(80, open);
            asks.ask(10, FileAsk { class: 5, ..of(74) });
            let read = FileAsk {
                size: 4096,
                information: 120,
                ..of(67)
            };
            asks.ask(20, read);
            asks.ask(20, of(65));
            asks.ask(10, of(66));
        }
    });
    let claim = r"opened and read C:\Editor\settings.ini 3,000 times: 42 % of the time";
    says(&said, &[claim, "Read it once and keep its contents"]);
    assert!(!said.contains("checked"), "{said}");
}

#[test]
fn files_that_are_looked_for_in_vain_are_counted() {
    let said = answer(|asks| {
        for at in 0..2000 {
            let path = in_volume(&format!(r"Plugins\{}\spell.dll", at % 50));
            let open = FileAsk {
                path: &path,
                object: 0x1000,
                status: NOT_FOUND,
                ..FileAsk::of(64)
            };
            asks.ask(100, open);
        }
    });
    says(
        &said,
        &["looked for files that are not there, 2,000 times: 20 % of the time"],
    );
    says(&said, &["spell.dll"]);
}

#[test]
fn small_reads_of_an_open_file_are_counted() {
    let said = answer(|asks| {
        let path = in_volume("words.txt");
        let open = FileAsk {
            path: &path,
            object: 0x1000,
            ..FileAsk::open()
        };
        asks.ask(100, open);
        for at in 0..20_000 {
            let read = FileAsk {
                object: 0x1000,
                key: 0x9000,
                offset: at * 16,
                size: 16,
                information: 16,
                ..FileAsk::of(67)
            };
            asks.ask(20, read);
        }
    });
    says(
        &said,
        &[
            "read 16 bytes at a time, 20,000 times: 40 % of the time",
            r"C:\words.txt",
        ],
    );
}

#[test]
fn a_request_that_is_refused_each_time_is_named_with_its_status() {
    let said = answer(|asks| {
        let path = in_volume("secret.txt");
        for _ in 0..4000 {
            let open = FileAsk {
                path: &path,
                object: 0x1000,
                status: DENIED,
                ..FileAsk::of(64)
            };
            asks.ask(60, open);
        }
    });
    says(
        &said,
        &[
            "made 4,000 open calls that failed with “permission denied” (STATUS_ACCESS_DENIED)",
            r"The calls were for C:\secret.txt.",
        ],
    );
}

#[test]
fn a_folder_that_is_listed_again_and_again_is_named() {
    let said = answer(|asks| {
        let path = in_volume("Inbox");
        for at in 0..1000 {
            let object = 0x1000 + at * 0x100;
            let of = |opcode| FileAsk {
                object,
                key: 0x9000,
                ..FileAsk::of(opcode)
            };
            let open = FileAsk {
                path: &path,
                object,
                flags: 1,
                ..FileAsk::open()
            };
            asks.ask(50, open);
            let list = FileAsk {
                path: "*",
                size: 4096,
                class: 37,
                information: 2000,
                ..of(72)
            };
            asks.ask(150, list);
            let end = FileAsk {
                status: NO_MORE_FILES,
                information: 0,
                ..list
            };
            asks.ask(10, end);
            asks.ask(10, of(65));
            asks.ask(10, of(66));
        }
    });
    says(
        &said,
        &[
            r"listed C:\Inbox\ 1,000 times: 23 % of the time",
            "ReadDirectoryChangesW",
        ],
    );
    assert!(!said.contains("inotify"), "{said}");
}
