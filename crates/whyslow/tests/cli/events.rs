//! `events`: traces that the tests write themselves, with events of every kind of description.

use whyslow_perfdata::writer::{
    AttrFlag, EventAttr, EventDescription, Features, FileWriter, RecordBuffer, SampleIdentity,
};
use whyslow_testkit::payload::Process;
use whyslow_testkit::{
    Buffer, Bytes, Leaves, Manifest, ScriptedMachine, Start, T0, Trace, Waker, full, message,
    system,
};

use crate::archives::zip;
use crate::harness::{Place, Said, golden};

const SOURCE: [u8; 16] = *b"0123456789abcdef";
const UNKNOWN: [u8; 16] = *b"nobody describes";
/// Microsoft-Windows-DotNETRuntime.
const DOTNET: [u8; 16] = [
    0x23, 0x0d, 0x3c, 0xe1, 0xbc, 0xcc, 0x12, 0x4e, 0x93, 0x1b, 0xd9, 0xcc, 0x2e, 0xee, 0x27, 0xe4,
];

/// The manifest of [`SOURCE`]; it comes behind the events that it describes.
const MANIFEST: &str = r#"<instrumentationManifest><instrumentation><events>
<provider name="My-Source" guid="{33323130-3534-3736-3839-616263646566}">
<events><event value="1" version="3" task="Order" opcode="win:Start" template="Order"/></events>
<maps><valueMap name="Kind"><map value="0x2" message="$(string.express)"/></valueMap></maps>
<templates><template tid="Order">
<data name="Customer" inType="win:UnicodeString"/>
<data name="Kind" inType="win:UInt32" map="Kind"/>
<data name="Count" inType="win:UInt16"/>
<data name="Parts" inType="win:UInt8" count="Count"/>
</template></templates></provider></events></instrumentation>
<localization><stringTable><string id="express" value="Express"/></stringTable></localization>
</instrumentationManifest>"#;

fn event<'a>(
    provider: [u8; 16],
    id: u16,
    items: &'a [(u16, Vec<u8>)],
    payload: &'a [u8],
) -> Manifest<'a> {
    Manifest {
        wide: true,
        provider,
        id,
        ids: (100, 101),
        items,
        payload,
    }
}

/// A trace of 10 ms: two processes, switches with stacks, a sample, and events that a manifest, the
/// event itself, or nothing describes.
fn trace() -> Vec<u8> {
    let mut machine = ScriptedMachine::new(2);
    machine.header.buffers_lost = 2;
    machine.process(100, 4, "shop.exe", "shop.exe --open \"all day\"");
    machine.process(200, 100, "printer.exe", "printer.exe");
    machine.thread(100, 101, Start::Running(0));
    machine.thread(200, 201, Start::Running(1));
    machine.image(
        100,
        0x7ff6_0000_0000,
        0x9000,
        "\\Device\\HarddiskVolume1\\shop.exe",
    );
    machine
        .sample(5_000, 0, 0x7ff6_0000_1000)
        .stack(&[0x7ff6_0000_1000]);
    machine
        .switch(10_000, 0, 0, Leaves::Waits(6))
        .stack(&[0x7ff6_0000_2000]);
    machine.ready(30_000, 1, 101, Waker::Thread(201));
    machine.switch(35_000, 0, 101, Leaves::Ready);
    for (time, customer) in [(40_000, "Ada"), (41_000, "a \"bad\" name\x1b[31m")] {
        let payload = Bytes::default()
            .utf16(customer)
            .u32(2)
            .u16(3)
            .u8(7)
            .u8(8)
            .u8(9)
            .0;
        machine.event(time, 0, event(SOURCE, 1, &[], &payload).at(T0 + time));
    }
    let schema = Bytes::default()
        .u16(19)
        .u8(0)
        .ansi("Paid")
        .ansi("Cents")
        .u8(8)
        .ansi("By")
        .u8(2);
    let items = [(11, schema.0), (12, Bytes::default().u16(7).ansi("Bank").0)];
    let payload = Bytes::default().u32(1999).ansi("card").0;
    machine.event(
        50_000,
        1,
        event(UNKNOWN, 0, &items, &payload).at(T0 + 50_000),
    );
    // An allocation of .NET, and behind it the stack that is its own.
    let payload = Bytes::default().u32(0x1_a000).u32(1).u16(9).u64(0x1_a000);
    let payload = payload.u64(0x7ff6_0000_4000).utf16("Shop.Order[]").u32(0);
    let payload = payload.u64(0x1234_5678).0;
    machine.event(55_000, 0, event(DOTNET, 10, &[], &payload).at(T0 + 55_000));
    let frames = [0x7ffa_0000_1000, 0x7ff6_0000_2000, 0x7ff6_0000_3000];
    let payload = Bytes::default().u16(9).u8(0).u8(0).u32(3);
    let payload = payload.pointers(true, &frames).0;
    machine.event(55_010, 0, event(DOTNET, 82, &[], &payload).at(T0 + 55_010));
    let payload: Vec<u8> = (0..40).collect();
    machine.event(60_000, 1, event(UNKNOWN, 12, &[], &payload).at(T0 + 60_000));
    machine.event(61_000, 1, full(T0 + 61_000, UNKNOWN, (3, 0), b"abc"));
    machine.event(62_000, 1, message(T0 + 62_000, UNKNOWN, b"text"));
    machine.kernel(63_000, 1, (0x1055, 0), &[1, 2, 3, 4]);
    let head = Bytes::default().u8(1).u8(1).u8(0).u8(0x5b).u16(1).u16(0);
    let text = head.bytes(MANIFEST.as_bytes()).0;
    let mut manifest = event(SOURCE, 0xfffe, &[], &text).at(T0 + 90_000);
    manifest[0x2d] = 0xfe;
    machine.event(90_000, 0, manifest);
    machine.trace().bytes()
}

