//! The rule of scoring: one run's findings against what its case expects.
//!
//! A slow program: **named** if every expectation has a finding with an expected cause and all details that
//! are asked for; **partly** if some have, or a detail is missing; **wrong** if a finding that is more than
//! possible and has a tenth of the time has a forbidden cause, or if nothing expected was found and a finding above a quarter of the
//! time has a cause that is not allowed; else **silent**. A healthy program: **accused** if a finding has
//! a cause that is not allowed, else **quiet**. What only describes a program (that it computes, that it is
//! idle) is allowed unless the case forbids it. What another process did while the command waited for it meets
//! only what names that process or its place.

use std::fmt;
use std::ops::RangeInclusive;

use crate::case::{Case, Expect};
use crate::finding::{Confidence, Finding};

/// How far a share may be from the one that the program measured itself.
const SHARE_TOLERANCE: f64 = 0.10;

/// From which share on a forbidden cause is a wrong answer.
const SMALL_SHARE: f64 = 0.10;

/// From which share on an unexpected cause is a wrong answer.
const LARGE_SHARE: f64 = 0.25;

/// What an answer is worth, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    Named,
    Quiet,
    Partly,
    Silent,
    Wrong,
    Accused,
    Failed,
}

impl Verdict {
    /// All, in the order of the totals.
    pub(crate) const ALL: [Self; 7] = [
        Self::Named,
        Self::Partly,
        Self::Silent,
        Self::Wrong,
        Self::Quiet,
        Self::Accused,
        Self::Failed,
    ];
}

impl fmt::Display for Verdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            Self::Named => "named",
            Self::Quiet => "quiet",
            Self::Partly => "partly",
            Self::Silent => "silent",
            Self::Wrong => "wrong",
            Self::Accused => "accused",
            Self::Failed => "failed",
        })
    }
}

/// A verdict with its reason.
#[derive(Debug)]
pub(crate) struct Score {
    pub(crate) verdict: Verdict,
    pub(crate) why: String,
}

/// Judges the findings of one run. `measured` is the share that the program measured itself; it replaces
/// the range of the first expectation.
pub(crate) fn score(case: &Case, findings: &[Finding], measured: Option<f64>) -> Score {
    match case.healthy {
        true => healthy(case, findings),
        false => slow(case, findings, measured),
    }
}

fn healthy(case: &Case, findings: &[Finding]) -> Score {
    // What a peer did meanwhile says nothing against the program; that it waited for it is judged.
    let mut own = findings.iter().filter(|finding| !finding.of_peer);
    let guilty = own.find_map(|finding| Some((finding, accusation(case, finding)?)));
    match guilty {
        Some((finding, cause)) => Score {
            verdict: Verdict::Accused,
            why: format!("{cause}: {}", finding.text),
        },
        None => Score {
            verdict: Verdict::Quiet,
            why: String::new(),
        },
    }
}

/// The cause that is not allowed. Prose may fit several causes: it accuses if none of them is allowed.
fn accusation<'a>(case: &Case, finding: &'a Finding) -> Option<&'a String> {
    let forbidden = finding.causes.iter().find(|id| case.never.contains(id));
    let allowed = finding.causes.iter().any(|id| case.allows(id));
    forbidden.or_else(|| finding.causes.first().filter(|_| !allowed))
}

fn slow(case: &Case, findings: &[Finding], measured: Option<f64>) -> Score {
    // What is never the cause in the command may well be what its peer did.
    let mut own = findings.iter().filter(|finding| !finding.of_peer);
    let forbidden = own.find_map(|finding| {
        let sure = finding.confidence != Confidence::Possible;
        let mut causes = finding.causes.iter();
        let is_forbidden =
            |id: &&String| case.never.contains(id) && !is_rest(id, finding, case, findings);
        let id = causes.find(is_forbidden);
        let small = finding
            .shares
            .first()
            .is_some_and(|share| *share < SMALL_SHARE);
        id.filter(|_| sure && !small).map(|id| (id, finding))
    });
    if let Some((id, finding)) = forbidden {
        return Score {
            verdict: Verdict::Wrong,
            why: format!("claims {id}: {}", finding.text),
        };
    }
    let met = case.expect.iter().enumerate().map(|(n, expect)| {
        let measured = measured.filter(|_| n == 0);
        meets(expect, findings, measured)
    });
    let met: Vec<_> = met.collect();
    if met
        .iter()
        .all(|met| met.as_ref().is_some_and(Vec::is_empty))
    {
        return Score {
            verdict: Verdict::Named,
            why: String::new(),
        };
    }
    if met.iter().any(Option::is_some) {
        return Score {
            verdict: Verdict::Partly,
            why: missing(case, &met),
        };
    }
    unexpected(case, findings)
}

