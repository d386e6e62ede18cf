//! The client against answers written by hand from MS-SMB2.

use rustix::io::Errno;

use super::*;
use crate::script::{Script, mutated};

const FILE: FileId = *b"0123456789abcdef";

/// Returns an answer with its length in front.
fn answer(command: Command, status: u32, message: u64, body: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend(
        u32::try_from(HEADER + body.len())
            .expect("small")
            .to_be_bytes(),
    );
    out.extend(b"\xfeSMB");
    out.extend(64_u16.to_le_bytes());
    out.extend(1_u16.to_le_bytes());
    out.extend(status.to_le_bytes());
    out.extend((command as u16).to_le_bytes());
    out.extend(1_u16.to_le_bytes());
    out.extend(1_u32.to_le_bytes());
    out.extend(0_u32.to_le_bytes());
    out.extend(message.to_le_bytes());
    out.extend(0_u32.to_le_bytes());
    out.extend(0x77_u32.to_le_bytes());
    out.extend(0x5e55_u64.to_le_bytes());
    out.extend([0; 16]);
    out.extend(body);
    out
}

/// Returns the answers to everything that connecting asks.
fn greeting(dialect: u16) -> Vec<u8> {
    let mut chosen = vec![65, 0, 1, 0];
    chosen.extend(dialect.to_le_bytes());
    chosen.resize(28, 0);
    for most in [1_u32 << 20; 3] {
        chosen.extend(most.to_le_bytes());
    }
    chosen.resize(64, 0);
    let setup = [9, 0, 0, 0, 72, 0, 0, 0];
    let tree = [16, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 1, 0x1f, 0];
    [
        answer(Command::Negotiate, 0, 0, &chosen),
        answer(Command::SessionSetup, status::MORE_PROCESSING, 1, &setup),
        answer(Command::SessionSetup, 0, 2, &setup),
        answer(Command::TreeConnect, 0, 3, &tree),
    ]
    .concat()
}

fn created(message: u64, size: u64) -> Vec<u8> {
    let mut body = vec![0; 88];
    body[0] = 89;
    body[48..56].copy_from_slice(&size.to_le_bytes());
    body[64..80].copy_from_slice(&FILE);
    answer(Command::Create, 0, message, &body)
}

fn closed(message: u64) -> Vec<u8> {
    answer(Command::Close, 0, message, &[60; 60])
}

fn read(message: u64, bytes: &[u8]) -> Vec<u8> {
    let mut body = vec![17, 0, 80, 0];
    body.extend(u32::try_from(bytes.len()).expect("small").to_le_bytes());
    body.resize(16, 0);
    body.extend(bytes);
    answer(Command::Read, 0, message, &body)
}

fn entry(name: &str, last: bool) -> Vec<u8> {
    let name: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut out = vec![0; 60];
    out.extend(u32::try_from(name.len()).expect("small").to_le_bytes());
    out.extend(name);
    out.resize(out.len().next_multiple_of(8), 0);
    let next = if last { 0 } else { out.len() };
    out[..4].copy_from_slice(&u32::try_from(next).expect("small").to_le_bytes());
    out
}

fn listed(message: u64, names: &[&str]) -> Vec<u8> {
    let (last, others) = names.split_last().expect("names");
    let mut entries: Vec<u8> = others.iter().flat_map(|name| entry(name, false)).collect();
    entries.extend(entry(last, true));
    let mut body = vec![9, 0, 72, 0];
    body.extend(u32::try_from(entries.len()).expect("small").to_le_bytes());
    body.extend(entries);
    answer(Command::QueryDirectory, 0, message, &body)
}

fn connect(answers: Vec<u8>) -> Result<Smb<'static>, Fault> {
    let (script, _) = Script::new(answers);
    Smb::connect(Box::new(script), &Dialect::ALL, r"\\server\lab", [7; 16])
}

#[test]
fn a_file_is_opened_read_and_closed_in_three_round_trips() {
    let answers = [greeting(0x0302), created(4, 3), read(5, b"abc"), closed(6)].concat();
    let (script, heard) = Script::new(answers);
    let offer = [Dialect::V202, Dialect::V302];
    let smb = Smb::connect(Box::new(script), &offer, r"\\server\lab", [7; 16]);
    let mut smb = smb.expect("connected");
    assert_eq!((smb.dialect(), smb.round_trips()), (Dialect::V302, 4));
    let mut text = Vec::new();
    smb.read("x", 0, 4096, &mut text).expect("read");
    assert_eq!((text.as_slice(), smb.round_trips()), (&b"abc"[..], 7));
    let heard = heard.lock().expect("heard").clone();
    // The first request: two dialects, exactly those.
    assert_eq!(heard[4 + 64..4 + 68], [36, 0, 2, 0]);
    assert_eq!(heard[4 + 100..4 + 104], [0x02, 0x02, 0x02, 0x03]);
    assert_eq!(heard[..4], 104_u32.to_be_bytes());
    let unicode =
        |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let share = unicode(r"\\server\lab");
    assert!(heard.windows(share.len()).any(|part| part == share));
    // The last one closes the file that was opened, in the tree and the session that were given.
    let last = &heard[heard.len() - 88..];
    assert_eq!(last[72..], FILE);
    assert_eq!(last[36..40], 0x77_u32.to_le_bytes());
    assert_eq!(last[40..48], 0x5e55_u64.to_le_bytes());
}