#[test]
fn a_trace_of_windows() {
    let place = Place::new();
    place.write("shop.etl", &trace());
    golden(
        "events",
        &place,
        &[
            &["events", "shop.etl", "--columns", "*", "--totals"],
            &["events", "shop.etl", "--width", "80", "--top", "5"],
            &[
                "events", "shop.etl", "--list", "--width", "100", "--from", "4ms",
            ],
            &[
                "events",
                "shop.etl",
                "-l",
                "--event",
                "Process/*;!*/DCStop",
                "--format",
                "csv",
            ],
            &[
                "events",
                "shop.etl",
                "-l",
                "--provider",
                "My-Source;Bank",
                "--format",
                "json",
            ],
            &[
                "events",
                "shop.etl",
                "--provider",
                "My-Source",
                "--columns",
                "event,count,decoded",
            ],
        ],
    );
}

#[test]
fn what_is_asked_for() {
    let place = Place::new();
    place.write("shop.etl", &trace());
    golden(
        "events-filters",
        &place,
        &[
            &[
                "events",
                "shop.etl",
                "-l",
                "-c",
                "time,process,tid,event",
                "--process",
                "printer.exe",
            ],
            &[
                "events",
                "shop.etl",
                "-l",
                "-c",
                "event,fields",
                "--where",
                "Customer=a*",
            ],
            &[
                "events",
                "shop.etl",
                "-l",
                "-c",
                "event,fields",
                "--where",
                "Kind=Express",
                "-n",
                "1",
            ],
            &[
                "events",
                "shop.etl",
                "-l",
                "-c",
                "event,fields",
                "--where",
                "Cents>=1k",
                "--where",
                "By!=cash",
            ],
            &[
                "events",
                "shop.etl",
                "-l",
                "-c",
                "event,fields",
                "--where",
                "Cents=1000..3000",
            ],
            &[
                "events",
                "shop.etl",
                "-l",
                "-c",
                "event,fields",
                "--where",
                "Parts=0x9",
                "--to",
                "4100us",
            ],
            &["events", "shop.etl", "-c", "event,count", "--thread", "201"],
            &["events", "shop.etl", "-c", "event,count", "--count", "2.."],
            &["events", "shop.etl", "--event", "Nothing/*"],
            &[
                "events",
                "shop.etl",
                "--list",
                "--event",
                "Nothing/*",
                "--format",
                "json",
            ],
        ],
    );
}

