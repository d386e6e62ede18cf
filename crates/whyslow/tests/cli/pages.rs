//! Help, columns, completions, manual pages, `docs/commands.md`.

use std::path::Path;

use crate::harness::{Place, compare, golden};

#[test]
fn help_of_every_command() {
    let place = Place::new();
    let commands = [
        "run",
        "record",
        "extract",
        "processes",
        "threads",
        "cpu",
        "waits",
        "stacks",
        "timeline",
        "stats",
        "problems",
        "events",
        "symbolize",
        "lab",
        "columns",
    ];
    golden("help", &place, &[&["--help"], &["help", "exit-codes"]]);
    for command in commands {
        golden(&format!("help-{command}"), &place, &[&[command, "--help"]]);
    }
}

#[test]
fn help_on_a_topic_is_the_help_of_the_command() {
    let place = Place::new();
    assert_eq!(
        place.run(&["help", "cpu"]).out,
        place.run(&["cpu", "--help"]).out
    );
    assert_eq!(place.run(&["help"]).out, place.run(&["--help"]).out);
    let rules = place.run(&["help", "wait-rules"]);
    assert!(rules.out.contains("disk"), "{rules:?}");
    place
        .run(&["help", "nonsense"])
        .fails(2, &["whyslow: no help on \"nonsense\"", "hint: "]);
}

#[test]
fn columns_are_explained() {
    let place = Place::new();
    golden(
        "columns",
        &place,
        &[
            &["columns"],
            &["columns", "cpu"],
            &["columns", "thread_state"],
        ],
    );
    place
        .run(&["columns", "nonsense"])
        .fails(2, &["whyslow: there is no question", "hint: "]);
}

#[test]
fn pages_of_the_documentation_are_current() {
    for page in ["commands", "extract-format"] {
        let said = Place::new().run(&["markdown", "--page", page]);
        assert_eq!(said.code, Some(0), "{page}");
        let file = format!("../../docs/{page}.md");
        compare(Path::new(&file), &said.out);
    }
}

#[test]
fn shells_get_completions() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let said = place.run(&["completions", shell]);
        assert_eq!(said.code, Some(0), "{shell}");
        assert!(said.out.contains("time-format"), "{shell}");
    }
}

#[test]
fn there_are_manual_pages() {
    let place = Place::new();
    let page = place.run(&["man", "cpu"]);
    assert!(
        page.out.contains("whyslow\\-cpu") && page.out.contains("\\-\\-functions"),
        "{page:?}"
    );
    assert_eq!(place.run(&["man", "--all", "pages"]).code, Some(0));
    assert!(place.path("pages/whyslow-stacks.1").is_file());
    place
        .run(&["man", "nonsense"])
        .fails(2, &["whyslow: there is no command"]);
}
