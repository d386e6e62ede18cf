//! Names for the numbers of the domain name system.

/// The types of records that have names.
const RECORD_TYPES: [(i32, &str); 12] = [
    (1, "A"),
    (2, "NS"),
    (5, "CNAME"),
    (6, "SOA"),
    (12, "PTR"),
    (15, "MX"),
    (16, "TXT"),
    (28, "AAAA"),
    (33, "SRV"),
    (64, "SVCB"),
    (65, "HTTPS"),
    (255, "ANY"),
];

/// Returns the name of a type of record, such as `AAAA`.
#[must_use]
pub fn record_type_name(number: Option<i32>) -> String {
    let Some(number) = number else {
        return "?".to_owned();
    };
    let found = RECORD_TYPES.iter().find(|(known, _)| *known == number);
    found.map_or_else(|| format!("TYPE{number}"), |(_, name)| (*name).to_owned())
}

/// Returns a name server's answer in words; `None` means no answer.
#[must_use]
pub fn response_name(code: Option<i32>) -> String {
    match code {
        None => "no answer".to_owned(),
        Some(0) => "ok".to_owned(),
        Some(1) => "format error".to_owned(),
        Some(2) => "server failure".to_owned(),
        Some(3) => "no such name".to_owned(),
        Some(5) => "refused".to_owned(),
        Some(code) => format!("error {code}"),
    }
}

/// Returns the result of a look-up: the errors of `getaddrinfo`, as the C libraries of Linux number
/// them.
#[must_use]
pub fn lookup_result_name(result: i32) -> String {
    match result {
        0 => "ok".to_owned(),
        -2 | -5 => "no such name".to_owned(),
        -3 => "temporary failure".to_owned(),
        -4 => "server failure".to_owned(),
        -100 => "unfinished".to_owned(),
        other => format!("error {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_without_a_name_are_shown_as_numbers() {
        assert_eq!(record_type_name(Some(28)), "AAAA");
        assert_eq!(record_type_name(Some(4711)), "TYPE4711");
        assert_eq!(record_type_name(None), "?");
        assert_eq!(response_name(Some(3)), "no such name");
        assert_eq!(response_name(None), "no answer");
        assert_eq!(lookup_result_name(-2), "no such name");
        assert_eq!(lookup_result_name(-77), "error -77");
    }
}