/// A program without its ending, and fields that no event has.
#[test]
fn what_may_be_meant() {
    let place = Place::new();
    place.write("shop.etl", &trace());
    let counted = |option: &'static str, of: &'static str| {
        ["events", "shop.etl", "-c", "event,count", option, of]
    };
    golden(
        "events-meant",
        &place,
        &[
            &counted("--process", "Printer"),
            &counted("--where", "custmer=a*"),
            &[
                "events",
                "shop.etl",
                "-l",
                "-W",
                "Cents>=1KB",
                "-W",
                "Bye=card",
            ],
        ],
    );
}

/// Two traces; one that is none; damage.
#[test]
fn several_and_damaged_traces() {
    let place = Place::new();
    let whole = trace();
    place.write("a.etl", &whole);
    place.write("b.etl", whole.get(..whole.len() - 4000).expect("a part"));
    place.write("none.etl", b"this is no trace");
    place.write("empty.etl", b"");
    golden(
        "events-files",
        &place,
        &[
            &[
                "events",
                "a.etl",
                "b.etl",
                "-c",
                "file,event,count",
                "-n",
                "4",
            ],
            &[
                "events",
                "a.etl",
                "b.etl",
                "-l",
                "-c",
                "file,time,event",
                "-e",
                "Order/*",
            ],
            &[
                "events",
                "none.etl",
                "a.etl",
                "-c",
                "event,count",
                "-n",
                "1",
            ],
            &["events", "none.etl"],
            &["events", "empty.etl", "--list", "--format", "csv"],
            &["events", "missing.etl"],
            &["events", "."],
            &["events", "a.etl", "--where", "Customer"],
            &["events", "a.etl", "--where", "Size>many"],
            &["events", "a.etl", "--list", "--count", "3.."],
            &["events", "a.etl", "--format", "parquet"],
        ],
    );
}

