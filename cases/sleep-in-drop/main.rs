//! Answers requests, each in a session of its own.
use std::hint::black_box;
use std::thread::sleep;
use std::time::{Duration, Instant};

struct Session(u64);

impl Session {
    #[inline(never)]
    fn answer(&self, request: u64) -> u64 {
        (0..200_000).fold(self.0, |sum, n| black_box(sum.wrapping_mul(31) + request + n))
    }

    #[inline(never)]
    fn close_gracefully(&mut self) {
        // Lets late packets arrive.
        sleep(Duration::from_millis(15));
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.close_gracefully();
    }
}

fn main() {
    let (start, mut closing, mut requests) = (Instant::now(), 0.0, 0);
    while start.elapsed() < Duration::from_secs(2) {
        let session = Session(requests);
        black_box(session.answer(requests));
        let before = Instant::now();
        drop(session);
        closing += before.elapsed().as_secs_f64();
        requests += 1;
    }
    let share = closing / start.elapsed().as_secs_f64();
    std::fs::write("truth", format!("share {share:.3}\nrequests {requests}\n")).expect("a file");
}
