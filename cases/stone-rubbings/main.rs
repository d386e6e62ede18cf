//! Reads the catalogue of rubbings from gravestones: records end with a zero byte, fields with a tab.
use std::fs::File;
use std::io::{Read, Write};
use std::time::Instant;

const CATALOGUE: &str = "rubbings.dat";

struct Rubbing {
    churchyard: String,
    year: u32,
    text: String,
}

fn write_catalogue(records: u32) -> std::io::Result<()> {
    let yards = ["St. Mary", "St. Olave", "All Saints", "Holy Rood"];
    let mut text = String::new();
    for n in 0..records {
        let yard = yards[(n * 7 % 4) as usize];
        text += &format!("{yard}\t{}\there lies number {n}, a mason of this parish\0", 1640 + n * 13 % 260);
    }
    File::create(CATALOGUE)?.write_all(text.as_bytes())
}

fn parse(record: &[u8]) -> Option<Rubbing> {
    let text = String::from_utf8_lossy(record);
    let mut fields = text.split('\t');
    Some(Rubbing {
        churchyard: fields.next()?.to_string(),
        year: fields.next()?.parse().ok()?,
        text: fields.next()?.to_string(),
    })
}

#[inline(never)]
fn read_record(file: &File) -> std::io::Result<Option<Rubbing>> {
    let mut record = Vec::new();
    for byte in file.bytes() {
        match byte? {
            0 => return Ok(parse(&record)),
            other => record.push(other),
        }
    }
    Ok(None)
}

fn main() -> std::io::Result<()> {
    write_catalogue(200_000)?;
    let start = Instant::now();
    let file = File::open(CATALOGUE)?;
    let (mut rubbings, mut old, mut letters) = (0u32, 0u32, 0usize);
    while start.elapsed().as_secs_f64() < 2.0 {
        let Some(rubbing) = read_record(&file)? else { break };
        rubbings += 1;
        if rubbing.year < 1700 && rubbing.churchyard != "Holy Rood" {
            old += 1;
        }
        letters += rubbing.text.len();
    }
    std::fs::write("truth", format!("reading_s {:.3}\nrubbings {rubbings}\nold {old}\nletters {letters}\n", start.elapsed().as_secs_f64()))
}
