//! Texts whose paragraphs are laid out for the terminal at hand.

/// Returns a command line whose texts, and those of its commands, flow.
#[must_use]
pub fn command(whole: clap::Command) -> clap::Command {
    let flow = |command: clap::Command| match command.get_after_help() {
        Some(text) => {
            let text = flowing(&text.to_string());
            command.after_help(text)
        }
        None => command,
    };
    flow(whole).mut_subcommands(flow)
}

/// Joins the lines of paragraphs. Lists and examples are indented, and stay as they are.
fn flowing(text: &str) -> String {
    let mut flowing = String::new();
    let mut before = "";
    for line in text.lines() {
        let is_word = |line: &str| !line.is_empty() && !line.starts_with(' ');
        if is_word(before) && is_word(line) {
            flowing.push(' ');
        } else if !flowing.is_empty() {
            flowing.push('\n');
        }
        flowing.push_str(line);
        before = line;
    }
    flowing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_of_help_fill_their_lines() {
        assert_eq!(
            flowing("One two\nthree.\n\nExamples:\n  a b\n  c\n\nEnd\nhere."),
            "One two three.\n\nExamples:\n  a b\n  c\n\nEnd here."
        );
    }
}
