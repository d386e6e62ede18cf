// Stars of a cluster pull at their neighbours. Who is whose neighbour comes from a catalogue, in the order in which
// the stars were discovered.
use std::time::{Duration, Instant};

const STARS: usize = 1 << 20;
const NEIGHBOURS: usize = 12;

#[derive(Clone, Copy, Default)]
struct Star {
    place: [f64; 3],
    mass: f64,
}

struct Cluster {
    stars: Vec<Star>,
    pulls: Vec<[f64; 3]>,
    neighbours: Vec<u32>,
}

fn discover(sorted: bool) -> Cluster {
    let mut seed = 88172645463325252u64;
    let mut next = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    };
    let stars = (0..STARS)
        .map(|i| Star { place: [i as f64 * 1e-3, (next() >> 40) as f64 * 1e-6, (next() >> 40) as f64 * 1e-6], mass: 1.0 })
        .collect();
    let neighbours = (0..STARS * NEIGHBOURS)
        .map(|i| if sorted { ((i / NEIGHBOURS + i % NEIGHBOURS) % STARS) as u32 } else { (next() % STARS as u64) as u32 })
        .collect();
    Cluster { stars, pulls: vec![[0.0; 3]; STARS], neighbours }
}

#[inline(never)]
fn pull_of_neighbours(cluster: &mut Cluster, range: std::ops::Range<usize>) {
    for i in range {
        let me = cluster.stars[i];
        let mut pull = [0.0; 3];
        for &other in &cluster.neighbours[i * NEIGHBOURS..(i + 1) * NEIGHBOURS] {
            let star = &cluster.stars[other as usize];
            let d = [star.place[0] - me.place[0], star.place[1] - me.place[1], star.place[2] - me.place[2]];
            let r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 1e-3;
            for k in 0..3 {
                pull[k] += star.mass * d[k] / r2;
            }
        }
        cluster.pulls[i] = pull;
    }
}

#[inline(never)]
fn move_stars(cluster: &mut Cluster, range: std::ops::Range<usize>, h: f64) {
    for i in range {
        for k in 0..3 {
            cluster.stars[i].place[k] += h * cluster.pulls[i][k];
        }
    }
}

fn main() {
    let start = Instant::now();
    let mut cluster = discover(std::env::args().nth(1).is_some());
    let set_up = start.elapsed();
    let (mut pulling, mut done) = (Duration::ZERO, 0);
    'all: loop {
        for at in (0..STARS).step_by(1 << 14) {
            let before = Instant::now();
            pull_of_neighbours(&mut cluster, at..at + (1 << 14));
            pulling += before.elapsed();
            done += 1 << 14;
            if start.elapsed() > Duration::from_millis(2200) {
                break 'all;
            }
        }
        move_stars(&mut cluster, 0..STARS, 1e-6);
    }
    println!("set up in {:.2} s, {done} stars, {:.0} ns each", set_up.as_secs_f64(), pulling.as_nanos() as f64 / done as f64);
    let share = pulling.as_secs_f64() / start.elapsed().as_secs_f64();
    std::fs::write("truth", format!("share {share:.3}\n")).unwrap();
}
