//! Writes a trace of threads that move at random, for measurements:
//! `wander OUT CPUS THREADS STEPS`. A step takes about 100 bytes: a switch or a wake-up, usually
//! with its stack.

use whyslow_testkit::{Random, ScriptedMachine};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let [_, out, cpus, threads, steps] = args.as_slice() else {
        return Err("wander OUT CPUS THREADS STEPS".into());
    };
    let mut machine = ScriptedMachine::new(cpus.parse()?);
    machine.header.buffer_bytes = 0x1_0000;
    machine.wander(&mut Random(1), threads.parse()?, steps.parse()?);
    std::fs::write(out, machine.trace().bytes())?;
    Ok(())
}
