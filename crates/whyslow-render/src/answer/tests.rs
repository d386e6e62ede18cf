use super::*;
use whyslow_explain::finding::Confidence;
use whyslow_explain::words::{Part, Role, Spent};
use whyslow_explain::{Target, explain};
use whyslow_results::Kind;
use whyslow_testkit::random_trace;

fn span(role: Role, text: &str) -> Span {
    let content = Content::Text(text.to_owned());
    Span { role, content }
}

fn figure(kind: Kind, value: i64) -> Span {
    let content = Content::Quantity(kind, value);
    let role = Role::Figure;
    Span { role, content }
}

fn line(shape: Shape, spans: Vec<Span>) -> Line {
    Line { shape, spans }
}

fn part(spent: Spent, label: &str, percent: u8) -> Part {
    let label = label.to_owned();
    Part {
        spent,
        label,
        percent,
    }
}

fn printed(lines: &[Line], room: usize) -> String {
    let options = AnswerOptions {
        room,
        ..AnswerOptions::default()
    };
    let mut out = Vec::new();
    write_lines(lines, options, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn page() -> Vec<Line> {
    let parts = vec![
        part(Spent::Running, "on CPU", 58),
        part(Spent::Waiting, "disk", 30),
        part(Spent::Ready, "competing", 12),
    ];
    let title = vec![
        span(Role::Title, "notes_index --all"),
        span(Role::Plain, " took "),
        figure(Kind::Duration, 455_123_456),
    ];
    let share = Span {
        role: Role::Figure,
        content: Content::Percent(30.2),
    };
    let claim = vec![
        span(Role::Plain, "It waits for the disk after every note: "),
        figure(Kind::Count, 1500),
        span(Role::Plain, " fsync calls, "),
        share,
        span(Role::Plain, " of the time"),
    ];
    let number = Some(1);
    let confidence = Confidence::Certain;
    let detail = Shape::Detail { is_below: false };
    let command = Shape::Command {
        is_first: true,
        shows: "where it waited",
    };
    let words = ["whyslow", "stacks", "a\x1bb.whyslow", "--by", "wait"];
    let words = words.map(|word| span(Role::Command, word));
    vec![
        line(Shape::Title(parts), title),
        line(Shape::Blank, Vec::new()),
        line(Shape::Cause { number, confidence }, claim),
        line(
            detail,
            vec![span(
                Role::Function,
                "Journal::append → an_unreasonably_long_name_of_a_function",
            )],
        ),
        line(Shape::Blank, Vec::new()),
        line(command, words.to_vec()),
    ]
}

#[test]
fn a_page_of_the_usual_width() {
    let expected = "\
notes_index --all took 455 ms    on CPU 58 % ▇▇▇▇▇▇▇▇▇▇▇▇   disk 30 % ▒▒▒▒▒▒   competing 12 % ░░

1  It waits for the disk after every note: 1,500 fsync calls, 30 % of the time               certain
     Journal::append → an_unreasonably_long_name_of_a_function

Next:  whyslow stacks a\\x1bb.whyslow --by wait  # where it waited
";
    assert_eq!(printed(&page(), 100), expected);
}

#[test]
fn a_narrow_page_breaks_between_words_and_commands_stay_commands() {
    let expected = "\
notes_i… took 455 ms
    on CPU 58 % ▇▇▇▇▇▇▇▇▇▇▇▇
    disk 30 % ▒▒▒▒▒▒
    competing 12 % ░░

1  It waits for the disk   certain
   after every note:
   1,500 fsync calls,
   30 % of the time
     Journal::append →
     an_unreasonably…of_a_function

Next:  whyslow stacks \\
         a\\x1bb.whyslow --by wait
         # where it waited
";
    assert_eq!(printed(&page(), 34), expected);
}

/// A place and the file beside it have four columns between them.
#[test]
fn nothing_keeps_apart_what_is_on_two_lines() {
    let spans = vec![
        span(Role::Function, "Filesystem::open_rw"),
        span(Role::Plain, "    "),
        span(Role::Plain, "target/debug/.cargo-lock"),
    ];
    let detail = Shape::Detail { is_below: false };
    let lines = [line(detail, spans)];
    let wide = "     Filesystem::open_rw    target/debug/.cargo-lock\n";
    assert_eq!(printed(&lines, 100), wide);
    let narrow = "     Filesystem::open_rw\n     target/debug/.cargo-lock\n";
    assert_eq!(printed(&lines, 40), narrow);
}

#[test]
fn no_line_is_wider_than_its_room() {
    for seed in 1..80 {
        let mut trace = random_trace(seed);
        for process in &mut trace.processes {
            process.name = format!("{}-{}", process.name, "x".repeat(seed as usize));
        }
        let trace = trace.raw("t");
        let target = Target {
            os_pid: Some(1),
            command: Some(format!("work {}", "--hard ".repeat(seed as usize % 30))),
            extract: Some("a.whyslow".to_owned()),
            ..Target::default()
        };
        let answer = explain(&trace, &target).unwrap();
        for room in [40, 80, 100] {
            let options = AnswerOptions {
                room,
                ..AnswerOptions::default()
            };
            let mut out = Vec::new();
            write_answer(&answer, options, &mut out).unwrap();
            let text = String::from_utf8(out).unwrap();
            for line in text.lines() {
                // An option with its value, and the mark that the command continues.
                let words = line.trim_start_matches("Next:").trim_end_matches('\\');
                let is_word = words.split_whitespace().count() <= 2;
                assert!(width(line) <= room || is_word, "{line}\n{text}");
            }
        }
    }
}
