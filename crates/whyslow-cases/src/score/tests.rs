use super::*;

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(|word| (*word).to_owned()).collect()
}

fn finding(cause: &str) -> Finding {
    Finding {
        causes: words(&[cause]),
        object: "/tmp/journal.log".to_owned(),
        place: words(&["Journal::append", "main"]),
        peer: String::new(),
        shares: vec![0.8],
        kept_out: 0.0,
        confidence: Confidence::Certain,
        of_peer: false,
        text: String::new(),
    }
}

fn slow_case() -> Case {
    let fsync = Expect {
        cause: words(&["fsync"]),
        object: words(&["journal.log"]),
        place: words(&["append"]),
        share: Some(0.6..=1.0),
        ..Expect::default()
    };
    Case {
        expect: vec![fsync],
        never: words(&["lock"]),
        ..Case::default()
    }
}

fn verdict(case: &Case, findings: &[Finding]) -> Verdict {
    score(case, findings, None).verdict
}

#[test]
fn a_right_answer_names_all() {
    let case = slow_case();
    assert_eq!(
        verdict(&case, &[finding("cpu"), finding("fsync")]),
        Verdict::Named
    );
}

#[test]
fn what_a_peer_did_is_no_wrong_claim_about_the_command() {
    let case = slow_case();
    let mut lock = finding("lock");
    assert_eq!(
        verdict(&case, &[finding("fsync"), lock.clone()]),
        Verdict::Wrong
    );
    lock.of_peer = true;
    assert_eq!(verdict(&case, &[finding("fsync"), lock]), Verdict::Named);
}

#[test]
fn what_a_peer_did_is_what_was_expected_only_of_that_peer() {
    let mut case = slow_case();
    let mut sync = finding("fsync");
    sync.of_peer = true;
    sync.peer = "desk(9)".to_owned();
    // The place is expected.
    assert_eq!(verdict(&case, &[sync.clone()]), Verdict::Named);
    // Neither a place nor a peer is.
    case.expect[0].place.clear();
    assert_ne!(verdict(&case, &[sync.clone()]), Verdict::Named);
    assert_eq!(verdict(&case, &[finding("fsync")]), Verdict::Named);
    // The peer is, or is another one.
    case.expect[0].peer = words(&["desk"]);
    assert_eq!(verdict(&case, &[sync.clone()]), Verdict::Named);
    case.expect[0].peer = words(&["office"]);
    assert_ne!(verdict(&case, &[sync]), Verdict::Named);
}

#[test]
fn a_missing_detail_makes_it_partly() {
    let case = slow_case();
    let mut other = finding("fsync");
    other.place = words(&["Journal::append_all"]);
    let score = score(&case, &[other], None);
    assert_eq!(score.verdict, Verdict::Partly);
    assert_eq!(score.why, "fsync without place");
}

#[test]
fn the_measured_share_replaces_the_range() {
    let case = slow_case();
    let said = |measured| score(&case, &[finding("fsync")], Some(measured)).verdict;
    assert_eq!(said(0.85), Verdict::Named);
    assert_eq!(said(0.95), Verdict::Partly);
}

#[test]
fn a_share_is_also_one_of_the_time_that_others_left() {
    let case = slow_case();
    let mut sync = finding("fsync");
    (sync.shares, sync.kept_out) = (vec![0.5], 0.4);
    assert_eq!(verdict(&case, &[sync.clone()]), Verdict::Named);
    sync.kept_out = 0.1;
    assert_eq!(verdict(&case, &[sync]), Verdict::Partly);
}

#[test]
fn a_forbidden_cause_is_wrong_unless_it_is_only_possible() {
    let case = slow_case();
    let mut lock = finding("lock");
    assert_eq!(
        verdict(&case, &[finding("fsync"), lock.clone()]),
        Verdict::Wrong
    );
    lock.confidence = Confidence::Possible;
    assert_eq!(verdict(&case, &[finding("fsync"), lock]), Verdict::Named);
}

#[test]
fn the_rest_of_the_time_accuses_nothing() {
    let mut case = slow_case();
    case.never = words(&["cpu"]);
    let mut rest = finding("cpu");
    rest.shares = vec![0.3];
    let with = |rest: &Finding| verdict(&case, &[finding("fsync"), rest.clone()]);
    assert_eq!(with(&rest), Verdict::Wrong);
    rest.place = Vec::new();
    assert_eq!(with(&rest), Verdict::Named);
    rest.shares = vec![0.9];
    assert_eq!(with(&rest), Verdict::Wrong);
}

#[test]
fn silence_is_better_than_another_cause() {
    let mut case = slow_case();
    assert_eq!(verdict(&case, &[]), Verdict::Silent);
    assert_eq!(verdict(&case, &[finding("quota")]), Verdict::Wrong);
    case.may = words(&["quota"]);
    assert_eq!(verdict(&case, &[finding("quota")]), Verdict::Silent);
}

#[test]
fn a_healthy_program_is_accused_by_what_is_not_allowed() {
    let case = Case {
        healthy: true,
        may: words(&["sleep"]),
        ..Case::default()
    };
    assert_eq!(verdict(&case, &[finding("sleep")]), Verdict::Quiet);
    assert_eq!(verdict(&case, &[finding("competing")]), Verdict::Accused);
    let of_peer = Finding {
        of_peer: true,
        ..finding("competing")
    };
    assert_eq!(verdict(&case, &[of_peer]), Verdict::Quiet);
}

#[test]
fn beside_other_programs_it_is_true_that_they_compete() {
    let case = Case {
        healthy: true,
        never: words(&["competing", "low-priority", "quota"]),
        ..Case::default()
    };
    for (cause, busy, expected) in [
        ("competing", false, Verdict::Accused),
        ("competing", true, Verdict::Quiet),
        ("low-priority", false, Verdict::Accused),
        ("low-priority", true, Verdict::Quiet),
        ("quota", true, Verdict::Accused),
    ] {
        let case = case.under(busy);
        assert_eq!(
            verdict(&case, &[finding(cause)]),
            expected,
            "{cause} {busy}"
        );
    }
}

#[test]
fn what_only_describes_is_allowed_unless_forbidden() {
    let mut case = slow_case();
    assert_eq!(verdict(&case, &[finding("cpu")]), Verdict::Silent);
    case.never = words(&["cpu"]);
    assert_eq!(verdict(&case, &[finding("cpu")]), Verdict::Wrong);
    case.expect.clear();
    case.healthy = true;
    assert_eq!(verdict(&case, &[finding("cpu")]), Verdict::Accused);
    assert_eq!(verdict(&case, &[finding("idle")]), Verdict::Quiet);
}
