//! Every pair of a server's newest dialect and a client's newest one: the cost of reading a setting
//! from a file that is opened for it, on one connection and on a new one each time.
//!
//! The pairs take turns, so that whatever changes on the machine meanwhile changes all of them.

use std::path::Path;
use std::time::Instant;

use rustix::io::Errno;

use crate::bench::Context;
use crate::cases::{
    SETTINGS_FILE, SETTINGS_WORDS, ShareReading, ShareSettings, settings as settings_of,
};
use crate::error::Error;
use crate::operation::{Limits, measure};
use crate::options::Options;
use crate::place::PLACE;
use crate::remote::ROUND_TRIPS;
use whyslow_series::{Ending, Measured, Run, Setup, run::gather, summary::times};

use whyslow_law::order::percentile;
pub use whyslow_share::Dialect;
use whyslow_share::{Access, Fault, Inside, Remote, Server, Share};

/// Turns of every pair.
const ROUNDS: u64 = 9;

/// By how many pairs every round begins later: by more than a server has, with all in turn.
const FIRST_STEP: u64 = 7;

/// A pair of dialects.
#[derive(Debug)]
pub struct Pair {
    /// The newest dialect of the server.
    pub server: Dialect,
    /// The newest dialect of the client, which offers the older ones, too.
    pub client: Dialect,
    /// What they agreed on.
    pub agreed: Dialect,
    /// How the server refuses a client that offers only this dialect; `None` if it does not.
    pub refusal: Option<Fault>,
    /// What a setting costs on one connection; `None` if it was not measured.
    pub reopen: Option<Cost>,
    /// What it costs on a new connection each time.
    pub reconnect: Option<Cost>,
}

/// What a setting costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// The median of the medians of all turns, in nanoseconds.
    pub ns: u64,
    /// Where the median is with 96 of 100, in nanoseconds; `None` after too few turns to say so.
    pub interval_ns: Option<(u64, u64)>,
    /// Round trips of every one; `None` if they differ.
    pub round_trips: Option<u32>,
}

/// What one way measured for one pair.
#[derive(Default)]
struct Turns {
    log: Vec<Measured>,
    medians: Vec<u64>,
    early: Option<Ending>,
}

impl Turns {
    fn cost(&self) -> Option<Cost> {
        let first = self.log.first()?.count;
        let mut medians = self.medians.clone();
        medians.sort_unstable();
        let same = self.log.iter().all(|one| one.count == first);
        Some(Cost {
            ns: percentile(&medians, 50),
            interval_ns: interval(&medians),
            round_trips: same.then_some(first),
        })
    }
}

/// Returns where the median of what was measured lies with 96 of 100, by the sign test: between the
/// first and the last of six sorted medians (1 − 2/64), between the second and the last but one of
/// nine (1 − 20/512).
fn interval(sorted: &[u64]) -> Option<(u64, u64)> {
    let edge = match sorted.len() {
        0..6 => return None,
        6..9 => 0,
        _ => 1,
    };
    Some((*sorted.get(edge)?, *sorted.iter().rev().nth(edge)?))
}

/// Measures every pair, and `runs` gets a series per pair and way; both also what was measured before
/// an error. `share` says how far away the server is.
///
/// # Errors
/// When a server cannot be started or is gone, or the user stopped it before anything was measured.
pub fn dialects(
    share: &Share,
    options: &Options,
    context: Context<'_>,
    pairs: &mut Vec<Pair>,
    runs: &mut Vec<Run>,
) -> Result<(), Error> {
    if options.count == 0 {
        return Err(Error::NothingToDo);
    }
    let mut servers = Vec::new();
    for dialect in Dialect::ALL {
        (context.tell)(&format!("starting the server for {}", dialect.name()));
        let dialect = Some(dialect);
        servers.push(Server::start(
            &Share { dialect, ..*share },
            None,
            PLACE,
            context.stop,
        )?);
    }
    let mut seats = Vec::new();
    for (server, newest) in servers.iter().zip(Dialect::ALL) {
        for client in Dialect::ALL {
            seats.push(Seat::take(
                server,
                (newest, client),
                options.count,
                context,
            )?);
        }
    }
    let end = Instant::now() + options.budget.saturating_mul(2);
    let done = rounds(&mut seats, options, context, end);
    for seat in seats {
        pairs.push(seat.leave(runs));
    }
    runs.retain(|run| !run.first.operations.is_empty());
    match done {
        Ok(()) if runs.is_empty() => Err(Error::Interrupted),
        done => done,
    }
}

