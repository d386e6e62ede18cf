//! A pottery: pots are glazed in a thread, and the shop asks for finished pots.
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread;
use std::time::{Duration, Instant};

fn glaze(pot: u64) -> u64 {
    (0..60_000u64).fold(pot, |glaze, n| glaze.rotate_left(5) ^ n.wrapping_mul(0x9E37_79B9))
}

fn run_kiln(orders: Receiver<u64>, finished: Sender<u64>) {
    for pot in orders {
        finished.send(glaze(pot)).unwrap();
    }
}

#[inline(never)]
fn await_pot(finished: &Receiver<u64>) -> u64 {
    loop {
        match finished.try_recv() {
            Ok(pot) => return pot,
            Err(TryRecvError::Empty) => thread::sleep(Duration::from_millis(30)),
            Err(TryRecvError::Disconnected) => panic!("the kiln is cold"),
        }
    }
}

fn main() {
    let (order, orders) = channel();
    let (finish, finished) = channel();
    let kiln = thread::Builder::new().name("kiln".into()).spawn(move || run_kiln(orders, finish)).unwrap();
    let (start, mut pots, mut sum) = (Instant::now(), 0, 0);
    let mut waited = Duration::ZERO;
    while start.elapsed() < Duration::from_secs(2) {
        order.send(pots).unwrap();
        let before = Instant::now();
        sum ^= await_pot(&finished);
        waited += before.elapsed();
        pots += 1;
    }
    let share = waited.as_secs_f64() / start.elapsed().as_secs_f64();
    drop(order);
    kiln.join().unwrap();
    std::fs::write("truth", format!("share {share:.3}\npots {pots}\nsum {sum}\n")).unwrap();
}
