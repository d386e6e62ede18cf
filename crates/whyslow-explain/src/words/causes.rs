//! The causes: what happened, where, and what to do.

use super::{Line, Names, Shape, sentence};
use crate::answer::Explained;
use crate::finding::{Finding, Message, Value};
use crate::words::text::{Role, Text};
use whyslow_story::place::Place;

/// The most causes that are printed, and the most below one of them.
const MOST: usize = 5;
const MOST_BELOW: usize = 2;

/// The most causes of one of several programs.
const MOST_BRIEF: usize = 2;

/// Returns the lines of all causes; what explains another one comes below it.
pub(super) fn lines(answer: &Explained, names: Names) -> Vec<Line> {
    let tops = answer.findings.iter().filter(|one| one.below.is_none());
    let mut lines = Vec::new();
    // Who gave a rule wants to see what it found.
    let shown = tops
        .enumerate()
        .filter(|(at, one)| *at < MOST || one.is_of_rule());
    for (at, top) in shown {
        lines.extend(cause(top, Some(at + 1), names));
        let below = answer.findings.iter();
        let below = below.filter(|one| one.below.as_ref() == Some(&top.id));
        for finding in below.take(MOST_BELOW) {
            lines.extend(cause(finding, None, names));
        }
    }
    if lines.is_empty() {
        let text = Text::default().say("Too little is known to say where its time went.");
        lines.push(Line::of(Shape::Plain, text));
    }
    lines
}

/// Returns the lines of what rules of users found.
pub(super) fn of_rules(answer: &Explained, names: Names, is_numbered: bool) -> Vec<Line> {
    let tops = answer.findings.iter().filter(|one| one.below.is_none());
    let found = tops.enumerate().filter(|(_, one)| one.is_of_rule());
    found
        .flat_map(|(at, one)| cause(one, is_numbered.then_some(at + 1), names))
        .collect()
}

/// Returns the lines of the first causes, without what explains them.
pub(super) fn brief(answer: &Explained, names: Names) -> Vec<Line> {
    let tops = answer.findings.iter().filter(|one| one.below.is_none());
    let shown = tops
        .enumerate()
        .filter(|(at, one)| *at < MOST_BRIEF || one.is_of_rule());
    shown.flat_map(|(_, top)| cause(top, None, names)).collect()
}

pub(super) fn cause(finding: &Finding, number: Option<usize>, names: Names) -> Vec<Line> {
    let filled = |message: &Message, role| {
        let mut text = sentence::filled(message, &finding.facts, role, names);
        text.end_without_dot();
        text
    };
    let is_below = number.is_none();
    let confidence = finding.confidence;
    let mut lines = vec![Line::of(
        Shape::Cause { number, confidence },
        filled(&finding.claim, Role::Plain),
    )];
    let detail = Shape::Detail { is_below };
    lines.extend(place(finding, names).map(|text| Line::of(detail.clone(), text)));
    for message in finding.details.iter().chain(&finding.advice) {
        let text = sentence::filled(message, &finding.facts, Role::Plain, names);
        lines.push(Line::of(detail.clone(), text));
    }
    lines
}

/// Returns the place and the object, unless a sentence names them.
fn place(finding: &Finding, names: Names) -> Option<Text> {
    let messages = std::iter::once(&finding.claim).chain(&finding.details);
    let said: Vec<&str> = messages.flat_map(Message::names).collect();
    let unsaid = |name: &str| finding.fact(name).filter(|_| !said.contains(&name));
    // A process that was waited for is named as who is behind the wait.
    let is_place = |value: &&Value| !matches!(value, Value::Process(_));
    let mut text = Text::default();
    let values = ["place", "object"].into_iter().filter_map(unsaid);
    for value in values.filter(is_place) {
        if let Value::Place(place) = value
            && (!place.is_known() || says_nothing(finding, place))
        {
            continue;
        }
        if !text.0.is_empty() {
            text = text.say("    ");
        }
        text = sentence::said(text, Role::Plain, value, names);
    }
    (!text.0.is_empty()).then_some(text)
}

/// Returns whether a place is only where a program or its runtime waits for whatever comes.
fn says_nothing(finding: &Finding, place: &Place) -> bool {
    let of_go =
        matches!(finding.fact("class"), Some(Value::Class { name, .. }) if name == "goroutines");
    finding.cause == "idle" || of_go && !place.is_users()
}