/// Lets the pairs take turns.
fn rounds<'a>(
    seats: &mut [Seat<'a>],
    options: &Options,
    context: Context<'a>,
    end: Instant,
) -> Result<(), Error> {
    let rounds = ROUNDS.min(options.count);
    for round in 0..rounds {
        (context.tell)(&format!("round {} of {rounds}", round + 1));
        // Each round begins with another pair: the first may have it harder, after the other way.
        let first = usize::try_from(round * FIRST_STEP).unwrap_or(0) % seats.len().max(1);
        for reading in [ShareReading::Reopen, ShareReading::Reconnect] {
            let (later, sooner) = seats.split_at_mut(first);
            for seat in sooner.iter_mut().chain(later) {
                if context.stopped() || (round > 0 && Instant::now() >= end) {
                    return Ok(());
                }
                seat.turn(reading, options, context)?;
            }
        }
    }
    Ok(())
}

/// A client at its server.
struct Seat<'a> {
    server: &'a Server,
    newest: Dialect,
    client: Dialect,
    agreed: Dialect,
    refusal: Option<Fault>,
    access: Access,
    directory: String,
    /// The connection; gone after a fault.
    remote: Option<Box<dyn Remote + 'a>>,
    reopen: Turns,
    reconnect: Turns,
}

impl<'a> Seat<'a> {
    fn take(
        server: &'a Server,
        (newest, client): (Dialect, Dialect),
        count: u64,
        context: Context<'a>,
    ) -> Result<Self, Error> {
        let _inside: Inside<'_> = server.enter()?;
        let with = |offer: Vec<Dialect>| Access {
            offer,
            ..server.access().clone()
        };
        let refusal = match with(vec![client]).connect(context.stop) {
            Err(fault) if !fault.is_refusal() => return Err(fault.into()),
            tried => tried.err(),
        };
        let access = with(client.and_older());
        let mut remote = access.connect(context.stop)?;
        let directory = format!("client-{}", client.name());
        remote.enter(&directory, true)?;
        remote.write(SETTINGS_FILE, &settings_of(count))?;
        let spoken = remote.protocol();
        let agreed = spoken.strip_prefix("SMB ").and_then(Dialect::named);
        Ok(Self {
            server,
            newest,
            client,
            agreed: agreed.unwrap_or(Dialect::V202),
            refusal,
            access,
            directory,
            remote: Some(remote),
            reopen: Turns::default(),
            reconnect: Turns::default(),
        })
    }

