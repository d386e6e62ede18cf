//! The running kernel counts only if it is the expected one.

use super::*;

struct Files {
    _dir: std::path::PathBuf,
    kallsyms: std::path::PathBuf,
    notes: std::path::PathBuf,
}

fn files(name: &str) -> Files {
    let dir = std::env::temp_dir().join(format!("whyslow-kernel-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let kallsyms = dir.join("kallsyms");
    let notes = dir.join("notes");
    std::fs::write(&kallsyms, "ffffffff81000000 T _text\n").unwrap();
    let mut note = Vec::new();
    for word in [4_u32, 3, 3] {
        note.extend(word.to_ne_bytes());
    }
    note.extend(b"GNU\0\x01\x02\x03\0");
    std::fs::write(&notes, note).unwrap();
    Files {
        _dir: dir,
        kallsyms,
        notes,
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        let _cleaned = std::fs::remove_dir_all(&self._dir);
    }
}

fn check(name: &str, id: Option<&[u8]>, text: Option<u64>, expected: Result<(), Reason>) {
    let files = files(name);
    let identity = KernelIdentity {
        build_id: id.map(<[u8]>::to_vec),
        text_address: text,
    };
    let found = from_files(&files.kallsyms, &files.notes, &identity);
    assert_eq!(found.map(|_| ()), expected);
}

#[test]
fn both_facts_must_fit_where_known() {
    let (id, text) = (&[1, 2, 3][..], 0xffff_ffff_8100_0000);
    let differs = Err(Reason::KernelDiffers);
    check("fits", Some(id), Some(text), Ok(()));
    check("id-only", Some(id), None, Ok(()));
    check("text-only", None, Some(text), Ok(()));
    check("nothing", None, None, differs);
    check("moved", Some(id), Some(text + 0x20_0000), differs);
    check("other-id", Some(&[1, 2, 4]), Some(text), differs);
}

#[test]
fn hidden_and_absent_kernels() {
    let f = files("hidden");
    std::fs::write(&f.kallsyms, "0000000000000000 T _text\n").unwrap();
    let identity = KernelIdentity {
        build_id: Some(vec![1, 2, 3]),
        text_address: None,
    };
    let hidden = from_files(&f.kallsyms, &f.notes, &identity);
    assert_eq!(hidden.err(), Some(Reason::KernelHidden));
    let absent = from_files(&f.kallsyms.join("x"), &f.notes, &identity);
    assert_eq!(absent.err(), Some(Reason::KernelMissing));
}
