//! What all loaded objects have in common.

use std::os::fd::AsFd as _;

use aya::Ebpf;

use crate::sys::functions;

/// An object whose programs are loaded.
pub trait Loaded {
    /// Returns the object.
    fn object(&self) -> &Ebpf;

    /// Returns where the functions of its programs are in the kernel, as far as the kernel reveals
    /// it.
    fn functions(&self) -> Vec<u64> {
        let programs = self.object().programs();
        let fds = programs.filter_map(|(_, program)| program.fd().ok());
        fds.filter_map(|fd| functions(fd.as_fd()).ok())
            .flatten()
            .collect()
    }
}

/// Returns the kernel's numbers of all eBPF programs that are loaded, by whomever; `None`: it does not say.
pub fn loaded_programs() -> Option<Vec<u32>> {
    let programs = aya::programs::loaded_programs();
    programs
        .map(|program| program.ok().map(|program| program.id()))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::os::fd::BorrowedFd;

    use aya::Ebpf;
    use whyslow_testenv::{Feature, has};

    use super::Loaded;
    use crate::network::NetworkFollower;
    use crate::{Config, Counting, Programs, PythonFrames, SystemCallCounter};

    /// A kernel accepts a program only if its verifier looks at no more than a million instructions,
    /// however many paths lead to each of them. How many it looks at differs between kernels, so there
    /// must be room; and each takes time whenever a recording starts. For one kernel the number is always
    /// the same.
    const MOST_VERIFIED: u32 = 200_000;

    const COUNTING: Counting = Counting {
        hot_gap_ns: 20_000,
        has_files: true,
        file_rows_per_second: 5_000,
    };

    #[test]
    fn functions_of_programs_are_where_the_kernel_lists_them() {
        if !has(Feature::Bpf) {
            return;
        }
        let calls = SystemCallCounter::load(0, COUNTING, &[]).unwrap();
        let symbols = std::fs::read_to_string("/proc/kallsyms").unwrap();
        let functions = calls.functions();
        for name in ["on_enter", "on_leave", "find_file"] {
            let end = format!("_{name}\t[bpf]");
            let mut places = symbols.lines().filter(|line| line.ends_with(&end));
            let is_listed = |line: &str| {
                let address = u64::from_str_radix(line.split(' ').next()?, 16).ok()?;
                Some(functions.contains(&address))
            };
            assert!(places.any(|line| is_listed(line) == Some(true)), "{name}");
        }
    }

    #[test]
    fn no_program_is_near_the_limit_of_the_verifier() {
        if !has(Feature::Bpf) {
            return;
        }
        let config = Config {
            reports_switches: true,
            ..Config::default()
        };
        let mut programs = Programs::load(&config, &[]).unwrap();
        programs.attach_sampler(&[] as &[BorrowedFd<'_>]).unwrap();
        let python = PythonFrames::load(&mut programs, &[], &[]).unwrap();
        let calls = SystemCallCounter::load(0, COUNTING, &[]).unwrap();
        let network = NetworkFollower::load(Some(&mut programs), &[]).unwrap();
        let objects: [&dyn Loaded; 4] = [&programs, &python, &calls, &network];
        let all = objects
            .map(Loaded::object)
            .into_iter()
            .flat_map(Ebpf::programs);
        for (name, program) in all {
            let Ok(info) = program.info() else {
                let newer = ["on_switched", "on_request", "on_request_end"];
                assert!(newer.contains(&name), "{name} needs Linux 6.16");
                continue;
            };
            let Some(verified) = info.verified_instruction_count() else {
                continue;
            };
            println!("{verified:7} {name}");
            assert!(verified < MOST_VERIFIED, "{name}: {verified}");
        }
    }
}
