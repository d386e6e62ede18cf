//! What drivers report of Windows traces: requests to disks and hard faults with their files, and calls
//! of mini-filters.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

mod support;
#[path = "support/windows.rs"]
mod windows;

use whyslow_model::tables::{DiskIoRow, FileCallRow, FilterCallRow, ModuleRow};
use whyslow_model::{FileCallFlags, FileOperation, FilterPhase, Named};
use whyslow_testkit::payload::{DiskIo, FilterCall, HardFault, Image, file_name};
use whyslow_testkit::{FileAsk, FileScript, T0, system};

use windows::{IDS, TID, import, in_volume, is_recorded, lines, path, there, volume};

#[test]
fn disk_requests_and_hard_faults_have_their_files() {
    let mut events = there();
    events.push(volume());
    let io = DiskIo {
        size: 4096,
        irp: 0x1000,
        file_object: 0x9000,
        response_time: 90,
        thread: TID,
        ..DiskIo::default()
    };
    events.push((
        500,
        system(true, 0x010a, 3, T0 + 500, (0, 0), &io.payload(true, 3)),
    ));
    let nobodys = DiskIo {
        file_object: 0,
        ..io
    };
    events.push((
        550,
        system(true, 0x010a, 3, T0 + 550, (0, 0), &nobodys.payload(true, 3)),
    ));
    let fault = HardFault {
        since: T0 + 600,
        offset: 8192,
        address: 0x7ff6_0000_2000,
        file_object: 0x9100,
        thread: TID,
        size: 16384,
    };
    events.push((
        850,
        system(true, 0x0220, 2, T0 + 850, IDS, &fault.payload(true)),
    ));
    for (key, name) in [(0x9000, "data.bin"), (0x9100, "program.dll")] {
        let payload = file_name(true, key, &in_volume(name));
        events.push((900, system(true, 0x0424, 2, T0 + 900, (0, 0), &payload)));
    }
    let outcome = import(events);
    let requests: Vec<DiskIoRow> = outcome.rows();
    let files = requests
        .iter()
        .map(|row| row.file.map(|file| path(&outcome, Some(file))));
    let mut files: Vec<_> = files.collect();
    files.sort();
    assert_eq!(files, [None, Some(r"C:\data.bin".to_owned())]);
    assert_eq!(
        lines(&outcome),
        [r"404 hard fault C:\program.dll 600 250 ok 16384 16384"]
    );
    let rows: Vec<FileCallRow> = outcome.rows();
    assert!(FileCallFlags(rows[0].flags).has(FileCallFlags::DISK));
    assert_eq!(is_recorded(&outcome, "files"), "partial");
}

#[test]
fn mini_filters_are_counted_by_routine_phase_and_file() {
    let mut events = there();
    events.push(volume());
    let driver = Image {
        base: 0xffff_f800_1000_0000,
        size: 0x10000,
        path: r"\Device\HarddiskVolume1\Windows\System32\drivers\scan.sys",
        ..Image::default()
    };
    events.push((
        1,
        system(true, 0x1403, 3, T0 + 1, (0, 0), &driver.payload(true, 3)),
    ));
    let mut script = FileScript::new(3);
    let name = in_volume("a.txt");
    let open = FileAsk {
        path: &name,
        object: 0x1000,
        ..FileAsk::open()
    };
    script.ask(100, Some(400), IDS, open);
    events.extend(script.events());
    let call = |since, routine: u64, major_function| FilterCall {
        since: T0 + since,
        routine: 0xffff_f800_1000_0000 + routine,
        file_object: 0x1000,
        file_context: 0,
        irp: 1,
        callback_data: 2,
        major_function,
    };
    let mut add = |at: i64, opcode: u16, call: FilterCall| {
        let event = system(true, 0x0400 | opcode, 3, T0 + at, IDS, &call.payload(true));
        events.push((at, event));
    };
    add(150, 98, call(110, 0x100, 0));
    add(170, 98, call(160, 0x100, 0));
    add(390, 99, call(200, 0x200, 0));
    add(500, 98, call(450, 0x100, 3));
    add(
        510,
        98,
        FilterCall {
            file_object: 0,
            ..call(505, 0x100, 3)
        },
    );
    let outcome = import(events);
    let modules: Vec<ModuleRow> = outcome.rows();
    assert!(modules.iter().any(|module| module.name == "scan.sys"));
    let mut rows: Vec<FilterCallRow> = outcome.rows();
    rows.sort_by_key(|row| (row.phase, row.operation, row.file));
    let told = rows.iter().map(|row| {
        assert!(row.stack.is_some() && row.process.is_some());
        let phase = FilterPhase::from_code(row.phase).unwrap().name();
        let operation = FileOperation::from_code(row.operation).unwrap().name();
        let file = path(&outcome, row.file);
        let (time, longest) = (row.time_ns / 100, row.longest_ns / 100);
        format!("{phase} {operation} {file} {} {time} {longest}", row.count)
    });
    let expected = [
        r"before open C:\a.txt 2 50 40",
        "before read - 1 5 5",
        r"before read C:\a.txt 1 50 50",
        r"after open C:\a.txt 1 190 190",
    ];
    assert_eq!(told.collect::<Vec<_>>(), expected);
    assert_eq!(is_recorded(&outcome, "mini-filters"), "yes");
}
