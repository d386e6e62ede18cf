//! Distributes loads among barges so that the heaviest barge is as light as possible (branch and bound).
use std::collections::HashMap;
use std::time::Instant;

#[derive(Clone)]
struct Load {
    name: String,
    tons: u32,
    notes: Vec<String>,
}

#[derive(Clone)]
struct Plan {
    barges: Vec<Vec<Load>>,
    placed: HashMap<String, usize>,
}

struct Search {
    loads: Vec<Load>,
    best: u32,
    tried: u64,
    start: Instant,
    copying: f64,
}

impl Plan {
    fn weight(&self, barge: usize) -> u32 {
        self.barges[barge].iter().map(|load| load.tons).sum()
    }
    fn heaviest(&self) -> u32 {
        (0..self.barges.len()).map(|barge| self.weight(barge)).max().unwrap_or(0)
    }
}

impl Search {
    #[inline(never)]
    fn try_barges(&mut self, plan: &Plan, next: usize) {
        if next == self.loads.len() {
            self.best = self.best.min(plan.heaviest());
            return;
        }
        for barge in 0..plan.barges.len() {
            if self.start.elapsed().as_secs_f64() > 2.0 {
                return;
            }
            let before = Instant::now();
            let mut tried = plan.clone();
            self.copying += before.elapsed().as_secs_f64();
            let load = self.loads[next].clone();
            tried.placed.insert(load.name.clone(), barge);
            tried.barges[barge].push(load);
            self.tried += 1;
            if tried.weight(barge) < self.best {
                self.try_barges(&tried, next + 1);
            }
            let before = Instant::now();
            drop(tried);
            self.copying += before.elapsed().as_secs_f64();
        }
    }
}

fn main() {
    let start = Instant::now();
    let loads = (0..48u32)
        .map(|n| Load {
            name: format!("load {n:03}"),
            tons: 20 + n * 37 % 61,
            notes: vec![format!("owner {}", n % 7), "keep dry".to_string(), "unload at the north quay".to_string()],
        })
        .collect::<Vec<_>>();
    let notes: usize = loads.iter().map(|load| load.notes.len()).sum();
    let mut search = Search { loads, best: u32::MAX, tried: 0, start, copying: 0.0 };
    let empty = Plan { barges: vec![Vec::new(); 5], placed: HashMap::new() };
    search.try_barges(&empty, 0);
    let share = search.copying / start.elapsed().as_secs_f64();
    let text = format!("copying_share {share:.3}\ntried {}\nbest {}\nnotes {notes}\n", search.tried, search.best);
    std::fs::write("truth", text).unwrap();
}
