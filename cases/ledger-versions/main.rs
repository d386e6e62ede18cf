//! A ledger whose readers see a stable version: writers change their own copy only if a reader still
//! has the one before (copy on write by Arc::make_mut).

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

#[derive(Clone, Default)]
struct Account {
    cents: i64,
    bookings: u32,
}

#[derive(Clone)]
struct Ledger {
    accounts: Vec<Account>,
    booked: u64,
}

/// Keeps the versions that the audit may ask for.
struct History {
    versions: VecDeque<Arc<Ledger>>,
}

impl History {
    fn keep(&mut self, ledger: &Arc<Ledger>) {
        self.versions.push_back(Arc::clone(ledger));
        if self.versions.len() > 8 {
            self.versions.pop_front();
        }
    }
}

struct Bank {
    ledger: Arc<Ledger>,
    history: History,
}

impl Bank {
    fn new(accounts: usize) -> Bank {
        let ledger = Ledger { accounts: vec![Account::default(); accounts], booked: 0 };
        Bank { ledger: Arc::new(ledger), history: History { versions: VecDeque::new() } }
    }

    fn transfer(&mut self, from: usize, to: usize, cents: i64) {
        let ledger = Arc::make_mut(&mut self.ledger);
        for (account, amount) in [(from, -cents), (to, cents)] {
            ledger.accounts[account].cents += amount;
            ledger.accounts[account].bookings += 1;
        }
        ledger.booked += 1;
        self.history.keep(&self.ledger);
    }

    fn audit(&self) -> i64 {
        let oldest = self.history.versions.front();
        oldest.map_or(0, |ledger| ledger.accounts.iter().map(|account| account.cents).sum())
    }
}

fn main() {
    let end = Instant::now() + Duration::from_secs(2);
    let mut bank = Bank::new(24_000);
    let mut random = 12345u64;
    let mut off_balance = 0;
    while Instant::now() < end {
        for _ in 0..100 {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let (from, to) = ((random >> 20) as usize % 24_000, (random >> 40) as usize % 24_000);
            bank.transfer(from, to, (random >> 56) as i64);
        }
        off_balance += bank.audit();
    }
    println!("{} transfers, off by {}", bank.ledger.booked, off_balance);
}
