//! Which names a command looked up at a name server, and with what result: details of a finding about such waits.

use std::collections::{BTreeMap, BTreeSet};

use whyslow_model::ThreadId;
use whyslow_query::spans::Spans;

use crate::detector::Draft;
use crate::finding::{Message, Value};
use whyslow_story::network::Question;
use whyslow_story::path::{WaitGroup, What};
use whyslow_story::story::Story;

/// How often a name was asked for, and how often an answer came.
#[derive(Default)]
struct Asked {
    since_ns: i64,
    count: i64,
    answered: i64,
    missing: i64,
}

/// Queries for names with a search domain appended, if these are most of the queries.
struct Searched<'a> {
    count: i64,
    all: i64,
    /// The name that was asked for most, and a domain that was appended to it.
    name: &'a str,
    domain: &'a str,
    server: Option<&'a str>,
    /// How long they took until their answers.
    took_ns: i64,
}

/// A name server that never answers, of several.
struct Silent<'a> {
    server: &'a str,
    /// One that answers.
    other: &'a str,
    count: i64,
    /// How long it was waited for before another was asked.
    took_ns: i64,
}

/// Adds the name that was asked for most, and the server.
pub fn add(story: &Story<'_>, groups: &[&WaitGroup], draft: Draft) -> Draft {
    let questions = questions(story, groups);
    let asked = sums(&questions);
    if let Some(silent) = silent(&questions, groups_ns(groups)) {
        return with_silent(&silent, draft);
    }
    if let Some(searched) = searched(&questions, &asked) {
        return with_search(&searched, draft);
    }
    let all = asked.len();
    let Some(((name, server), sum)) = most(asked) else {
        return draft;
    };
    let draft = draft
        .fact("name", Value::Text(name.to_owned()))
        .fact("questions", Value::Count(sum.count))
        .fact("answers", Value::Count(sum.answered));
    let draft = match server {
        Some(server) => draft
            .fact("server", Value::Text(server.to_owned()))
            .detail(Message::new(match (sum.count, sum.answered) {
                (1, 0) => "It asked {server} for {name}, and got no answer.",
                (1, _) => "It asked {server} for {name}.",
                (_, 0) => "It asked {server} for {name} {questions} times, and got no answer.",
                _ => "It asked {server} for {name} {questions} times, and got {answers} answers.",
            })),
        None => draft.detail(Message::new(match (sum.count, sum.answered) {
            (1, 0) => "It looked up {name} once, without an answer.",
            (1, _) => "It looked up {name} once.",
            (_, 0) => "It looked up {name} {questions} times, without an answer.",
            _ => "It looked up {name} {questions} times, and got {answers} answers.",
        })),
    };
    let others = i64::try_from(all.saturating_sub(1)).unwrap_or(i64::MAX);
    let draft = match others {
        0 => draft,
        1 => draft
            .fact("others", Value::Count(others))
            .detail(Message::new("It also looked up {others} other name.")),
        _ => draft
            .fact("others", Value::Count(others))
            .detail(Message::new("It also looked up {others} other names.")),
    };
    match sum.answered {
        0 => draft.advise(
            "Check that the name server is reachable, and which one /etc/resolv.conf lists.",
        ),
        _ => draft.advise("Ask once and keep the answer, or use a closer name server."),
    }
}

/// Adds that one of several name servers never answers.
fn with_silent(silent: &Silent<'_>, draft: Draft) -> Draft {
    draft
        .fact("server", Value::Text(silent.server.to_owned()))
        .fact("other-server", Value::Text(silent.other.to_owned()))
        .fact("questions", Value::Count(silent.count))
        .fact("waiting", Value::Time(silent.took_ns))
        .detail(Message::new(match silent.count {
            1 => "It asked {server} first and got no answer. After {waiting}, it asked {other-server}, which answered.",
            _ => "It asked {server} {questions} times, got no answer, and waited {waiting} in all. {other-server} answers.",
        }))
        .advise("Remove the nameserver line for {server} from /etc/resolv.conf, or move it below the one for {other-server}. To wait less, lower the timeout option there.")
}

/// Adds that search domains were appended.
fn with_search(searched: &Searched<'_>, draft: Draft) -> Draft {
    let draft = draft
        .fact("name", Value::Text(searched.name.to_owned()))
        .fact("domain", Value::Text(searched.domain.to_owned()))
        .fact("questions", Value::Count(searched.all))
        .fact("searches", Value::Count(searched.count))
        .fact("searching", Value::Time(searched.took_ns))
        .detail(Message::new(
            "{searches} of {questions} queries were for names that do not exist: {name} and others with a search domain appended, such as {domain}.",
        ))
        .detail(Message::new("Their answers took {searching} in all."))
        .advise("End such names with a dot, or lower ndots in /etc/resolv.conf so that the name itself is looked up first. The search line of that file lists the domains.");
    match searched.server {
        Some(server) => draft.fact("server", Value::Text(server.to_owned())),
        None => draft,
    }
}

