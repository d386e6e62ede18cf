use super::*;

/// Returns the names that are tried as these numbers, from 1.
fn tried(generation: Generation, long: &str, numbers: &[u32]) -> Vec<String> {
    let candidates = Candidates::new(generation, long).expect("a long name");
    let names = numbers.iter().map(|number| candidates.get(number - 1));
    names
        .map(|name| name.expect("enough").to_string())
        .collect()
}

#[test]
fn names_from_real_machines() {
    let fifth = |generation, long| tried(generation, long, &[5])[0].clone();
    for (long, short) in [
        ("Microsoft Office", "MIF5BA~1"),
        ("Microsoft SQL Server", "MI3EDC~1"),
        ("Windows Media Player", "WI54FB~1"),
        ("Windows Kits", "WI3CF2~1"),
        ("Windows Sidebar", "WI4223~1"),
        ("Windows Portable Devices", "WIBFE5~1"),
        ("SomeStuff.aspx", "SOBC84~1.ASP"),
    ] {
        assert_eq!(fifth(Generation::Seven, long), short);
    }
    let xp = fifth(Generation::Xp, "Microsoft SQL Server");
    assert_eq!(xp, "MI6841~1");
}

#[test]
fn checksums_that_others_computed() {
    let generations = [Generation::Seven, Generation::Xp, Generation::Nt4];
    for (long, expected) in [
        (
            "file-000001.txt",
            ["FICE06~1.TXT", "FI879A~1.TXT", "FIBAA3~1.TXT"],
        ),
        (
            "TextFile.Mine.txt",
            ["TEE50A~1.TXT", "TEC54C~1.TXT", "TE7091~1.TXT"],
        ),
    ] {
        let found = generations.map(|generation| tried(generation, long, &[5])[0].clone());
        assert_eq!(found, expected);
    }
}

#[test]
fn the_first_four_have_six_characters_and_numbers_take_their_room() {
    let xp = tried(Generation::Xp, "Microsoft Office", &[1, 4, 5, 13, 14, 104]);
    let expected = [
        "MICROS~1", "MICROS~4", "MI1933~1", "MI1933~9", "MI193~10", "MI19~100",
    ];
    assert_eq!(xp, expected);
    let first = tried(Generation::Nt31, "my terminal.txt", &[9, 10, 100, 999_999]);
    assert_eq!(
        first,
        [
            "MYTERM~9.TXT",
            "MYTER~10.TXT",
            "MYTE~100.TXT",
            "M~999999.TXT"
        ]
    );
    let candidates = Candidates::new(Generation::Nt31, "my terminal.txt").expect("long");
    assert_eq!(candidates.get(999_999), None);
}

#[test]
fn characters_that_short_names_cannot_have() {
    let first = |long| tried(Generation::Seven, long, &[1])[0].clone();
    assert_eq!(first("..a+b [c].long.jpeg"), "A_B_C_~1.JPE");
    assert_eq!(first("straße.txt"), "STRAE~1.TXT");
    assert_eq!(first("no extension at all"), "NOEXTE~1");
    // Two characters or fewer say too little: the checksum comes at once.
    assert!(first("a b.c").starts_with("AB") && first("a b.c").len() == "AB1234~1.C".len());
}

#[test]
fn names_that_are_short_get_no_other() {
    for short in ["A", "readme.md", "FILE-999.TXT", "a~1", "ABCDEFGH.I"] {
        assert!(is_short(short), "{short}");
        assert_eq!(Candidates::new(Generation::Xp, short), None);
    }
    let long = [
        "",
        ".x",
        "a.",
        "abcdefghi",
        "a.html",
        "a b",
        "a.b.c",
        "a+b",
        "ä",
    ];
    for long in long {
        assert!(!is_short(long), "{long}");
    }
}
