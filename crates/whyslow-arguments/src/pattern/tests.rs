//! The filter language, as tables of pattern, text and verdict.

use super::*;

#[test]
fn patterns_match_whole_texts_whatever_the_case() {
    let table = [
        ("cc1", "cc1", true),
        ("cc1", "cc1plus", false),
        ("CC1*", "cc1plus", true),
        ("*plus", "cc1Plus", true),
        ("*c1p*", "cC1PLUS", true),
        ("*c1p*", "cc1", false),
        ("c?1", "cc1", true),
        ("c?1", "c1", false),
        ("*", "", true),
        ("**", "x", true),
        ("a*b*c", "aXbYc", true),
        ("a*b*c", "aXbYcd", false),
        ("*ab*ab", "ababab", true),
        ("größe*", "GRÖSSE", false),
        ("grö*", "GRÖSSE", true),
        ("", "anything", true),
        ("a;b", "b", true),
        ("a; b ;", "b", true),
        ("!a", "a", false),
        ("!a", "b", true),
        ("a*;!abc", "abc", false),
        ("a*;!abc", "abd", true),
        ("std::*::sort*", "std::vec::sort_by", true),
        ("*x*", "x", true),
        ("longer", "lo", false),
        ("longer*", "lo", false),
        ("*longer", "lo", false),
    ];
    for (pattern, text, expected) in table {
        assert_eq!(
            Pattern::parse(pattern).matches(text),
            expected,
            "{pattern:?} on {text:?}"
        );
    }
}

#[test]
fn all_shapes_agree_with_the_general_matcher() {
    let texts = [
        "", "a", "ab", "ba", "aba", "bab", "abab", "xaby", "ABBA", "aXb",
    ];
    let words = [
        "", "a", "ab", "a*", "*a", "*a*", "*ab*", "ab*", "*ab", "a*b", "*", "b*b",
    ];
    for word in words.iter().filter(|word| !word.is_empty()) {
        for text in texts {
            let slow = Glob::General(word.chars().collect());
            assert_eq!(
                Glob::new(word).matches(text),
                slow.matches(text),
                "{word} on {text}"
            );
        }
    }
}

#[test]
fn processes_match_by_name_pid_or_both() {
    let table = [
        ("git", "git", 12, true),
        ("12", "git", 12, true),
        ("12", "12", 7, false),
        ("git(12)", "git", 12, true),
        ("git(13)", "git", 12, false),
        ("g*(1?)", "git", 12, true),
        ("(sd-pam)", "(sd-pam)", 3, true),
        ("git;!12", "git", 12, false),
        ("!git", "make", 1, true),
        ("make;77", "git", 77, true),
    ];
    for (pattern, name, id, expected) in table {
        let hit = NamePattern::parse(pattern).matches(name, id);
        assert_eq!(hit, expected, "{pattern:?} on {name}({id})");
    }
}

#[test]
fn methods_match_by_function_or_with_module() {
    let table = [
        ("malloc", "libc.so.6", "malloc", true),
        ("libc*!malloc", "libc.so.6", "malloc", true),
        ("libm*!malloc", "libc.so.6", "malloc", false),
        ("libc*!", "libc.so.6", "anything", true),
        ("!malloc", "libc.so.6", "malloc", false),
        ("!libc*!*", "libc.so.6", "free", false),
        ("!libc*!*", "libm.so.6", "sin", true),
        ("*;!*alloc", "libc.so.6", "malloc", false),
    ];
    for (pattern, module, function, expected) in table {
        let hit = FunctionPattern::parse(pattern).matches(module, function);
        assert_eq!(hit, expected, "{pattern:?} on {module}!{function}");
    }
    assert!(FunctionPattern::parse("*").matches_everything());
    assert!(!FunctionPattern::parse("*;!a").matches_everything());
}

#[test]
fn the_ending_of_a_program_may_be_left_out() {
    let table = [
        ("test", "test.exe", true),
        ("test", "Test.EXE", true),
        ("test.exe", "test.exe", true),
        ("test", "test.exe.old", false),
        ("test", "tester.exe", false),
        ("te*t", "test.exe", true),
        ("!test", "test.exe", false),
        ("test(7)", "test.exe", true),
        ("test(8)", "test.exe", false),
        ("exe", ".exe", false),
    ];
    for (pattern, name, expected) in table {
        let matches = NamePattern::parse(pattern).matches(name, 7);
        assert_eq!(matches, expected, "{pattern:?} on {name:?}");
    }
}
