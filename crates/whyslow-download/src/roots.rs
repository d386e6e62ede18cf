//! The certificates that servers are checked against.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use ureq::tls::{Certificate, PemItem, RootCerts, parse_pem};

/// Where systems keep the file with the certificates that they trust.
const OF_SYSTEM: [&str; 6] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
    "/usr/local/share/certs/ca-root-nss.crt",
];

/// How many bytes of such a file are read at most.
const MOST_BYTES: u64 = 16 << 20;

/// Returns the certificates in the file `named`, else those of the system, else Mozilla's.
pub(crate) fn find(named: Option<&Path>) -> RootCerts {
    let files = named.into_iter().chain(OF_SYSTEM.map(Path::new));
    let mut found = files.map(read).filter(|found| !found.is_empty());
    match found.next() {
        Some(certificates) => RootCerts::new_with_certs(&certificates),
        None => RootCerts::WebPki,
    }
}

/// Returns the certificates in a file; none where it cannot be read.
fn read(path: &Path) -> Vec<Certificate<'static>> {
    let mut text = Vec::new();
    let file = File::open(path).map(|file| file.take(MOST_BYTES));
    if file
        .and_then(|mut file| file.read_to_end(&mut text))
        .is_err()
    {
        return Vec::new();
    }
    // Each by itself: a damaged one is no reason to distrust those after it.
    let certificates = blocks(&text).filter_map(|block| match parse_pem(block).next() {
        Some(Ok(PemItem::Certificate(certificate))) => Some(certificate),
        _ => None,
    });
    certificates.collect()
}

/// Returns the parts of a file that begin with a line `-----BEGIN …`.
fn blocks(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    const BEGIN: &[u8] = b"-----BEGIN ";
    let mut starts = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        if line.starts_with(BEGIN) {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.clone().into_iter().skip(1).chain([text.len()]);
    let ranges = starts.into_iter().zip(ends);
    ranges.filter_map(|(from, to)| text.get(from..to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_named_file_comes_first_and_an_empty_one_does_not_count() {
        let dir = std::env::temp_dir().join(format!("whyslow-roots-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let (one, none) = (dir.join("one.pem"), dir.join("none.pem"));
        let pem = "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n";
        std::fs::write(&one, format!("a comment\n{pem}{pem}")).unwrap();
        std::fs::write(&none, "no certificates\n").unwrap();
        let count = |path: &Path| match find(Some(path)) {
            RootCerts::Specific(certificates) => Some(certificates.len()),
            _ => None,
        };
        assert_eq!(count(&one), Some(2));
        let damaged = "-----BEGIN CERTIFICATE-----\n?!\n-----END CERTIFICATE-----\n";
        let cut = "-----BEGIN CERTIFICATE-----\nMAA=\n";
        let key = "-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----\n";
        std::fs::write(&one, format!("{pem}{damaged}{cut}{key}{pem}{pem}")).unwrap();
        assert_eq!(count(&one), Some(3), "those around the damaged ones");
        assert_ne!(count(&none), Some(0));
        assert_eq!(count(&none), count(&dir.join("missing.pem")));
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