/// Whether a finding only says that the program also computed, below an expected one: that the rest of the time
/// went somewhere accuses nothing.
fn is_rest(id: &str, finding: &Finding, case: &Case, findings: &[Finding]) -> bool {
    let Some(share) = finding.shares.first() else {
        return false;
    };
    let is_expected = |other: &&Finding| {
        let mut expected = case.expect.iter().flat_map(|expect| &expect.cause);
        let sure = other.confidence != Confidence::Possible && !other.of_peer;
        sure && expected.any(|id| other.causes.contains(id))
    };
    let mut others = findings.iter().filter(is_expected);
    let is_smaller = others.any(|other| other.shares.first() > Some(share));
    id == "cpu" && finding.place.is_empty() && is_smaller
}

/// What is missing of an expectation in the finding that meets it best; none if no finding has its cause.
fn meets(
    expect: &Expect,
    findings: &[Finding],
    measured: Option<f64>,
) -> Option<Vec<&'static str>> {
    let fits = |finding: &&Finding| {
        let is_expected = finding.causes.iter().any(|id| expect.cause.contains(id));
        is_expected && (!finding.of_peer || is_about_peer(expect, finding))
    };
    let lacks = findings
        .iter()
        .filter(fits)
        .map(|finding| lacks(expect, finding, measured));
    lacks.min_by_key(Vec::len)
}

/// Whether the expectation may mean what another process did: it names that process, or its place in it.
fn is_about_peer(expect: &Expect, finding: &Finding) -> bool {
    has_peer(expect, finding) || has_place(expect, finding)
}

fn has_peer(expect: &Expect, finding: &Finding) -> bool {
    let mut wanted = expect.peer.iter();
    wanted.any(|part| finding.peer.contains(part))
}

fn has_place(expect: &Expect, finding: &Finding) -> bool {
    let mut wanted = expect.place.iter();
    wanted.any(|part| finding.place.iter().any(|frame| names(frame, part)))
}

fn lacks(expect: &Expect, finding: &Finding, measured: Option<f64>) -> Vec<&'static str> {
    let mut objects = expect.object.iter();
    let object = expect.object.is_empty() || objects.any(|part| finding.object.contains(part));
    let peer = expect.peer.is_empty() || has_peer(expect, finding);
    let place = expect.place.is_empty() || has_place(expect, finding);
    let range = match measured {
        Some(share) => Some(share - SHARE_TOLERANCE..=share + SHARE_TOLERANCE),
        None => expect.share.clone(),
    };
    // What the program measured itself is of all of its time.
    let own = 1.0
        - if measured.is_some() {
            0.0
        } else {
            finding.kept_out
        };
    let within = |range: RangeInclusive<f64>| {
        let mut shares = finding.shares.iter();
        shares.any(|share| range.contains(share) || range.contains(&(share / own).min(1.0)))
    };
    let share = range.is_none_or(within);
    [
        (object, "object"),
        (place, "place"),
        (peer, "peer"),
        (share, "share"),
    ]
    .into_iter()
    .filter_map(|(there, what)| (!there).then_some(what))
    .collect()
}

/// Whether a frame's name has the function's name in it as a word of its own.
fn names(frame: &str, function: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    frame.match_indices(function).any(|(at, _)| {
        let before = frame[..at].chars().next_back();
        let after = frame[at + function.len()..].chars().next();
        !before.is_some_and(word) && !after.is_some_and(word)
    })
}

fn missing(case: &Case, met: &[Option<Vec<&'static str>>]) -> String {
    let parts = case.expect.iter().zip(met).filter_map(|(expect, met)| {
        let cause = expect.cause.join("|");
        match met {
            None => Some(format!("no {cause}")),
            Some(lacks) if lacks.is_empty() => None,
            Some(lacks) => Some(format!("{cause} without {}", lacks.join(", "))),
        }
    });
    parts.collect::<Vec<_>>().join("; ")
}

/// Nothing that was expected: wrong if something else takes a large part of the blame.
fn unexpected(case: &Case, findings: &[Finding]) -> Score {
    let blamed = findings.iter().find(|finding| {
        let sure = finding.confidence != Confidence::Possible;
        let large = finding.shares.iter().any(|share| *share >= LARGE_SHARE);
        let allowed = finding.causes.iter().any(|id| case.allows(id));
        sure && large && !allowed
    });
    match blamed {
        Some(finding) => Score {
            verdict: Verdict::Wrong,
            why: format!("{}: {}", finding.causes.join("/"), finding.text),
        },
        None => Score {
            verdict: Verdict::Silent,
            why: format!("no {}", case.expect[0].cause[0]),
        },
    }
}

#[cfg(test)]
mod tests;
