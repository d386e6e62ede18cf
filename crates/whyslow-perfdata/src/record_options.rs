//! The options of `perf record` itself, not those of the command that it recorded.

/// Options whose value is the next word, in their long form.
const LONG_WITH_VALUE: [&str; 24] = [
    "--affinity",
    "--branch-filter",
    "--call-graph",
    "--cgroup",
    "--clockid",
    "--control",
    "--count",
    "--cpu",
    "--delay",
    "--event",
    "--filter",
    "--freq",
    "--max-size",
    "--mmap-flush",
    "--mmap-pages",
    "--num-thread-synthesize",
    "--output",
    "--pid",
    "--proc-map-timeout",
    "--realtime",
    "--switch-max-files",
    "--synth",
    "--tid",
    "--uid",
];
/// The same in their short form.
const SHORT_WITH_VALUE: &str = "CDFGcejkmoprtu";
/// Short options that may have a value, which then follows in the same word.
const SHORT_WITH_OPTIONAL_VALUE: &str = "ISz";

/// Returns whether the command line of `perf record` asks for all CPUs.
///
/// Its options end with `--`, or with the first word that is neither an option nor the value of
/// one. The recorded command begins there; an `-a` of its own has no meaning here.
pub fn asks_for_all_cpus<'a>(words: impl Iterator<Item = &'a str>) -> bool {
    let mut words = words.skip_while(|&word| word != "record").skip(1);
    while let Some(word) = words.next() {
        let is_last_word_of_option = match word {
            "--" => return false,
            "--all-cpus" => return true,
            _ if word.starts_with("--") => !LONG_WITH_VALUE.contains(&word),
            _ => match word.strip_prefix('-') {
                None | Some("") => return false,
                Some(letters) => match short(letters) {
                    Short::AllCpus => return true,
                    Short::Whole => true,
                    Short::NeedsValue => false,
                },
            },
        };
        if !is_last_word_of_option {
            words.next();
        }
    }
    false
}

/// The meaning of a word of short options.
enum Short {
    AllCpus,
    Whole,
    NeedsValue,
}

fn short(letters: &str) -> Short {
    let mut rest = letters.chars();
    while let Some(letter) = rest.next() {
        if letter == 'a' {
            return Short::AllCpus;
        }
        if SHORT_WITH_VALUE.contains(letter) {
            let is_in_next_word = rest.as_str().is_empty();
            return if is_in_next_word {
                Short::NeedsValue
            } else {
                Short::Whole
            };
        }
        if SHORT_WITH_OPTIONAL_VALUE.contains(letter) {
            return Short::Whole;
        }
    }
    Short::Whole
}

#[cfg(test)]
mod tests {
    use super::asks_for_all_cpus;

    #[track_caller]
    fn check(line: &str, expected: bool) {
        assert_eq!(asks_for_all_cpus(line.split(' ')), expected, "{line}");
    }

    #[test]
    fn options_of_the_recorded_command_are_its_own() {
        check("perf record git commit -a", false);
        check("perf record -g -- git commit -a", false);
        check("perf record -e cycles git commit -a", false);
        check("perf record --event cycles -o a.data ls --all-cpus", false);
        check("perf record -F99 -gF 99 ls -a", false);
    }

    #[test]
    fn all_cpus_are_asked_for_in_every_way() {
        check("perf record -a", true);
        check("/usr/bin/perf record -F 99 -ag -- sleep 1", true);
        check(
            "perf record --call-graph dwarf,16384 --all-cpus sleep 1",
            true,
        );
        check("perf record -e sched:sched_switch -ga sleep 1", true);
        check("perf --no-pager record --freq=99 -a", true);
    }

    #[test]
    fn values_are_no_options() {
        check("perf record -o -a ls", false);
        check("perf record -p 5 -o a", false);
        check("perf record -ea ls", false);
        check("perf record", false);
        check("", false);
    }
}
