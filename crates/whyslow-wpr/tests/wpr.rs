//! Controls the recorder of Windows, with a shell script in its place.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "failed expectations of tests")]

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use whyslow_wpr::{Wpr, WprError, WprSettings, profile};

/// Logs its arguments, and refuses those it finds on a list.
const STAND_IN: &str = r#"
echo "$@" >> "$0/told"
if grep -qxF -e "$*" "$0/refused"; then echo "error   0xc5583001:" >&2; exit 1; fi
"#;

struct Place(PathBuf);

impl Place {
    fn new(name: &str, refused: &str) -> Self {
        let name = format!("whyslow-wpr-{name}-{}", std::process::id());
        let dir = std::env::temp_dir().join(name);
        fs::create_dir_all(&dir).unwrap();
        fs::write(dir.join("refused"), refused).unwrap();
        Self(dir)
    }

    fn wpr(&self) -> Wpr {
        let words: [OsString; 4] = [
            "sh".into(),
            "-c".into(),
            STAND_IN.into(),
            self.0.clone().into(),
        ];
        Wpr::stand_in(words.into())
    }

    fn told(&self) -> Vec<String> {
        let told = fs::read_to_string(self.0.join("told")).unwrap_or_default();
        told.lines().map(str::to_owned).collect()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const FILE: &str = "a.wprp";

#[test]
fn a_recording_is_started_and_stopped() {
    let place = Place::new("whole", "");
    let wpr = place.wpr();
    let settings = WprSettings {
        is_light: true,
        is_circular: false,
    };
    wpr.start(settings, Path::new(FILE))
        .unwrap()
        .stop(Path::new("t.etl"))
        .unwrap();
    let told = [
        "-start a.wprp!Whyslow.Light -filemode",
        "-stop t.etl -skipPdbGen",
    ];
    assert_eq!(place.told(), told);
    // Each profile that is started is in the file.
    let text = profile();
    for is_light in [false, true] {
        let words = WprSettings {
            is_light,
            is_circular: true,
        }
        .start("x.wprp");
        let (_, id) = words[1].split_once('!').unwrap();
        assert!(text.contains(&format!("Id=\"{id}.Memory\"")));
        assert!(text.contains(&format!("Id=\"{id}.File\"")));
        assert_eq!(words.len(), 2);
    }
}

#[test]
fn an_older_recorder_is_stopped_too() {
    let place = Place::new("older", "-stop t.etl -skipPdbGen");
    let wpr = place.wpr();
    wpr.start(WprSettings::default(), Path::new(FILE))
        .unwrap()
        .stop(Path::new("t.etl"))
        .unwrap();
    let told = place.told();
    assert_eq!(told[1..], ["-stop t.etl -skipPdbGen", "-stop t.etl"]);
}

#[test]
fn a_recording_that_cannot_be_stopped_is_cancelled() {
    let place = Place::new("refused", "-stop t.etl -skipPdbGen\n-stop t.etl");
    let wpr = place.wpr();
    let running = wpr.start(WprSettings::default(), Path::new(FILE)).unwrap();
    let error = running.stop(Path::new("t.etl")).unwrap_err();
    assert_eq!(error.to_string(), "wpr -stop failed: error 0xc5583001:");
    assert_eq!(place.told()[3..], ["-cancel"]);
}

#[test]
fn a_recording_that_is_dropped_is_cancelled() {
    let place = Place::new("dropped", "");
    let wpr = place.wpr();
    drop(wpr.start(WprSettings::default(), Path::new(FILE)).unwrap());
    assert_eq!(place.told()[1..], ["-cancel"]);
}

#[test]
fn what_cannot_be_started_is_not_cancelled() {
    let place = Place::new("start", "-start a.wprp!Whyslow.Verbose -filemode");
    let wpr = place.wpr();
    let error = wpr
        .start(WprSettings::default(), Path::new(FILE))
        .unwrap_err();
    assert_eq!(error.to_string(), "wpr -start failed: error 0xc5583001:");
    assert_eq!(place.told().len(), 1);
    let nowhere = Wpr::stand_in(vec!["/nowhere/wpr".into()]);
    let error = nowhere
        .start(WprSettings::default(), Path::new(FILE))
        .unwrap_err();
    assert!(matches!(error, WprError::NotStarted(_)));
}
