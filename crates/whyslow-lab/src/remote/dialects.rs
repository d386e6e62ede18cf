//! Every pair of a server's newest dialect and a client's newest one: what a setting costs that is
//! read from a file opened for it, on one connection and on a new one each time.
//!
//! The pairs take turns, so that whatever changes on the machine meanwhile changes all of them.

use std::path::Path;
use std::time::Instant;

use rustix::io::Errno;

use super::deeds::{Settings, Way};
use super::fault::Fault;
use super::server::Inside;
use super::share::{Access, Share};
use super::{Dialect, Remote, Server};
use crate::cases::settings::FILE;
use crate::cases::{Case, Options};
use crate::error::Error;
use crate::experiment::{Context, Run, check, gather};
use crate::operation::{Ending, Limits, Measured, measure};
use crate::order::percentile;

/// Turns of every pair.
const ROUNDS: u64 = 9;

/// Of the sorted medians of all turns, the one at which the interval begins and, from the other side,
/// ends: the median of what is measured lies in it with 96 of 100 (the sign test: 1 − 20/512).
const EDGE: usize = 1;

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
    /// What a setting costs on one connection.
    pub reopen: Cost,
    /// What it costs on a new connection each time.
    pub reconnect: Cost,
}

/// What a setting costs.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cost {
    /// The median of the medians of all turns, in nanoseconds.
    pub ns: u64,
    /// Where the interval begins in which the median is with 96 of 100, in nanoseconds.
    pub low_ns: u64,
    /// Where it ends.
    pub high_ns: u64,
    /// Round trips of every one; `None` if they differ.
    pub round_trips: Option<u32>,
}

/// What one way measured for one pair.
#[derive(Default)]
struct Turns {
    log: Vec<Measured>,
    medians: Vec<u64>,
    failed: Option<Ending>,
}

impl Turns {
    fn cost(&self) -> Cost {
        let mut medians = self.medians.clone();
        medians.sort_unstable();
        let edge = EDGE.min(medians.len().saturating_sub(1) / 2);
        let first = self.log.first().map(|one| one.count);
        let same = self.log.iter().all(|one| Some(one.count) == first);
        Cost {
            ns: percentile(&medians, 50),
            low_ns: medians.get(edge).copied().unwrap_or(0),
            high_ns: medians.iter().rev().nth(edge).copied().unwrap_or(0),
            round_trips: first.filter(|_| same),
        }
    }
}

/// Measures every pair; `runs` gets a series per pair and way. `share` says how far away the server is.
///
/// # Errors
/// When a server cannot be started or is gone.
pub fn dialects(
    share: &Share,
    options: &Options,
    context: Context<'_>,
    runs: &mut Vec<Run>,
) -> Result<Vec<Pair>, Error> {
    check(Case::Reopen, options)?;
    let mut servers = Vec::new();
    for dialect in Dialect::ALL {
        (context.tell)(&format!("starting the server for {}", dialect.name()));
        let dialect = Some(dialect);
        servers.push(Server::start(&Share { dialect, ..*share }, context.stop)?);
    }
    let mut seats = Vec::new();
    for (server, newest) in servers.iter().zip(Dialect::ALL) {
        for client in Dialect::ALL {
            seats.push(Seat::take(server, newest, client, options.count)?);
        }
    }
    let end = Instant::now() + options.budget.saturating_mul(2);
    let done = rounds(&mut seats, options, context, end);
    let mut pairs = Vec::new();
    for seat in seats {
        pairs.push(seat.leave(options, runs));
    }
    runs.retain(|run| !run.operations.is_empty());
    done?;
    if context.stopped() && pairs.iter().any(|pair| pair.reconnect.ns == 0) {
        return Err(Error::Interrupted);
    }
    Ok(pairs)
}

