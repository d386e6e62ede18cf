//! Packs the scans of a day by gzip, as many at a time as there are CPUs.
use std::collections::VecDeque;
use std::fs::{self, File};
use std::process::{Child, Command, Stdio};

fn write_scan(number: u64) -> String {
    let mut state = number + 1;
    let dots: Vec<u8> = (0..2 << 20)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 61) as u8 * 9
        })
        .collect();
    let name = format!("scan-{number}.raw");
    fs::write(&name, dots).unwrap();
    name
}

fn start_packing(name: &str) -> Child {
    let packed = File::create(format!("{name}.gz")).unwrap();
    Command::new("gzip").args(["-c", name]).stdout(packed).stdin(Stdio::null()).spawn().unwrap()
}

fn await_oldest(packing: &mut VecDeque<Child>) {
    let mut oldest = packing.pop_front().unwrap();
    assert!(oldest.wait().unwrap().success());
}

fn main() {
    let cpus = std::thread::available_parallelism().unwrap().get();
    let scans: Vec<String> = (0..6).map(write_scan).collect();
    let mut packing = VecDeque::new();
    for scan in &scans {
        if packing.len() == cpus {
            await_oldest(&mut packing);
        }
        packing.push_back(start_packing(scan));
    }
    while !packing.is_empty() {
        await_oldest(&mut packing);
    }
    let mut bytes = 0;
    for scan in &scans {
        bytes += fs::metadata(format!("{scan}.gz")).unwrap().len();
        fs::remove_file(scan).unwrap();
        fs::remove_file(format!("{scan}.gz")).unwrap();
    }
    fs::write("truth", format!("bytes {bytes}\n")).unwrap();
}
