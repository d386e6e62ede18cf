//! What an answer claims: the structured form that `whyslow run --format json` writes.
//!
//! ```json
//! {"wall_ns": 2000000000,
//!  "parts": [{"kind": "disk", "ns": 1700000000}],
//!  "findings": [{"id": "fsync-1", "cause": "fsync", "object": "journal.log", "place": ["append_record"],
//!                "peer": null, "share": 0.85, "confidence": "certain", "text": "…"}]}
//! ```

use crate::json::Value;

/// How sure a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Confidence {
    Certain,
    Likely,
    Possible,
}

/// One claim of an answer.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    /// Ids of causes; only prose can make it several.
    pub(crate) causes: Vec<String>,
    pub(crate) object: String,
    pub(crate) place: Vec<String>,
    pub(crate) peer: String,
    /// Parts of the wall time; only prose can make it several.
    pub(crate) shares: Vec<f64>,
    /// The part of the wall time in which other programs kept the command off the CPUs.
    pub(crate) kept_out: f64,
    pub(crate) confidence: Confidence,
    /// Whether it says what another process did while the command waited for it.
    pub(crate) of_peer: bool,
    pub(crate) text: String,
}

/// Findings of an answer in JSON.
pub(crate) fn of_json(text: &str) -> Result<Vec<Finding>, String> {
    let answer = Value::parse(text)?;
    let findings = answer.get("findings").and_then(Value::array);
    let findings = findings.ok_or("the answer has no list \"findings\"")?;
    let kept_out = kept_out(&answer);
    findings.iter().map(|one| of_value(one, kept_out)).collect()
}

/// The part of the wall time in which others had the CPUs.
fn kept_out(answer: &Value) -> f64 {
    let wall_ns = answer.get("wall_ns").and_then(Value::number);
    let parts = answer.get("parts").and_then(Value::array);
    let competing = parts
        .unwrap_or_default()
        .iter()
        .filter(|part| part.get("kind").and_then(Value::string) == Some("competing"));
    let ns: f64 = competing.filter_map(|part| part.get("ns")?.number()).sum();
    wall_ns.map_or(0.0, |wall_ns| (ns / wall_ns.max(1.0)).clamp(0.0, 0.99))
}

fn of_value(value: &Value, kept_out: f64) -> Result<Finding, String> {
    let word = |key: &str| value.get(key).and_then(Value::string).unwrap_or_default();
    let place = value
        .get("place")
        .and_then(Value::array)
        .unwrap_or_default();
    let confidence = match word("confidence") {
        "certain" => Confidence::Certain,
        "likely" => Confidence::Likely,
        "possible" => Confidence::Possible,
        other => return Err(format!("confidence is \"{other}\"")),
    };
    if word("cause").is_empty() {
        return Err("a finding has no cause".to_owned());
    }
    Ok(Finding {
        causes: vec![word("cause").to_owned()],
        object: word("object").to_owned(),
        place: place
            .iter()
            .filter_map(Value::string)
            .map(str::to_owned)
            .collect(),
        peer: word("peer").to_owned(),
        shares: shares(value),
        kept_out,
        confidence,
        of_peer: value
            .get("facts")
            .is_some_and(|facts| facts.get("waiter").is_some()),
        text: word("text").to_owned(),
    })
}

/// Returns the shares that a finding says: of all of it, and, if it is about CPU time, of its place.
fn shares(value: &Value) -> Vec<f64> {
    let share = value.get("share").and_then(Value::number);
    let facts = value.get("facts");
    let of_place = facts.and_then(|facts| facts.get("place-share")?.number());
    let is_cpu = value.get("cause").and_then(Value::string) == Some("cpu");
    let of_place = share.zip(of_place).filter(|_| is_cpu);
    let of_place = of_place.map(|(share, part)| share * part);
    share.into_iter().chain(of_place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_a_place_is_said_too() {
        let text = r#"{"findings": [{"cause": "cpu", "share": 0.5, "confidence": "certain",
            "facts": {"place-share": 0.5}}]}"#;
        let findings = of_json(text).expect("findings");
        assert_eq!(findings[0].shares, [0.5, 0.25]);
    }

    #[test]
    fn findings_of_an_answer_are_read() {
        let text = r#"{"wall_ns": 5, "findings": [{"id": "a", "cause": "fsync", "object": "j\u00e4 \"x\"",
            "place": ["append", "main"], "peer": null, "share": 0.85, "confidence": "certain"}]}"#;
        let findings = of_json(text).unwrap();
        assert_eq!(findings[0].causes, ["fsync"]);
        assert_eq!(findings[0].object, "jä \"x\"");
        assert_eq!(findings[0].place, ["append", "main"]);
        assert_eq!(findings[0].shares, [0.85]);
        assert!(findings[0].kept_out.abs() < 1e-9);
        assert!(!findings[0].of_peer);
        let text = r#"{"wall_ns": 8, "parts": [{"kind": "cpu", "ns": 6}, {"kind": "competing", "ns": 2}],
            "findings": [{"cause": "fsync", "share": 0.5, "confidence": "certain"}]}"#;
        let findings = of_json(text).unwrap();
        assert!((findings[0].kept_out - 0.25).abs() < 1e-9);
        let text = r#"{"findings": [{"cause": "sleep", "peer": "desk(9)", "share": 0.8, "confidence": "certain",
            "facts": {"waiter": "app"}}]}"#;
        assert!(of_json(text).unwrap()[0].of_peer);
    }

    #[test]
    fn what_is_no_answer_is_refused() {
        let no_confidence = r#"{"findings": [{"cause": "fsync"}]}"#;
        for text in [
            "",
            "[]",
            "{\"findings\": 5}",
            "{\"findings\": [{}]}",
            no_confidence,
        ] {
            assert!(of_json(text).is_err(), "{text}");
        }
    }
}