/// Lets the pairs take turns.
fn rounds(
    seats: &mut [Seat<'_>],
    options: &Options,
    context: Context<'_>,
    end: Instant,
) -> Result<(), Error> {
    let rounds = ROUNDS.min(options.count);
    for round in 0..rounds {
        (context.tell)(&format!("round {} of {rounds}", round + 1));
        for way in [Way::Reopen, Way::Reconnect] {
            for seat in seats.iter_mut() {
                if context.stopped() || (round > 0 && Instant::now() >= end) {
                    return Ok(());
                }
                seat.turn(way, options, context)?;
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
    remote: Option<Box<dyn Remote>>,
    reopen: Turns,
    reconnect: Turns,
}

impl<'a> Seat<'a> {
    fn take(
        server: &'a Server,
        newest: Dialect,
        client: Dialect,
        count: u64,
    ) -> Result<Self, Error> {
        let _inside: Inside<'_> = server.enter()?;
        let with = |offer: Vec<Dialect>| Access {
            offer,
            ..server.access().clone()
        };
        let refusal = with(vec![client]).connect().err();
        if let Some(fault) = refusal.as_ref().filter(|fault| !fault.is_refusal()) {
            return Err(Error::Options(fault.to_string()));
        }
        let access = with(client.and_older());
        let mut remote = access.connect()?;
        let directory = format!("client-{}", client.name());
        remote.enter(&directory, true)?;
        remote.write(FILE, &Settings::content(count))?;
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
    fn turn(&mut self, way: Way, options: &Options, context: Context<'_>) -> Result<(), Error> {
        let Some(remote) = self.remote.take() else {
            return Ok(());
        };
        let _inside = self.server.enter()?;
        let (access, directory) = (&self.access, &self.directory);
        let mut settings = Settings::new(remote, access, directory, way, options.count);
        // Reconnecting takes so much longer that a tenth must do.
        let share = if way == Way::Reconnect { 10 } else { 1 };
        let limits = Limits {
            count: options.count.div_ceil(ROUNDS * share),
            budget: options.budget / u32::try_from(ROUNDS).unwrap_or(1),
        };
        let mut log = Vec::new();
        let ending = measure(&mut settings, limits, context.stop, &mut log);
        let mut sorted: Vec<u64> = log.iter().map(|one| one.duration_ns).collect();
        sorted.sort_unstable();
        let turns = match way {
            Way::Reconnect => &mut self.reconnect,
            _ => &mut self.reopen,
        };
        turns.medians.push(percentile(&sorted, 50));
        turns.log.append(&mut log);
        if let Ending::Failed(errno) = ending {
            turns.failed = Some(ending);
            let odd = || {
                let errno = Errno::from_raw_os_error(errno);
                Error::io("find the setting in", Path::new(FILE))(errno)
            };
            return Err(settings.client.fault.take().map_or_else(odd, Error::from));
        }
        self.remote = Some(settings.client.remote);
        Ok(())
    }

    /// Returns what came of it.
    fn leave(self, options: &Options, runs: &mut Vec<Run>) -> Pair {
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
            let words = Case::Reopen.words().counting(super::series::TRIPS);
            let ending = turns.failed.unwrap_or(Ending::Done);
            let mut run = gather(vec![(turns.log, ending)], words, options.count);
            run.asked = u64::try_from(run.operations.len()).unwrap_or(0);
            arm.clone_into(&mut run.arm);
            run.system = format!("server {server}, client {client}");
            run.driver = Some(format!("SMB {}", pair.agreed.name()));
            runs.push(run);
        }
        pair
    }
}

/// Returns what the pairs say; `cost` writes a duration in nanoseconds.
pub fn sentences(pairs: &[Pair], cost: fn(f64) -> String) -> Vec<String> {
    let mut said = Vec::new();
    let mut range = |what: &str, of: fn(&Pair) -> Cost| {
        let mut all: Vec<Cost> = pairs.iter().map(of).collect();
        all.sort_by_key(|cost| cost.ns);
        let (Some(least), Some(most)) = (all.first(), all.last()) else {
            return 0.0;
        };
        let ratio = real(most.ns) / real(least.ns.max(1));
        let trips = least
            .round_trips
            .map_or(String::new(), |trips| format!(", {trips} round trips"));
        let (low, high) = (cost(real(least.ns)), cost(real(most.ns)));
        said.push(format!(
            "{what}, reading a setting costs {low} to {high}{trips}: from the fastest pair of \
             dialects to the slowest {ratio:.2} times."
        ));
        real(percentile(
            &all.iter().map(|cost| cost.ns).collect::<Vec<_>>(),
            50,
        ))
    };
    let once = range("On one connection", |pair| pair.reopen);
    let anew = range("On a new connection each time", |pair| pair.reconnect);
    if once > 0.0 {
        said.push(format!(
            "Connecting anew takes {:.1} times as long, whatever the dialects.",
            anew / once
        ));
    }
    let refused = pairs.iter().filter(|pair| pair.refusal.is_some()).count();
    said.push(format!(
        "A client that offers one dialect only is refused in {refused} of {} pairs.",
        pairs.len()
    ));
    said
}

fn real(ns: u64) -> f64 {
    crate::summary::real(ns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_that_of_the_turns() {
        let one = |count| Measured {
            start_ns: 0,
            duration_ns: 1,
            result: 0,
            count,
        };
        let turns = Turns {
            log: vec![one(3), one(3)],
            medians: vec![9, 1, 8, 2, 7, 3, 6, 4, 5],
            failed: None,
        };
        let cost = turns.cost();
        assert_eq!((cost.ns, cost.low_ns, cost.high_ns), (5, 2, 8));
        assert_eq!(cost.round_trips, Some(3));
        let odd = Turns {
            log: vec![one(3), one(4)],
            medians: vec![7],
            failed: None,
        };
        assert_eq!((odd.cost().round_trips, odd.cost().low_ns), (None, 7));
        assert_eq!(Turns::default().cost().ns, 0);
    }
}