fn written(message: u64, count: u32) -> Vec<u8> {
    let mut body = vec![17, 0, 0, 0];
    body.extend(count.to_le_bytes());
    body.resize(16, 0);
    answer(Command::Write, 0, message, &body)
}

#[test]
fn what_the_server_did_not_take_is_written_again_until_it_says_why() {
    let full = answer(Command::Write, 0xC000_007F, 6, &[9; 9]);
    let parts = [
        greeting(0x0302),
        created(4, 0),
        written(5, 3),
        full,
        closed(7),
    ];
    let (script, heard) = Script::new(parts.concat());
    let smb = Smb::connect(Box::new(script), &Dialect::ALL, r"\\server\lab", [7; 16]);
    let fault = smb.expect("connected").write("x", b"abcdef");
    assert_eq!(fault.expect_err("no room").errno(), Errno::NOSPC);
    let heard = heard.lock().expect("heard").clone();
    assert!(heard[..heard.len() - 4 - 88].ends_with(b"def"));
    for odd in [0, 7] {
        let mut smb = connect([greeting(0x0302), created(4, 0), written(5, odd)].concat());
        let fault = smb.as_mut().expect("connected").write("x", b"abcdef");
        assert_eq!(fault.expect_err("odd").errno(), Errno::PROTO, "{odd}");
    }
}

#[test]
fn a_file_of_any_size_the_server_says_is_not_read() {
    let mut smb = connect([greeting(0x0302), created(4, u64::MAX)].concat()).expect("connected");
    let fault = smb.read_all("x", &mut Vec::new()).expect_err("too long");
    assert_eq!(fault.errno(), Errno::PROTO);
    assert_eq!(smb.round_trips(), 5);
}

#[test]
fn the_newest_dialect_comes_with_its_context() {
    let (script, heard) = Script::new(greeting(0x0311));
    let offer = [Dialect::V311];
    Smb::connect(Box::new(script), &offer, r"\\s\lab", [7; 16]).expect("connected");
    let heard = heard.lock().expect("heard").clone();
    let message = &heard[4..];
    let offset = u32::from_le_bytes(message[92..96].try_into().expect("four"));
    assert_eq!((offset % 8, message[96]), (0, 1));
    let context = &message[usize::try_from(offset).expect("small")..];
    assert_eq!(context[..4], [1, 0, 38, 0]);
    assert_eq!(context[8..14], [1, 0, 32, 0, 1, 0]);
}

#[test]
fn listings_are_counted_without_the_two_that_are_always_there() {
    let end = answer(Command::QueryDirectory, status::NO_MORE_FILES, 7, &[9; 9]);
    let parts = [
        greeting(0x0210),
        created(4, 0),
        listed(5, &[".", "..", "a"]),
        listed(6, &["..."]),
        end,
        closed(8),
    ];
    let mut smb = connect(parts.concat()).expect("connected");
    assert_eq!(smb.list().ok(), Some(2));
    assert_eq!(smb.round_trips(), 9);
}

#[test]
fn answers_that_come_later_are_waited_for_and_breaks_passed_over() {
    let parts = [
        greeting(0x0300),
        answer(Command::Create, status::PENDING, 4, &[9; 9]),
        answer(Command::Close, 0, u64::MAX, &[24; 24]),
        created(4, 0),
        closed(5),
    ];
    let mut smb = connect(parts.concat()).expect("connected");
    smb.open("x").expect("opened");
    assert_eq!(smb.round_trips(), 6);
}

#[test]
fn refusals_have_the_system_s_numbers() {
    let collision = answer(Command::Create, 0xC000_0035, 4, &[9; 9]);
    let mut smb = connect([greeting(0x0202), collision].concat()).expect("connected");
    let fault = smb.create("x").expect_err("it is there");
    assert!(fault.is_refusal());
    assert_eq!(fault.errno(), Errno::EXIST);
    let text = "the server refused CREATE: STATUS_OBJECT_NAME_COLLISION (0xc0000035)";
    assert_eq!(fault.to_string(), text);
    let fault = smb.create("x").expect_err("it is gone");
    assert!(matches!(fault, Fault::Closed));
    let refusal = answer(Command::Negotiate, 0xC000_00BB, 0, &[9; 9]);
    let fault = connect(refusal).map(|_| ()).expect_err("refused");
    assert_eq!(fault.errno(), Errno::OPNOTSUPP);
    let older = connect(greeting(0x0211))
        .map(|_| ())
        .expect_err("no dialect");
    assert_eq!(older.errno(), Errno::PROTO);
}

#[test]
fn whatever_a_server_says_nothing_panics() {
    let talk = |answers: Vec<u8>| {
        let Ok(mut smb) = connect(answers) else {
            return;
        };
        let mut text = Vec::new();
        let _read = smb.read_all("x", &mut text);
        let _listed = smb.list();
        let _renamed = smb.rename("a", "b");
        assert!(text.len() < 1 << 20);
    };
    let end = answer(Command::QueryDirectory, status::NO_MORE_FILES, 9, &[9; 9]);
    let parts = [
        greeting(0x0311),
        created(4, 3),
        read(5, b"abc"),
        closed(6),
        created(7, 0),
        listed(8, &["a", "b"]),
        end,
        closed(10),
    ];
    mutated(&parts.concat(), talk);
    talk(vec![0, 0xff, 0xff, 0xff]);
    talk(vec![0; 64]);
}
