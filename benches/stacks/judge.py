#!/usr/bin/env python3
"""How many stacks of the recorded command are whole, and how many of the program's own frames are wrong.

    judge.py --heading                                 the heading of the table
    judge.py NAME native|language AIM EXTRACT [MOST]   a row of it; and up to MOST stacks that are not whole or are wrong

A stack is whole if the recorder says so (`stack.end` is `complete`) and its outermost function is one in which a program
or thread begins. Stacks of which only the kernel's half was recorded do not count: waits are sampled.

The programs go from turn 0 to turn 7, each to the left or to the right, to `bottom_N`: bit k % 3 of N is the direction of
turn k. A frame of theirs is wrong if it is not the one that must be there, and so is a frame between two of them: in
compiled programs any frame, elsewhere one of the same language.
"""

import collections
import re
import sys

import duckdb

# musl begins threads in `start`. From `mcall` on, Go's scheduler has left the goroutine and has no caller; and so it is
# where a goroutine is preempted.
STARTS = re.compile(
    r"(_start|_start_c|__clone|clone3?|__clone3|start|_dl_start_user"
    r"|_rt0_amd64(_linux)?|runtime\.(goexit|mstart|rt0_go|mcall)(\.abi0)?)"
)
PREEMPTED = re.compile(r"runtime\.morestack(\.abi0)? runtime\.newstack runtime\.(gopreempt_m|preemptPark)")
# In a stripped program `_start` has no name.
AFTER_START = re.compile(r"__libc_start_main")
CHAIN = re.compile(r"(?:^|[^A-Za-z0-9])(?:(left|right)_([0-7])|bottom_([0-7]))(?![A-Za-z0-9_(])")
# The function that decides where to turn, which compilers put into others.
TURN = re.compile(r"(^|[^A-Za-z0-9])turn_[0-8]$")
# Codes of the table `stack`.
COMPLETE, NO_USER_HALF, KERNEL_ONLY = 1, 3, 4
KERNEL = 1
LANGUAGES = range(2, 8)


class Extract:
    def __init__(self, path):
        self.db = duckdb.connect()
        self.path = path
        names = collections.defaultdict(list)
        for address, function in self.rows("select address, function from {symbol} order by address, depth"):
            names[address].append(function)
        modules = dict(self.rows("select a.id, m.name from {address} a join {module} m on a.module = m.id"))
        self.nodes = {}
        for node, parent, address, kind, end in self.rows('select id, parent, address, kind, "end" from {stack}'):
            functions = [name for name in names.get(address, []) if name] or [f"[{modules.get(address)}]"]
            self.nodes[node] = (parent, functions, kind, end)

    def rows(self, query):
        query = re.sub(r"\{(\w+)\}", lambda table: f"'{self.path}/{table.group(1)}.parquet'", query)
        return self.db.execute(query).fetchall()

    def stack(self, node):
        """How it ends, and (function, kind) of its user half from the outermost on."""
        frames, end = [], None
        while node in self.nodes:
            node, functions, kind, end = self.nodes[node]
            frames += [(function, kind) for function in functions if kind != KERNEL]
        return end, frames[::-1]


def begins(frames):
    names = [function.split("@")[0] for function, _ in frames[:3]]
    is_named = STARTS.fullmatch(names[0]) or PREEMPTED.fullmatch(" ".join(names))
    return bool(is_named) or len(names) > 1 and bool(AFTER_START.fullmatch(names[1]))


def judge(frames, is_native, is_whole):
    """How many frames of the chain there are, and how many are wrong."""
    chain = []
    for at, (function, kind) in enumerate(frames):
        found = CHAIN.search(function)
        if found and (is_native or kind in LANGUAGES):
            side, turn, bottom = found.groups()
            chain.append((at, 8 if bottom else int(turn), side))
            last = bottom
    if not chain:
        return 0, 0
    wrong, before, expected = 0, None, 0 if is_whole else chain[0][1]
    for at, turn, side in chain:
        wrong += turn != expected
        if side and last:
            wrong += (side == "right") != bool(int(last) >> (turn % 3) & 1)
        between = frames[before + 1 : at] if before is not None else []
        wrong += sum(1 for name, kind in between if not TURN.search(name) and (is_native or kind in LANGUAGES))
        before, expected = at, turn + 1
    return len(chain), wrong


def share(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "–"


def main():
    name, kind, aim, path = sys.argv[1:5]
    most = int(sys.argv[5]) if len(sys.argv) > 5 else 0
    extract = Extract(path)
    [[pid]] = extract.rows("select value from {fact} where key = 'command_pid'")
    [[waiting]] = extract.rows(
        "select code from {code} where \"table\" = 'thread_state' and \"column\" = 'state' and name = 'waiting'"
    )
    of_command = f"process in (select id from {{process}} where os_pid = {pid})"
    samples = extract.rows(f"select stack, weight_ns from {{cpu_sample}} where {of_command}")
    waits = extract.rows(f"select stack, duration_ns from {{thread_state}} where {of_command} and state = {waiting}")
    cells, frames_in_all, wrong_in_all = [], 0, 0
    not_whole, wrongs = collections.Counter(), collections.Counter()
    for what, rows in ("sample", samples), ("wait", waits):
        count = whole = ns_in_all = whole_ns = 0
        for stack, ns in rows:
            end, frames = extract.stack(stack)
            if not frames or end in (NO_USER_HALF, KERNEL_ONLY):
                continue
            is_whole = end == COMPLETE and begins(frames)
            count, whole = count + 1, whole + is_whole
            ns_in_all, whole_ns = ns_in_all + ns, whole_ns + ns * is_whole
            of_chain, wrong = judge(frames, kind == "native", is_whole)
            frames_in_all, wrong_in_all = frames_in_all + of_chain, wrong_in_all + wrong
            functions = [function for function, _ in frames]
            if not is_whole:
                not_whole[what, end, *functions[:3], "…", *functions[-2:]] += 1
            if wrong:
                wrongs[" ".join(functions)] += wrong
        cells += [str(count), share(whole, count)] + ([share(whole_ns, ns_in_all)] if what == "wait" else [])
    aim = f"{aim} %" if aim.isdigit() else aim
    print(f"| {name} | {aim} | {' | '.join(cells)} | {frames_in_all} | {wrong_in_all} |", flush=True)
    for stacks in not_whole, wrongs:
        for stack, count in stacks.most_common(most):
            print("   ", count, stack)


if sys.argv[1:] == ["--heading"]:
    print("| program | aim | CPU samples | whole | waits | whole | whole, by time | frames of the chain | wrong |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
else:
    main()
