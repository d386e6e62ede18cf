//! Reads the capture of a buoy's radio: checks the frames, takes them apart, and adds up hours.
use std::fs;
use std::io::Write;
use std::time::{Duration, Instant};

const FRAME: usize = 264;

#[derive(Default, Clone, Copy)]
struct Hour {
    count: u32,
    sum: i64,
    low: i32,
    high: i32,
}

fn crc16(data: &[u8]) -> u16 {
    let mut crc = 0xffffu16;
    for &byte in data {
        for bit in (0..8).rev() {
            let incoming = (byte >> bit) & 1 == 1;
            let top = crc & 0x8000 != 0;
            crc <<= 1;
            if incoming != top {
                crc ^= 0x1021;
            }
        }
    }
    crc
}

fn make_frame(number: u32) -> Vec<u8> {
    let mut frame = Vec::with_capacity(FRAME);
    frame.extend_from_slice(&number.to_le_bytes());
    frame.extend_from_slice(&(number % 24).to_le_bytes()[..2]);
    let mut state = number.wrapping_mul(2654435761) | 1;
    let mut level = (number % 300) as i32;
    for _ in 0..64 {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        let step = (state % 41) as i32 - 20;
        level += step;
        frame.extend_from_slice(&(level as f32 / 10.0).to_le_bytes());
    }
    let crc = crc16(&frame);
    frame.extend_from_slice(&crc.to_le_bytes());
    frame
}

fn frame_is_intact(frame: &[u8]) -> bool {
    let (body, sum) = frame.split_at(FRAME - 2);
    crc16(body) == u16::from_le_bytes([sum[0], sum[1]])
}

fn levels(frame: &[u8]) -> impl Iterator<Item = f32> + '_ {
    frame[6..FRAME - 2].chunks_exact(4).map(|c| f32::from_le_bytes([c[0], c[1], c[2], c[3]]))
}

fn smooth(values: &[f32], out: &mut Vec<f32>) {
    out.clear();
    for i in 0..values.len() {
        let from = i.saturating_sub(6);
        let to = (i + 7).min(values.len());
        let window = &values[from..to];
        out.push(window.iter().map(|v| v * v).sum::<f32>().sqrt() / window.len() as f32);
    }
}

fn add_up(frame: &[u8], smoothed: &[f32], hours: &mut [Hour; 24]) {
    let hour = &mut hours[u16::from_le_bytes([frame[4], frame[5]]) as usize % 24];
    for &v in smoothed {
        let v = (v * 1000.0).round() as i32;
        hour.count += 1;
        hour.sum += v as i64;
        hour.low = hour.low.min(v);
        hour.high = hour.high.max(v);
    }
}

fn main() -> std::io::Result<()> {
    let start = Instant::now();
    let capture: Vec<u8> = (0..6000).flat_map(make_frame).collect();
    fs::write("capture.bin", &capture)?;
    let mut hours = [Hour::default(); 24];
    let (mut values, mut smoothed) = (Vec::new(), Vec::new());
    let (mut checking, mut bad, mut passes) = (Duration::ZERO, 0, 0);
    while start.elapsed() < Duration::from_millis(2000) {
        let capture = fs::read("capture.bin")?;
        let t = Instant::now();
        let intact: Vec<bool> = capture.chunks_exact(FRAME).map(frame_is_intact).collect();
        checking += t.elapsed();
        for (frame, ok) in capture.chunks_exact(FRAME).zip(intact) {
            if !ok {
                bad += 1;
                continue;
            }
            values.clear();
            values.extend(levels(frame));
            smooth(&values, &mut smoothed);
            add_up(frame, &smoothed, &mut hours);
        }
        passes += 1;
    }
    let wall = start.elapsed().as_secs_f64();
    let total: i64 = hours.iter().map(|h| h.sum / i64::from(h.count.max(1))).sum();
    println!("{passes} captures, {bad} bad frames, {total}");
    writeln!(fs::File::create("truth")?, "share {:.3}", checking.as_secs_f64() / wall)
}
