//! Kernel symbol text: order, modules, ends, aliases, damage.

use super::*;

const TEXT: &str = "\
ffffffff81000000 T _stext
ffffffff81000000 T _text
ffffffff81000040 t startup
ffffffff81000040 W startup_alias
ffffffff81000100 T __x64_sys_read
ffffffff81000180 r not_code
ffffffff81000200 T _etext
ffffffffc0201000 t second_in_memory\t[ext4]
ffffffffc0200000 T first_in_memory\t[ext4]
ffffffffc0300000 t bpf_prog_6deef7357e7b4530_sd_devices\t[bpf]
ffffffffc0300080 t bpf_prog_6deef7357e7b4530_sd_devices\t[bpf]
";

fn names_at(text: &str, addresses: &[u64]) -> Vec<Option<(String, u64)>> {
    let symbols = KernelSymbols::from_kallsyms_text(text.as_bytes().to_vec()).unwrap();
    let mut names = Names::new();
    let found = symbols.symbols_of(addresses, &mut names);
    found
        .into_iter()
        .zip(addresses)
        .map(|(found, address)| {
            found.map(|(id, start)| (names.text(id).to_owned(), address - start))
        })
        .collect()
}

fn check(text: &str, address: u64, expected: Option<(&str, u64)>) {
    let expected = expected.map(|(name, offset)| (name.to_owned(), offset));
    assert_eq!(names_at(text, &[address]), [expected], "{address:#x}");
}

#[test]
fn each_symbol_reaches_to_the_next_and_the_last_alias_wins() {
    check(TEXT, 0xffff_ffff_8100_0000, Some(("_text", 0)));
    check(TEXT, 0xffff_ffff_8100_003f, Some(("_text", 0x3f)));
    check(TEXT, 0xffff_ffff_8100_0041, Some(("startup_alias", 1)));
    check(TEXT, 0xffff_ffff_8100_01ff, Some(("__x64_sys_read", 0xff)));
    check(TEXT, 0xffff_ffff_c020_0010, Some(("first_in_memory", 0x10)));
    check(
        TEXT,
        0xffff_ffff_c020_1010,
        Some(("second_in_memory", 0x10)),
    );
    let bpf = "bpf_prog_6deef7357e7b4530_sd_devices";
    check(TEXT, 0xffff_ffff_c030_0090, Some((bpf, 0x10)));
}

#[test]
fn the_last_symbol_of_a_module_ends_with_the_following_page() {
    check(TEXT, 0xffff_ffff_8100_1fff, Some(("_etext", 0x1dff)));
    check(TEXT, 0xffff_ffff_8100_2000, None);
    check(
        TEXT,
        0xffff_ffff_c020_1fff,
        Some(("second_in_memory", 0xfff)),
    );
    check(TEXT, 0xffff_ffff_c020_2000, None);
    check(TEXT, u64::MAX, None);
    check(TEXT, 0, None);
    check(TEXT, 0xffff_ffff_80ff_ffff, None);
}

#[test]
fn hidden_and_missing_symbols_are_told_apart() {
    let of = |text: &str| KernelSymbols::from_kallsyms_text(text.as_bytes().to_vec()).err();
    let hidden = "0000000000000000 T _text\n0000000000000000 T _etext\n";
    assert_eq!(of(hidden), Some(Reason::KernelHidden));
    assert_eq!(of(""), Some(Reason::KernelMissing));
    assert_eq!(of("no symbols here\n"), Some(Reason::KernelMissing));
    assert_eq!(of(TEXT), None);
}

#[test]
fn damaged_lines_are_skipped() {
    let text = "\n \nffffffff81000000\nffffffff81000000 T\nffffffff81000000 T \n\
                fffffffff81000000a T too_long\n12 T short\r\n12345678 T last";
    check(text, 0x13, Some(("short\r", 1)));
    check(text, 0x1234_5678, Some(("last", 0)));
}

#[test]
fn the_lines_for_some_addresses_name_them_the_same() {
    let all = KernelSymbols::from_kallsyms_text(TEXT.as_bytes().to_vec()).unwrap();
    let base = 0xffff_ffff_8100_0000;
    let mut addresses: Vec<u64> = (0..0x2100).step_by(0x31).map(|i| base + i).collect();
    addresses.extend([
        0xffff_ffff_c020_0000,
        0xffff_ffff_c020_2000,
        0xffff_ffff_c030_0001,
    ]);
    for n in 1..addresses.len() {
        let some = &addresses[..n];
        let text = String::from_utf8(all.lines_for(some)).unwrap();
        assert_eq!(names_at(&text, some), names_at(TEXT, some));
    }
    let few = all.lines_for(&[base + 0x41]);
    assert!(few.len() < 150, "{}", String::from_utf8_lossy(&few));
}