    /// Measures a part of the settings in one way.
    fn turn(
        &mut self,
        reading: ShareReading,
        options: &Options,
        context: Context<'a>,
    ) -> Result<(), Error> {
        let Some(remote) = self.remote.take() else {
            return Ok(());
        };
        let _inside = self.server.enter()?;
        let reach = (&self.access, context.stop);
        let mut settings =
            ShareSettings::new(remote, reach, &self.directory, reading, options.count);
        // Reconnecting takes so much longer that a tenth must do.
        let share = if reading == ShareReading::Reconnect {
            10
        } else {
            1
        };
        let limits = Limits {
            count: options.count.div_ceil(ROUNDS * share),
            budget: options.budget / u32::try_from(ROUNDS).unwrap_or(1),
        };
        let mut log = Vec::new();
        let ending = measure(&mut settings, limits, context.stop, &mut log);
        let mut sorted: Vec<u64> = log.iter().map(|one| one.duration_ns).collect();
        sorted.sort_unstable();
        let turns = match reading {
            ShareReading::Reconnect => &mut self.reconnect,
            _ => &mut self.reopen,
        };
        if !sorted.is_empty() {
            turns.medians.push(percentile(&sorted, 50));
        }
        turns.log.append(&mut log);
        if matches!(ending, Ending::Failed(_) | Ending::Interrupted) {
            turns.early = Some(ending);
        }
        if let Ending::Failed(errno) = ending {
            let odd = || {
                let errno = Errno::from_raw_os_error(errno);
                Error::io("find the setting in", Path::new(SETTINGS_FILE))(errno)
            };
            return Err(settings.client.fault.take().map_or_else(odd, Error::from));
        }
        self.remote = Some(settings.client.remote);
        Ok(())
    }

    /// Returns what came of it.
    fn leave(self, runs: &mut Vec<Run>) -> Pair {
        let (server, client) = (self.newest.name(), self.client.name());
        let pair = Pair {
            server: self.newest,
            client: self.client,
            agreed: self.agreed,
            refusal: self.refusal,
            reopen: self.reopen.cost(),
            reconnect: self.reconnect.cost(),
        };
        for (arm, turns) in [("reopen", self.reopen), ("reconnect", self.reconnect)] {
            let done = u64::try_from(turns.log.len()).unwrap_or(0);
            let setup = Setup {
                system: format!("server {server}, client {client}"),
                driver: Some(format!("SMB {}", pair.agreed.name())),
                ..Setup::new(SETTINGS_WORDS.counting(ROUND_TRIPS), done).named(arm)
            };
            let ending = turns.early.unwrap_or(Ending::Done);
            runs.push(gather(vec![(turns.log, ending)], setup));
        }
        pair
    }
}

/// A pair differs from another if it costs more by this factor, whatever its interval leaves open.
const DIFFERS: f64 = 1.1;

/// Returns whether any pair surely costs more than another: the sentence that says it all.
fn difference(pairs: &[Pair]) -> Option<String> {
    let most = |of: fn(&Pair) -> Option<Cost>| {
        let intervals = || {
            pairs
                .iter()
                .filter_map(move |pair| Some((pair, of(pair)?.interval_ns?)))
        };
        let slow = intervals().max_by_key(|(_, (low, _))| *low)?;
        let quick = intervals().min_by_key(|(_, (_, high))| *high)?;
        let factor = real(slow.1.0) / real(quick.1.1.max(1));
        Some((factor > DIFFERS).then_some((factor, slow.0, quick.0)))
    };
    let name = |pair: &Pair| {
        format!(
            "server {} with client {}",
            pair.server.name(),
            pair.client.name()
        )
    };
    match (most(|pair| pair.reopen)?, most(|pair| pair.reconnect)?) {
        (None, None) => Some("No pair of dialects is certain to differ from another.".to_owned()),
        (Some((factor, slow, quick)), _) | (None, Some((factor, slow, quick))) => Some(format!(
            "The dialects differ: {} takes at least {factor:.2} times as long as {}.",
            name(slow),
            name(quick)
        )),
    }
}

