//! Resolves the dependencies of a project: for each package it tries the versions from the newest to the oldest.
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

#[derive(Clone)]
struct Package {
    name: String,
    version: u32,
    features: Vec<String>,
    needs: Vec<(String, u32)>,
}

#[derive(Clone, Default)]
struct Solution {
    chosen: BTreeMap<String, Package>,
    notes: Vec<String>,
}

struct Registry {
    packages: Vec<Vec<Package>>,
}

impl Registry {
    fn make(count: u32) -> Registry {
        let packages = (0..count)
            .map(|number| {
                (0..6)
                    .rev()
                    .map(|version| Package {
                        name: format!("package-{number}"),
                        version,
                        features: (0..6).map(|f| format!("feature-{f}")).collect(),
                        needs: (1..4).map(|n| (format!("package-{}", number.wrapping_sub(n * 7)), version / 2 + n % 2)).collect(),
                    })
                    .collect()
            })
            .collect();
        Registry { packages }
    }
}

#[inline(never)]
fn fits(solution: &Solution, candidate: &Package) -> bool {
    candidate.version % 4 == 1
        && candidate.needs.iter().all(|(name, at_least)| solution.chosen.get(name).is_none_or(|other| other.version + 9 >= *at_least))
}

#[inline(never)]
fn try_candidate(solution: &Solution, candidate: &Package) -> Option<Solution> {
    let mut next = solution.clone();
    next.notes.push(format!("try {} {}", candidate.name, candidate.version));
    if !fits(&next, candidate) {
        return None;
    }
    next.chosen.insert(candidate.name.clone(), candidate.clone());
    Some(next)
}

fn resolve(registry: &Registry, trying: &mut Duration) -> Solution {
    let mut solution = Solution::default();
    for versions in &registry.packages {
        for candidate in versions {
            let before = Instant::now();
            let next = try_candidate(&solution, candidate);
            *trying += before.elapsed();
            if let Some(next) = next {
                solution = next;
                break;
            }
        }
    }
    solution
}

fn main() {
    let registry = Registry::make(250);
    let (start, mut trying) = (Instant::now(), Duration::ZERO);
    let (mut rounds, mut chosen, mut features) = (0, 0, 0);
    while start.elapsed() < Duration::from_secs(2) {
        let solution = resolve(&registry, &mut trying);
        chosen += solution.chosen.len();
        features += solution.chosen.values().map(|p| p.features.len()).sum::<usize>();
        rounds += 1;
    }
    let share = trying.as_secs_f64() / start.elapsed().as_secs_f64();
    std::fs::write("truth", format!("trying {share:.3}\nrounds {rounds}\nchosen {chosen}\nfeatures {features}\n")).unwrap();
}