#[test]
fn a_list_is_a_parquet_file() {
    let place = Place::new();
    place.write("shop.etl", &trace());
    let said = place.run(&["events", "shop.etl", "-l", "-o", "x.parquet"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let file = std::fs::read(place.path("x.parquet")).expect("a file");
    assert!(file.starts_with(b"PAR1") && file.ends_with(b"PAR1"));
    // A list that fails leaves nothing behind.
    place.write("none.etl", b"this is no trace");
    let said = place.run(&["events", "none.etl", "-l", "-o", "y.csv"]);
    assert_eq!(said.code, Some(3), "{said:?}");
    assert_eq!(place.names(), ["none.etl", "shop.etl", "x.parquet"]);
}

/// A recording of perf with a name, samples with chains, and no tracepoints.
fn recording() -> Vec<u8> {
    let attr = EventAttr {
        event_type: 1,
        config: 0,
        sample_type: RecordBuffer::RAW_SAMPLE,
        ..EventAttr::default()
    };
    let events = [EventDescription {
        attr: attr.with(AttrFlag::SampleIdAll),
        name: "cpu-clock".to_owned(),
        ids: vec![7],
    }];
    let mut out = RecordBuffer::new();
    let identity = |time_ns| SampleIdentity {
        pid: 11,
        tid: 12,
        time_ns,
        cpu: 1,
        id: 7,
    };
    out.comm(11, 11, b"busy", &identity(1_000_000));
    out.comm(11, 12, b"helper", &identity(1_500_000));
    let user = (-512_i64).cast_unsigned();
    for number in 2..5 {
        let time = identity(number * 1_000_000);
        assert!(out.raw_sample(&time, 0x4000 + number, &[user, 0x4000], &[1, 2, 3, 4]));
    }
    out.finished_round();
    let mut bytes = std::io::Cursor::new(Vec::new());
    let mut features = Features::new();
    features.events(&events);
    let mut writer = FileWriter::create(&mut bytes, &events, &features).expect("a header");
    writer.write(out.as_bytes()).expect("records");
    writer.finish(&features).expect("features");
    bytes.into_inner()
}

#[test]
fn a_recording_of_perf() {
    let place = Place::new();
    let whole = recording();
    place.write("x.data", &whole);
    place.write("cut.data", whole.get(..whole.len() - 400).expect("a part"));
    golden(
        "events-perf",
        &place,
        &[
            &["events", "x.data", "--columns", "*"],
            &["events", "x.data", "--list"],
            &[
                "events",
                "x.data",
                "-l",
                "--thread",
                "helper",
                "--where",
                "ip=0x4003",
                "--format",
                "csv",
            ],
            &["events", "cut.data"],
        ],
    );
}

#[test]
fn files_of_one_machine_are_known_in_their_order() {
    let place = Place::new();
    let process = |time: i64, opcode: u16, image: &str| {
        let process = Process {
            process_id: 100,
            image,
            ..Process::default()
        };
        let payload = process.payload(true, 4);
        system(true, 0x300 | opcode, 4, T0 + time, (4, 8), &payload)
    };
    let file = |start: i64, events: [Vec<u8>; 2]| {
        let buffer = events.into_iter().fold(Buffer::new(0), Buffer::push);
        let mut trace = Trace::new(vec![buffer]);
        trace.header.start_time += start;
        trace.bytes()
    };
    let of_process = |time| event(SOURCE, 7, &[], &[]).at(T0 + time);
    place.write(
        "early.etl",
        &file(0, [process(10, 1, "early.exe"), of_process(20)]),
    );
    place.write(
        "late.etl",
        &file(90, [process(100, 3, "late.exe"), of_process(110)]),
    );
    for files in [["early.etl", "late.etl"], ["late.etl", "early.etl"]] {
        let said = place.run(&[
            "events",
            files[0],
            files[1],
            "--list",
            "--event",
            "EventID*",
            "--columns",
            "file,process",
            "--format",
            "csv",
        ]);
        let name = |file: &str| file.replace(".etl", ".exe");
        let lines = files.map(|file| format!("{file},{}\r\n", name(file)));
        assert_eq!(
            said.out.replace("\r\n", "\n"),
            format!("file,process\n{}", lines.concat()).replace("\r\n", "\n")
        );
    }
}

#[test]
fn the_same_trace_in_an_archive() {
    let place = Place::new();
    place.write("t.etl", &trace());
    place.write(
        "a.zip",
        &zip(&[("deep/t.etl", &trace()), ("readme.txt", b"no trace")]),
    );
    let ask = |file| {
        let said = place.run(&["events", file, "--list", "--format", "csv"]);
        assert_eq!(said.code, Some(0), "{said:#?}");
        said.out
    };
    assert_eq!(ask("a.zip").replace("a.zip/", ""), ask("t.etl"));
    let temporary = place.path("tmp");
    std::fs::create_dir(&temporary).expect("a directory");
    place.write("b.zip", &zip(&[("deep/bad.etl", b"no trace at all")]));
    let asked = place
        .whyslow(&["events", "a.zip", "b.zip", "--columns", "file,count"])
        .env("TMPDIR", &temporary)
        .output();
    let said = Said::of(asked.expect("the program runs"));
    assert!(said.out.contains("a.zip/t.etl"), "{said:#?}");
    assert!(
        said.err.contains("cannot read b.zip/deep/bad.etl: "),
        "{said:#?}"
    );
    assert_eq!(
        std::fs::read_dir(&temporary).expect("a directory").count(),
        0
    );
}

#[test]
#[cfg(unix)]
fn archives_without_room_for_temporary_files() {
    let place = Place::new();
    place.write("a.zip", &zip(&[("t.etl", &trace())]));
    place.write("b.zip", &zip(&[("readme.txt", b"no trace")]));
    let ask = |file, temporary| {
        let mut command = place.whyslow(&["events", file]);
        Said::of(
            command
                .env("TMPDIR", place.path(temporary))
                .output()
                .expect("it runs"),
        )
    };
    // A directory that is not there, and what is none.
    for temporary in ["nowhere", "a.zip"] {
        ask("a.zip", temporary).fails(
            3,
            &[
                "whyslow: cannot create ",
                "hint: set TMPDIR to a directory with enough room",
            ],
        );
    }
    ask("b.zip", ".").fails(
        3,
        &[
            "whyslow: cannot read b.zip: it holds no recording",
            "hint: recordings are .etl or .data files",
        ],
    );
}

#[test]
fn a_list_that_ends_early_says_what_the_trace_lacks() {
    let place = Place::new();
    let mut machine = ScriptedMachine::new(1);
    machine.process(100, 4, "app.exe", "app.exe");
    let mut trace = machine.trace();
    trace.header.events_lost = 7;
    place.write("t.etl", &trace.bytes());
    let said = place.run(&["events", "t.etl", "--list", "--top", "1"]);
    assert!(
        said.err.contains("the recording lost 7 events"),
        "{said:#?}"
    );
}
