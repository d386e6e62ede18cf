//! A request thread notes how long each request took; a second thread makes a statistic of that, again and again.
//! Both use a lock that somebody wrote because "std's mutex is slow".
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

struct SpinLock<T> {
    taken: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: `value` is only reached by `with`, by the one thread that has set `taken`.
unsafe impl<T: Send> Sync for SpinLock<T> {}

impl<T> SpinLock<T> {
    const fn new(value: T) -> Self {
        SpinLock { taken: AtomicBool::new(false), value: UnsafeCell::new(value) }
    }

    #[inline(never)]
    fn lock(&self) {
        while self.taken.compare_exchange_weak(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
            std::hint::spin_loop();
        }
    }

    fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        self.lock();
        // SAFETY: this thread has the lock until the store below.
        let result = work(unsafe { &mut *self.value.get() });
        self.taken.store(false, Ordering::Release);
        result
    }
}

static DURATIONS: SpinLock<Vec<u64>> = SpinLock::new(Vec::new());
static STOP: AtomicBool = AtomicBool::new(false);
static SPUN: AtomicU64 = AtomicU64::new(0);

fn median() -> u64 {
    DURATIONS.with(|durations| {
        let mut sorted = durations.clone();
        sorted.sort_by_key(|n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(17));
        sorted.get(sorted.len() / 2).copied().unwrap_or(0)
    })
}

fn keep_statistics() {
    while !STOP.load(Ordering::Relaxed) {
        median();
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[inline(never)]
fn record_request(number: u64) {
    let before = Instant::now();
    DURATIONS.with(|durations| {
        let slot = number as usize % durations.len();
        durations[slot] = number * 7919 % 100_003;
    });
    SPUN.fetch_add(before.elapsed().as_nanos() as u64, Ordering::Relaxed);
}

fn serve_requests(until: Duration) -> u64 {
    let (start, mut requests, mut page) = (Instant::now(), 0u64, 1u64);
    while start.elapsed() < until {
        for n in 0..3_000_000u64 {
            page = page.wrapping_mul(31) ^ n;
        }
        std::hint::black_box(page);
        record_request(requests);
        requests += 1;
    }
    requests
}

fn main() {
    DURATIONS.with(|durations| durations.extend((0..600_000u64).map(|n| n * 104_729 % 1_000_003)));
    let statistics = std::thread::Builder::new().name("statistics".into()).spawn(keep_statistics).unwrap();
    let start = Instant::now();
    let requests = serve_requests(Duration::from_millis(2000));
    let spun = SPUN.load(Ordering::Relaxed) as f64 / start.elapsed().as_nanos() as f64;
    STOP.store(true, Ordering::Relaxed);
    statistics.join().unwrap();
    std::fs::write("truth", format!("spun {spun:.3}\nrequests {requests}\n")).unwrap();
}