/// Returns what the pairs say; `cost` writes a duration in nanoseconds.
pub fn sentences(pairs: &[Pair], cost: fn(f64) -> String) -> Vec<String> {
    let mut said: Vec<String> = difference(pairs).into_iter().collect();
    let mut range = |what: &str, of: fn(&Pair) -> Option<Cost>| {
        let mut all: Vec<Cost> = pairs.iter().filter_map(of).collect();
        all.sort_by_key(|cost| cost.ns);
        if all.len() < pairs.len() {
            let (measured, asked) = (all.len(), pairs.len());
            said.push(format!(
                "{what}, {measured} of {asked} pairs were measured."
            ));
        }
        let (Some(least), Some(most)) = (all.first(), all.last()) else {
            return 0.0;
        };
        let ratio = real(most.ns) / real(least.ns.max(1));
        let trips = least
            .round_trips
            .map_or(String::new(), |trips| format!(", {trips} round trips"));
        let (low, high) = (cost(real(least.ns)), cost(real(most.ns)));
        said.push(format!(
            "{what}, reading a setting costs {low} to {high}{trips}: the slowest pair of dialects takes {} times \
             as long as the fastest.",
            times(ratio)
        ));
        real(percentile(
            &all.iter().map(|cost| cost.ns).collect::<Vec<_>>(),
            50,
        ))
    };
    let once = range("On one connection", |pair| pair.reopen);
    let anew = range("On a new connection each time", |pair| pair.reconnect);
    if once > 0.0 && anew > 0.0 {
        said.push(format!(
            "A new connection for each setting takes {} times as long, whatever the dialects.",
            times(anew / once)
        ));
    }
    let refused = pairs.iter().filter(|pair| pair.refusal.is_some()).count();
    said.push(format!(
        "A client that offers only its newest dialect is refused in {refused} of {} pairs.",
        pairs.len()
    ));
    said
}

fn real(ns: u64) -> f64 {
    whyslow_series::summary::real(ns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_sentence_says_whether_dialects_differ() {
        let pairs = |slow: u64| -> Vec<Pair> {
            let all = Dialect::ALL
                .iter()
                .flat_map(|server| Dialect::ALL.iter().map(move |client| (*server, *client)));
            let pair = |(at, (server, client)): (usize, (Dialect, Dialect))| {
                let ns = if at == 7 { slow } else { 200_000 };
                let cost = |ns: u64| Cost {
                    ns,
                    interval_ns: Some((ns - ns / 20, ns + ns / 20)),
                    round_trips: Some(3),
                };
                Pair {
                    server,
                    client,
                    agreed: client,
                    refusal: None,
                    reopen: Some(cost(ns)),
                    reconnect: Some(cost(2_000_000)),
                }
            };
            all.enumerate().map(pair).collect()
        };
        let said = |slow| sentences(&pairs(slow), |ns| format!("{ns} ns"));
        assert_eq!(
            said(210_000)[0],
            "No pair of dialects is certain to differ from another."
        );
        let (differ, names) = (said(400_000), pairs(1));
        let slow = format!(
            "server {} with client {}",
            names[7].server.name(),
            names[7].client.name()
        );
        assert!(
            differ[0].starts_with(&format!(
                "The dialects differ: {slow} takes at least 1.81 times"
            )),
            "{differ:?}"
        );
    }

    #[test]
    fn the_interval_is_that_of_enough_turns() {
        let one = |count| Measured {
            start_ns: 0,
            duration_ns: 1,
            result: 0,
            count,
        };
        let turns = Turns {
            log: vec![one(3), one(3)],
            medians: vec![9, 1, 8, 2, 7, 3, 6, 4, 5],
            early: None,
        };
        let cost = turns.cost().expect("measured");
        assert_eq!((cost.ns, cost.interval_ns), (5, Some((2, 8))));
        assert_eq!(cost.round_trips, Some(3));
        let odd = Turns {
            log: vec![one(3), one(4)],
            medians: vec![7],
            early: None,
        };
        let cost = odd.cost().expect("measured");
        assert_eq!((cost.ns, cost.round_trips), (7, None));
        // One turn has a median, but nothing says how sure it is; nor do five.
        assert_eq!(cost.interval_ns, None);
        assert_eq!(interval(&[1, 2, 3, 4, 5]), None);
        assert_eq!(interval(&[1, 2, 3, 4, 5, 6]), Some((1, 6)));
        assert_eq!(Turns::default().cost(), None);
    }
}
