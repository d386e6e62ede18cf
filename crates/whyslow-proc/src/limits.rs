//! Resource limits of a process: `/proc/PID/limits`.

/// Returns the limits of a process that are not `unlimited`: name, and value as `soft hard unit`.
pub fn of_process(pid: i32) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/limits")).unwrap_or_default();
    parse(&text)
}

/// Reads lines `Max open files            20000                20000                files`; the first line has the
/// column positions.
fn parse(text: &str) -> Vec<(String, String)> {
    let mut lines = text.lines();
    let head = lines.next().unwrap_or_default();
    let Some(soft) = head.find("Soft Limit") else {
        return Vec::new();
    };
    let limit = |line: &str| {
        let (name, rest) = line.split_at_checked(soft)?;
        let words: Vec<&str> = rest.split_ascii_whitespace().collect();
        let name = name.trim().strip_prefix("Max ")?.replace(' ', "_");
        let is_limited = words.first().is_some_and(|&soft| soft != "unlimited");
        (is_limited && words.len() >= 2).then(|| (name, words.join(" ")))
    };
    lines.filter_map(limit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_told_but_for_those_that_are_none() {
        let text = "\
Limit                     Soft Limit           Hard Limit           Units     \n\
Max cpu time              unlimited            unlimited            seconds   \n\
Max open files            1024                 unlimited            files     \n\
Max nice priority         0                    0                    \n\
nonsense\n";
        let told = parse(text);
        let told: Vec<_> = told.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        let expected = [
            ("open_files", "1024 unlimited files"),
            ("nice_priority", "0 0"),
        ];
        assert_eq!(told, expected);
        assert!(parse("").is_empty());
    }
}
