//! A file of rules, of any bytes: it is refused with lines that it has, or it can be read again.
#![no_main]

use whyslow_rules::Rules;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let lines = 1 + data.split(|&byte| byte == b'\n').count();
    match Rules::read("rules.toml", data) {
        Ok(rules) => {
            assert!(rules.count() > 0 && data.len() <= Rules::MOST_BYTES);
            let again = Rules::read("rules.toml", data).expect("as before");
            assert_eq!(
                (rules.count(), rules.examples()),
                (again.count(), again.examples())
            );
        }
        Err(faults) => {
            assert!(!faults.all.is_empty());
            for fault in &faults.all {
                assert!((1..=lines).contains(&fault.line), "{fault}");
                let text = fault.to_string();
                assert!(!text.chars().any(char::is_control), "{text:?}");
            }
        }
    }
});
