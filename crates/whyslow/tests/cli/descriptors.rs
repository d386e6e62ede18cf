//! Descriptors whose numbers go from thread to thread, and from one file to another.

use whyslow_testenv::{Feature, has};

use crate::harness::Place;

/// Two threads open, read and close a file each, in turns: each gets the number that the other one has just closed.
/// Then one thread opens a file and the other one reads from and closes it.
const PROGRAM: &str = "import os, threading
turn = threading.Barrier(2)
mine, theirs = [], []
def use(name, size):
    for at in range(200):
        if at % 2 == (name == 'one'):
            number = os.open(name, os.O_RDONLY)
            assert len(os.read(number, 100)) == size
            os.close(number)
            mine.append(number)
        turn.wait()
def hand_over():
    for at in range(100):
        theirs.append(os.open('three', os.O_RDONLY))
        turn.wait(); turn.wait()
def take():
    for at in range(100):
        turn.wait()
        assert len(os.read(theirs[-1], 100)) == 30
        os.close(theirs[-1])
        turn.wait()
for pair in [[(use, 'one', 10), (use, 'two', 20)], [(hand_over,), (take,)]]:
    threads = [threading.Thread(target=what, args=rest) for what, *rest in pair]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
assert len(set(mine)) == 1 and len(set(theirs)) == 1
";

#[test]
fn a_number_that_another_thread_closed_means_the_new_file() {
    if !has(Feature::Recording) || !has(Feature::Bpf) || !has(Feature::Python) {
        return;
    }
    let place = Place::new();
    for (name, size) in [("one", 10), ("two", 20), ("three", 30)] {
        place.write(name, &vec![b'x'; size]);
    }
    place.write("numbers.py", PROGRAM.as_bytes());
    let said = place.run(&["record", "-o", "x.data", "--", "python3", "numbers.py"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let said = place.run(&["extract", "x.data", "--no-symbols"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    for (name, size) in [("one", 10), ("two", 20), ("three", 30)] {
        let pattern = format!("*/{name}");
        let said = place.run(&[
            "files",
            "x.whyslow",
            "--process",
            "python3",
            "--file",
            &pattern,
            "--by",
            "operation",
            "--format",
            "csv",
            "--columns",
            "operation,calls,bytes",
        ]);
        let lines: Vec<&str> = said.out.lines().map(str::trim_end).collect();
        for line in ["open,100,".to_owned(), format!("read,100,{}", 100 * size)] {
            let found = lines.iter().any(|said| said.starts_with(&line));
            assert!(found, "{name}: no {line} in {said:?}");
        }
    }
}
