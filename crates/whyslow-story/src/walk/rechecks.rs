//! Waits for one stream that a program does in pieces: it looks up every now and then, and waits on at once.

use whyslow_query::objects::Objects;
use whyslow_query::wait::Rules;

use super::threads::{Piece, Targets};

/// Between two pieces of such a wait the thread does no more than look, nanoseconds.
const LOOK_NS: i64 = 1_000_000;

/// What arrives by itself, in order: nothing is asked for again while it is awaited.
const STREAMS: [&str; 3] = ["tcp", "unix", "pipe"];

/// Classes of waits for what another process or machine sends.
const MESSAGES: [&str; 3] = ["poll", "socket", "events"];

/// A session of a database that has waited for a lock for a while looks whether sessions block each other. Java only looks
/// whether it has missed that its lock is free.
const CHECK_NS: i64 = 20_000_000;

/// What ends a piece of such a wait: a timer, which the kernel reports as one, as its signal, or as the interrupt.
const TIMERS: [&str; 4] = ["timeout", "timer", "signal", "interrupt"];

/// Gives a wait that timed out the end of the next one of its thread, if that goes on waiting for the same stream at
/// the same place: the time limit of a piece ends nothing, and what was sent at last was waited for all the time. The
/// same holds for locks.
pub(super) fn join(
    threads: &mut [Vec<Piece>],
    (targets, objects): (&Targets, &Objects),
    rules: &Rules,
) {
    let is_stream = |piece: &Piece| {
        let object = targets.at(piece.target).object;
        let row = object.and_then(|id| objects.get(id));
        row.is_some_and(|row| STREAMS.contains(&row.kind.as_str()))
    };
    let database_lock = rules.find("database-lock");
    let lock = rules.find("lock");
    let (file_lock, unknown) = (rules.find("file-lock"), rules.find_end("unknown"));
    let (dns, any) = (rules.find("dns"), MESSAGES.map(|class| rules.find(class)));
    for pieces in threads {
        // Who waits at a connection with a name server looks up a name, whether its stack was recorded or not.
        for piece in pieces.iter_mut().filter(|piece| piece.is_wait()) {
            let is_it = object_of(targets, piece).is_some_and(|id| objects.is_name_server(id));
            if is_it && any.contains(&Some(piece.class)) {
                piece.class = dns.unwrap_or(piece.class);
            }
        }
        // No call that waits for a file lock has a time limit: the kernel itself looks again whether a lease was
        // given back.
        for piece in pieces.iter_mut() {
            if Some(piece.class) == file_lock && rules.is_timeout(piece.end) {
                piece.end = unknown.unwrap_or(piece.end);
            }
        }
        let is_same =
            |piece: &Piece, next: &Piece| (next.class, next.stack) == (piece.class, piece.stack);
        let is_check = |piece: &Piece, next: &Piece| {
            let class = Some(piece.class);
            let most_ns = match class == database_lock {
                true => CHECK_NS,
                false => LOOK_NS,
            };
            (class == database_lock || class == lock)
                && TIMERS.contains(&rules.end(piece.end).name.as_str())
                && next.start_ns - piece.end_ns <= most_ns
        };
        let is_look = |piece: &Piece, next: &Piece| {
            rules.is_timeout(piece.end)
                && !rules.is_timeout(next.end)
                && next.start_ns - piece.end_ns <= LOOK_NS
                && object_of(targets, next) == object_of(targets, piece)
                && is_stream(piece)
        };
        let mut next: Option<Piece> = None;
        for piece in pieces.iter_mut().rev().filter(|piece| piece.is_wait()) {
            if let Some(next) = next
                && is_same(piece, &next)
                && (is_look(piece, &next) || is_check(piece, &next))
            {
                (piece.end, piece.waker) = (next.end, next.waker);
                piece.is_part = true;
            }
            next = Some(*piece);
        }
    }
}

fn object_of(targets: &Targets, piece: &Piece) -> Option<i32> {
    targets.at(piece.target).object
}