/// Finds queries for a nonexistent name with a suffix, where the name itself was asked for as well and
/// exists.
fn searched<'a>(
    questions: &[&'a Question],
    asked: &BTreeMap<Key<'a>, Asked>,
) -> Option<Searched<'a>> {
    let mut bases: BTreeMap<&str, (i64, &str, Option<&str>)> = BTreeMap::new();
    let mut tried: BTreeSet<Key<'_>> = BTreeSet::new();
    for (&(name, server), sum) in asked.iter().filter(|(_, sum)| sum.missing == sum.count) {
        let exists = |base: &str| {
            let known = asked.get(&(base, server));
            known.is_some_and(|of| of.answered > of.missing)
        };
        let parts = name.match_indices('.');
        let mut parts = parts.filter_map(|(at, _)| Some((name.get(..at)?, name.get(at + 1..)?)));
        if let Some((base, domain)) = parts.find(|(base, _)| exists(base)) {
            let of_base = bases.entry(base).or_insert((0, domain, server));
            of_base.0 += sum.count;
            tried.insert((name, server));
        }
    }
    let count = bases.values().map(|(count, ..)| count).sum();
    let all = asked.values().map(|sum| sum.count).sum();
    let most = bases.into_iter().max_by_key(|(_, (count, ..))| *count);
    let (name, (_, domain, server)) = most.filter(|_| count * 2 >= all)?;
    let tried = questions.iter().filter(|one| tried.contains(&key(one)));
    let took =
        tried.filter_map(|one| Some((one.time_ns, one.time_ns.saturating_add(one.took_ns?))));
    Some(Searched {
        took_ns: Spans::new(took).ns(),
        count,
        all,
        name,
        domain,
        server,
    })
}

/// Finds a name server that never answered, where another one did, if it was waited for during half of the waits and
/// more; `None` if all answered, or none did.
fn silent<'a>(questions: &[&'a Question], waited_ns: i64) -> Option<Silent<'a>> {
    let mut servers: BTreeMap<&str, Vec<&Question>> = BTreeMap::new();
    for one in questions {
        servers.entry(one.server.as_deref()?).or_default().push(one);
    }
    let answers = |all: &[&Question]| all.iter().filter(|one| one.is_answered).count();
    let most = servers.iter().max_by_key(|(_, all)| answers(all));
    let (other, _) = most.filter(|(_, all)| answers(all) > 0)?;
    let dead = servers.iter().filter(|(_, all)| answers(all) == 0);
    let (server, all) = dead.max_by_key(|(_, all)| all.len())?;
    let took_ns = until_another(questions, server).ns();
    (took_ns > 0 && took_ns.saturating_mul(2) >= waited_ns).then_some(Silent {
        server,
        other,
        count: i64::try_from(all.len()).unwrap_or(i64::MAX),
        took_ns,
    })
}

/// Returns the times from each query to a server until its thread asked another one.
fn until_another(questions: &[&Question], server: &str) -> Spans {
    let mut in_order: Vec<_> = questions
        .iter()
        .map(|one| {
            (
                one.thread,
                one.time_ns,
                one.server.as_deref() == Some(server),
            )
        })
        .collect();
    in_order.sort_unstable();
    let mut waited = Vec::new();
    let mut other = None;
    for (thread, from_ns, is_it) in in_order.into_iter().rev() {
        match (is_it, other) {
            (false, _) => other = Some((thread, from_ns)),
            (true, Some((of, to_ns))) if of == thread => waited.push((from_ns, to_ns)),
            (true, _) => {}
        }
    }
    Spans::new(waited)
}

/// Returns how long the groups waited in all.
fn groups_ns(groups: &[&WaitGroup]) -> i64 {
    let all = groups.iter().map(|group| group.ns);
    all.fold(0, i64::saturating_add)
}

type Key<'a> = (&'a str, Option<&'a str>);

fn key(question: &Question) -> Key<'_> {
    (question.name.as_str(), question.server.as_deref())
}

/// Returns what the waiting threads asked for, up to the end of each wait. Calls of the C library count
/// only if no query to a server is known.
fn questions<'a>(story: &'a Story<'_>, groups: &[&WaitGroup]) -> Vec<&'a Question> {
    let mut until: BTreeMap<ThreadId, i64> = BTreeMap::new();
    for step in &story.path.steps {
        let is_it = match step.what {
            What::Wait(at) => story
                .path
                .waits
                .get(at)
                .is_some_and(|group| groups.iter().any(|&one| std::ptr::eq(one, group))),
            _ => false,
        };
        if let Some(thread) = step.thread.filter(|_| is_it) {
            let end = until.entry(thread).or_insert(step.to_ns);
            *end = step.to_ns.max(*end);
        }
    }
    let waited = |one: &&Question| {
        let end = one.thread.and_then(|thread| until.get(&thread));
        end.is_some_and(|&end| one.time_ns <= end)
    };
    let all = || story.network.questions.iter().filter(waited);
    let has_servers = all().any(|one| one.server.is_some());
    all()
        .filter(|one| one.server.is_some() == has_servers)
        .collect()
}

/// Sums queries by name and server.
fn sums<'a>(questions: &[&'a Question]) -> BTreeMap<Key<'a>, Asked> {
    let mut asked: BTreeMap<Key<'_>, Asked> = BTreeMap::new();
    for one in questions {
        let sum = asked.entry(key(one)).or_insert(Asked {
            since_ns: one.time_ns,
            ..Asked::default()
        });
        sum.since_ns = sum.since_ns.min(one.time_ns);
        sum.count += 1;
        sum.answered += i64::from(one.is_answered);
        sum.missing += i64::from(one.is_missing);
    }
    asked
}

/// Returns the name with the most unanswered queries; of several, the one with the most queries,
/// then the first.
fn most(asked: BTreeMap<Key<'_>, Asked>) -> Option<(Key<'_>, Asked)> {
    let all = asked.into_iter();
    all.max_by_key(|(_, sum)| (sum.count - sum.answered, sum.count, -sum.since_ns))
}
