//! The client against answers written by hand from RFC 1813.

use rustix::io::Errno;

use super::*;
use crate::script::{Heard, Script, mutated};

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// Returns an answer to the call `id` with its length in front, in two fragments.
fn answer(id: u32, status: u32, body: &[u8]) -> Vec<u8> {
    let whole = [words(&[id, 1, 0, 0, 0, 0, status]), body.to_vec()].concat();
    let (first, second) = whole.split_at(12);
    let last = LAST | u32::try_from(second.len()).expect("small");
    [&words(&[12]), first, &words(&[last]), second].concat()
}

const LAST: u32 = 1 << 31;

fn file(handle: u32) -> Vec<u8> {
    words(&[4, handle])
}

/// Returns attributes of a file of this size.
fn of_size(size: u32) -> Vec<u8> {
    let mut all = vec![0; 22];
    all[0] = 1;
    all[7] = size;
    words(&all)
}

fn connect(answers: Vec<u8>) -> (Result<Nfs<'static>, Fault>, Heard) {
    let (mount, _) = Script::new(answer(1, 0, &[file(1), words(&[1, 1])].concat()));
    let (script, heard) = Script::new(answers);
    let root = super::mount(Box::new(mount), "/x");
    (root.map(|root| Nfs::connect(Box::new(script), root)), heard)
}

fn looked_up(id: u32, size: u32) -> Vec<u8> {
    answer(id, 0, &[file(9), of_size(size), words(&[0])].concat())
}

fn read(id: u32) -> Vec<u8> {
    let body = [words(&[0, 3, 1, 3]), b"abc\0".to_vec()].concat();
    answer(id, 0, &body)
}

fn listed(id: u32, end: u32) -> Vec<u8> {
    let entry = |name: &[u8; 4], length: u32, cookie: u32| {
        let head = words(&[1, 0, 5, length]);
        [head, name.to_vec(), words(&[0, cookie])].concat()
    };
    let all = [
        words(&[0, 0, 7]),
        entry(b"..\0\0", 2, 1),
        entry(b"a\0\0\0", 1, 2 + id),
        words(&[0, end]),
    ];
    answer(id, 0, &all.concat())
}

#[test]
fn a_file_is_opened_and_read_in_three_round_trips() {
    let access = answer(2, 0, &words(&[0, 1]));
    let (nfs, heard) = connect([looked_up(1, 3), access, read(3)].concat());
    let mut nfs = nfs.expect("mounted");
    assert_eq!(nfs.round_trips(), 1);
    let mut text = Vec::new();
    nfs.read_all("x", &mut text).expect("read");
    assert_eq!((text.as_slice(), nfs.round_trips()), (&b"abc"[..], 4));
    let heard = heard.lock().expect("heard").clone();
    // Call 1 of NFS 3, LOOKUP, by the superuser, in the directory 1, of "x".
    let head = words(&[1, 0, 2, 100_003, 3, 3, 1, 20, 0, 0, 0, 0, 0, 0, 0, 4, 1, 1]);
    assert_eq!(heard[4..4 + head.len()], head);
    assert_eq!(heard[4 + head.len()..][..4], *b"x\0\0\0");
}

#[test]
fn status_names_the_size_whether_it_comes_at_once_or_later() {
    let (nfs, _) = connect(looked_up(1, 77));
    assert_eq!(nfs.expect("mounted").stat("x").ok(), Some(77));
    let bare = answer(1, 0, &[file(9), words(&[0, 0])].concat());
    let later = answer(2, 0, &of_size(78)[4..]);
    let (nfs, _) = connect([bare, later].concat());
    let mut nfs = nfs.expect("mounted");
    assert_eq!((nfs.stat("x").ok(), nfs.round_trips()), (Some(78), 3));
}

#[test]
fn what_the_server_did_not_take_is_written_again_until_it_says_why() {
    let made = |id| answer(id, 0, &[words(&[1]), file(9), words(&[0; 3])].concat());
    let written = |id, count| answer(id, 0, &words(&[0, 0, count, 0, 0, 0]));
    let full = answer(3, 28, &words(&[0, 0]));
    let (nfs, heard) = connect([made(1), written(2, 3), full].concat());
    let fault = nfs.expect("mounted").write("x", b"abcdef");
    assert_eq!(fault.expect_err("no room").errno(), Errno::NOSPC);
    assert!(heard.lock().expect("heard").ends_with(b"\0\0\0\x03def\0"));
    for odd in [0, 7] {
        let (nfs, _) = connect([made(1), written(2, odd)].concat());
        let fault = nfs.expect("mounted").write("x", b"abcdef");
        assert_eq!(fault.expect_err("odd").errno(), Errno::PROTO, "{odd}");
    }
}

#[test]
fn listings_end() {
    let (nfs, _) = connect([listed(1, 0), listed(2, 1)].concat());
    assert_eq!(nfs.expect("mounted").list().ok(), Some(2));
    let nothing = answer(1, 0, &words(&[0, 0, 7, 0, 0]));
    let (nfs, _) = connect(nothing);
    let fault = nfs.expect("mounted").list().expect_err("it goes on and on");
    assert_eq!(fault.errno(), Errno::PROTO);
}

#[test]
fn refusals_have_the_system_s_numbers() {
    let (nfs, heard) = connect(answer(1, 17, &words(&[0, 0])));
    let fault = nfs.expect("mounted").create("x").expect_err("it is there");
    assert_eq!(fault.errno(), Errno::EXIST);
    assert_eq!(
        fault.to_string(),
        "the server refused CREATE: NFS3ERR_EXIST (0x11)"
    );
    // A file of mode 644 that must be new.
    let end = words(&[1, 1, 0o644, 0, 0, 0, 0, 0]);
    assert!(heard.lock().expect("heard").ends_with(&end));
    let (script, _) = Script::new(answer(1, 13, &[]));
    let refused = mount(Box::new(script), "/x").map(|_| ());
    assert_eq!(refused.expect_err("refused").errno(), Errno::ACCESS);
}

#[test]
fn whatever_a_server_says_nothing_panics() {
    let talk = |answers: Vec<u8>| {
        let Ok(mut nfs) = connect(answers).0 else {
            return;
        };
        let mut text = Vec::new();
        let _read = nfs.read_all("x", &mut text);
        let _listed = nfs.list();
        let _stat = nfs.stat("x");
        assert!(text.len() < 1 << 20);
    };
    let access = answer(2, 0, &words(&[0, 1]));
    let parts = [
        looked_up(1, 3),
        access,
        read(3),
        listed(4, 1),
        looked_up(5, 4),
    ];
    mutated(&parts.concat(), talk);
    talk(words(&[LAST | 0x7fff_ffff]));
    talk(words(&[0, 0, 0, 0]));
}
