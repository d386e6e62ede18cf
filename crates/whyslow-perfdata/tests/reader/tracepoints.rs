//! Formats of tracepoints, and payloads read with them.

use std::io::Cursor;

use whyslow_perfdata::{Dynamic, Endian, EventIndex, FaultKind, Reader, TraceFormat};

use crate::formats::rich;
use crate::synthetic::Bytes;
use crate::touch::walk_reader;

const WAKING: &str = "name: sched_waking
ID: 370
format:
\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;
\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;
\tfield:const char * filename;\toffset:32;\tsize:8;\tsigned:0;
\tfield:__data_loc char[] name;\toffset:40;\tsize:4;\tsigned:0;
\tfield:__rel_loc char[] other;\toffset:44;\tsize:4;\tsigned:0;
\tfield:u8 small;\toffset:48;\tsize:1;\tsigned:1;
\tfield:u64 args[6];\toffset:56;\tsize:48;\tsigned:0;

print fmt: \"comm=%s pid=%d\", REC->comm, REC->pid
";

const SWITCH: &str = "name: sched_switch
ID: 371
format:
\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;

print fmt: \"%s\", (REC->prev_state & (256 - 1)) ? __print_flags(REC->prev_state & (256 - 1), \"|\", { 0x1, \"S\" }, { 0x2, \"D\" }) : \"R\", REC->prev_state & 256 ? \"+\" : \"\"
";

/// The container of formats, as `perf record` writes it.
pub(crate) fn container(big: bool, version: &str) -> Vec<u8> {
    let text = |bytes: Bytes, text: &str| bytes.u64(text.len() as u64).raw(text.as_bytes());
    let bytes = Bytes::new(big)
        .raw(b"\x17\x08\x44tracing")
        .raw(version.as_bytes())
        .u8(0);
    let bytes = bytes.u8(u8::from(big)).u8(8).u32(4096);
    let bytes = text(bytes.raw(b"header_page\0"), "\tfield: u64 timestamp;\n");
    let bytes = text(bytes.raw(b"header_event\0"), "# compressed entry header\n");
    let bytes = text(bytes.u32(1), "name: function\nID: 1\n");
    let bytes = text(bytes.u32(1).raw(b"sched\0").u32(2), WAKING);
    let bytes = text(bytes, SWITCH).u32(0).u32(0);
    if version == "0.6" {
        return bytes.u64(0).out;
    }
    bytes.out
}

#[test]
fn formats_in_files_and_pipes() {
    for (big, version) in [(false, "0.5"), (false, "0.6"), (true, "0.5"), (true, "0.6")] {
        let mut file = rich(big);
        file.features.push((1, container(big, version)));
        file.features.sort();
        for bytes in [file.regular(), file.pipe()] {
            let mut reader = Reader::from_seekable(Box::new(Cursor::new(bytes))).unwrap();
            walk_reader(&mut reader).unwrap();
            assert!(reader.faults().get(FaultKind::BadFeature).is_none());
            let names: Vec<_> = reader.features().formats.iter().collect();
            assert_eq!(names.len(), 2);
            let format = reader.format(EventIndex(1)).expect("waking");
            assert_eq!(
                (format.system.as_str(), format.name.as_str()),
                ("sched", "sched_waking")
            );
            assert!(reader.format(EventIndex(0)).is_none());
            let switch = reader.features().format(371).unwrap();
            let states = switch.switch_states().unwrap();
            assert_eq!((states.letter(2), states.preempted), ('D', Some(256)));
            assert_eq!(switch.flags(), [("S".to_owned(), 1), ("D".to_owned(), 2)]);
        }
    }
}

#[test]
fn a_tracepoint_without_format_is_told() {
    let file = rich(false).regular();
    let mut reader = Reader::from_seekable(Box::new(Cursor::new(file))).unwrap();
    walk_reader(&mut reader).unwrap();
    let fault = reader.faults().get(FaultKind::MissingFeature).unwrap();
    assert_eq!(fault.detail, "format of tracepoint 370");
}

#[test]
fn fields_and_payloads() {
    let format = TraceFormat::parse("sched", WAKING).unwrap();
    for (big, endian) in [(false, Endian::Little), (true, Endian::Big)] {
        let payload = Bytes::new(big).u16(370).u8(0).u8(0).i32(-5);
        let payload = payload
            .raw(b"worker\0\0\0\0\0\0\0\0\0\0")
            .i32(-1)
            .zeros(4)
            .u64(u64::MAX);
        // Length in the upper half, place in the lower one: from the start, from the field's end.
        let payload = payload
            .u32(4 << 16 | 104)
            .u32(3 << 16 | 60)
            .u8(0x80)
            .zeros(7);
        let payload = payload.words(&[1, 2, 3, 4, 5, 6]).raw(b"abc\0def\0").out;
        let number = |name: &str| format.field(name).unwrap().read_i64(&payload, endian);
        let text = |name: &str| format.field(name).unwrap().read_text(&payload, endian);
        assert_eq!(number("common_type"), Some(370));
        assert_eq!(number("common_pid"), Some(-5));
        assert_eq!(number("pid"), Some(-1));
        assert_eq!(number("filename"), Some(-1));
        assert_eq!(number("small"), Some(-128));
        assert_eq!(number("args"), None);
        assert_eq!(text("comm"), Some(b"worker".as_slice()));
        assert_eq!(text("name"), Some(b"abc".as_slice()));
        assert_eq!(text("other"), Some(b"def".as_slice()));
        let comm = format.field("comm").unwrap();
        assert!(comm.array && comm.dynamic == Dynamic::No);
        assert_eq!(comm.read_text(&payload[..20], endian), None);
        assert_eq!(format.field("name").unwrap().dynamic, Dynamic::Absolute);
        assert_eq!(format.field("other").unwrap().dynamic, Dynamic::Relative);
    }
    assert_eq!(format.fields.len(), 9);
    assert!(format.switch_states().is_none());
}

#[test]
fn texts_that_are_no_formats() {
    for text in ["", "name: x\n", "ID: 5\n", "name: x\nID: many\n", "\0\0\0"] {
        assert_eq!(TraceFormat::parse("s", text), None, "{text:?}");
    }
    let odd = "name: x\nID: 5\nfield:;\nfield:int;offset:zz;\nfield: a b c;offset:1;size:2;";
    let format = TraceFormat::parse("s", odd).unwrap();
    assert_eq!(format.fields.len(), 1, "no name, no offset, whole");
}
