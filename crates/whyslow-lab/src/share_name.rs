//! A share to work on: `smb`, `smb:3.11`, `smb:case+rtt=10ms`, `nfs:rtt=2ms+on=ext4-nodirindex`.

use std::time::Duration;

use whyslow_share::{Dialect, Protocol, Share};

use crate::fixture::FixtureSpec;
use crate::options::Units;

/// A share, and what it lies on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShareName {
    /// The share.
    pub share: Share,
    /// The file system under it; `None` for memory.
    pub on: Option<FixtureSpec>,
}

/// What the parts of a share's name are, for messages.
const PARTS: &str =
    "a dialect (2.02, 2.10, 3.00, 3.02, 3.11), case, rtt=TIME, or at the end on=SYSTEM";

/// Returns the share that `text` names, and the file system under it if one is named; `None` if it is
/// not a share.
///
/// # Errors
/// When the protocol is one, and what follows it is not.
pub(crate) fn share(text: &str, units: Units) -> Result<Option<ShareName>, String> {
    let end = text.find([':', '-', '+']).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let protocol = match name {
        "smb" => Protocol::Smb,
        "nfs" => Protocol::Nfs,
        _ => return Ok(None),
    };
    let mut share = Share {
        protocol,
        dialect: None,
        case_sensitive: protocol == Protocol::Nfs,
        rtt: Duration::ZERO,
    };
    let mut under = None;
    // What follows a part's beginning `on=` is the system's name.
    let mut parts = rest.match_indices([':', '-', '+']);
    let split = parts.find_map(|(at, _)| {
        let (before, part) = rest.split_at(at);
        Some((before, part.get(1..)?.strip_prefix("on=")?))
    });
    let rest = match split {
        Some((before, name)) => {
            under = Some(on(name)?);
            before
        }
        None => rest,
    };
    for part in rest.split([':', '-', '+']).skip(1) {
        take(&mut share, part, units)?;
    }
    Ok(Some(ShareName { share, on: under }))
}

/// Returns the file system for a share to lie on.
fn on(name: &str) -> Result<FixtureSpec, String> {
    let plan = FixtureSpec::named(name).filter(|plan| plan.scan.is_none());
    plan.ok_or_else(|| format!("{name:?} is not a file system that a share can be on"))
}

fn take(share: &mut Share, part: &str, units: Units) -> Result<(), String> {
    if let Some(time) = part.strip_prefix("rtt=") {
        share.rtt = (units.duration)(time)?;
        if share.rtt > Duration::from_secs(10) {
            return Err("a round trip takes at most 10s".to_owned());
        }
        return Ok(());
    }
    let dialect = Dialect::named(part);
    let name = share.protocol.name();
    if share.protocol == Protocol::Nfs && (dialect.is_some() || part == "case") {
        return Err(format!(
            "{name} takes no {part}, only rtt=TIME and on=SYSTEM"
        ));
    }
    match dialect {
        Some(dialect) => share.dialect = Some(dialect),
        None if part == "case" => share.case_sensitive = true,
        None => return Err(format!("{part:?} cannot be part of {name}: use {PARTS}")),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::tests::UNITS;

    fn share(text: &str) -> Result<Option<ShareName>, String> {
        super::share(text, UNITS)
    }

    #[test]
    fn parts_combine() {
        let rtt = |text: &str| share(text).map(|share| share.map(|one| one.share.rtt));
        assert_eq!(rtt("smb"), Ok(Some(Duration::ZERO)));
        assert_eq!(rtt("smb:3.11+rtt=10ms"), rtt("smb-rtt=10ms"));
        assert_eq!(rtt("nfs:rtt=2ms"), Ok(Some(Duration::from_millis(2))));
        assert_eq!((rtt("ext4"), rtt("smbfs")), (Ok(None), Ok(None)));
        let both = |text: &str| share(text).ok().flatten().expect("a share");
        let of = |text: &str| both(text).share;
        assert_eq!(of("smb:2.10").dialect, Some(Dialect::V210));
        assert!(of("smb:case+3.00").case_sensitive && !of("smb").case_sensitive);
        let on = |text: &str| both(text).on.map(|plan| plan.format.name);
        assert_eq!((on("nfs:on=xfs"), on("smb")), (Some("xfs"), None));
        let ShareName {
            share: all,
            on: under,
        } = both("smb:case+rtt=2ms+on=ext4-nodirindex");
        assert_eq!(under.map(|plan| plan.format.name), Some("ext4-nodirindex"));
        assert_eq!(
            (all.case_sensitive, all.rtt),
            (true, Duration::from_millis(2))
        );
        for odd in [
            "smb:on=",
            "smb:on=tmpfs",
            "smb:on=ext4+scanner",
            "smb:",
            "smb:3.12",
            "nfs:3.11",
            "nfs-case",
            "smb:rtt=",
            "smb:rtt=1h",
            "smb:3.11on=ext4",
        ] {
            assert!(share(odd).is_err(), "{odd}");
        }
        let version = share("nfs:version=4").expect_err("no part");
        assert!(
            version.contains("\"version=4\" cannot be part"),
            "{version}"
        );
    }
}
