use super::*;

/// A directory of root that is gone when the test ends; `None` where the tests cannot make one.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Option<Self> {
        if !rustix::process::geteuid().is_root() {
            return None;
        }
        let name = format!("whyslow-setup-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Some(Self(path))
    }

    fn copy(&self) -> Copy {
        Copy::at(&self.0.join("lib"))
    }

    fn program(&self) -> File {
        let path = self.0.join("program");
        fs::write(&path, "a program").unwrap();
        File::open(path).unwrap()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

/// Makes a copy; `None` where file systems or kernels give files no rights.
fn made(place: &Place, group: Option<&str>) -> Option<Made> {
    match place.copy().make(&mut place.program(), "1", group) {
        Ok(made) => Some(made),
        Err(Error::OldKernel | Error::NoRights(_)) => None,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn a_copy_has_its_rights_until_it_is_undone() {
    let Some(place) = Place::new("undone") else {
        return;
    };
    let Some(all) = made(&place, None) else {
        return;
    };
    let copy = place.copy();
    assert_eq!(copy.found(), Some(all.clone()));
    assert!(copy.is_of("1", 9) && !copy.is_of("2", 9) && !copy.is_of("1", 8));
    let meta = fs::metadata(&all.path).unwrap();
    assert_eq!((meta.mode() & 0o7777, meta.uid()), (0o755, 0));
    assert_eq!(fs::read(&all.path).unwrap(), b"a program");
    // A second name keeps nothing.
    let second = place.0.join("second");
    fs::hard_link(&all.path, &second).unwrap();
    assert!(file_rights::has(&second));
    let undone = copy.undo().unwrap();
    assert_eq!(undone.removed.len(), 3);
    assert_eq!(undone.kept, None);
    assert!(!file_rights::has(&second) && !place.0.join("lib").exists());
    assert_eq!(copy.found(), None);
    assert!(matches!(copy.undo(), Err(Error::Nothing)));
}

#[test]
fn a_group_alone_may_execute_it_and_a_new_copy_replaces_it() {
    let Some(place) = Place::new("group") else {
        return;
    };
    if made(&place, None).is_none() {
        return;
    }
    let made = made(&place, Some("root")).unwrap();
    assert_eq!(made.group.as_deref(), Some("root"));
    let mode = fs::metadata(&made.path).unwrap().mode();
    assert_eq!(mode & 0o7777, 0o750);
    let unknown = place
        .copy()
        .make(&mut place.program(), "1", Some("no such group"));
    assert!(matches!(unknown, Err(Error::NoGroup(_))));
    assert_eq!(place.copy().found(), Some(made));
}

#[test]
fn what_was_not_made_by_setup_stays() {
    let Some(place) = Place::new("foreign") else {
        return;
    };
    let copy = place.copy();
    fs::create_dir(place.0.join("lib")).unwrap();
    fs::write(copy.path(), "someone's").unwrap();
    let refused = copy.make(&mut place.program(), "1", None);
    assert!(matches!(refused, Err(Error::Foreign(_) | Error::OldKernel)));
    assert!(matches!(copy.undo(), Err(Error::Foreign(_))));
    assert_eq!(fs::read(copy.path()).unwrap(), b"someone's");
    fs::remove_file(copy.path()).unwrap();
    if made(&place, None).is_none() {
        return;
    }
    // Another file in its place, beside others that were not ours either.
    fs::write(place.0.join("lib/other"), "other").unwrap();
    fs::write(place.0.join("new"), "newer").unwrap();
    fs::rename(place.0.join("new"), copy.path()).unwrap();
    assert_eq!(copy.found(), None);
    assert!(matches!(copy.undo(), Err(Error::Foreign(_))));
    assert_eq!(fs::read(copy.path()).unwrap(), b"newer");
    fs::remove_file(copy.path()).unwrap();
    assert_eq!(copy.undo().unwrap().removed.len(), 1);
    assert!(place.0.join("lib/other").exists());
}

#[test]
fn a_directory_that_others_can_change_is_refused() {
    let Some(place) = Place::new("open") else {
        return;
    };
    let lib = place.0.join("lib");
    fs::create_dir(&lib).unwrap();
    fs::set_permissions(&lib, fs::Permissions::from_mode(0o777)).unwrap();
    let refused = place.copy().make(&mut place.program(), "1", None);
    assert!(matches!(refused, Err(Error::Open(_) | Error::OldKernel)));
    fs::remove_dir(&lib).unwrap();
    std::os::unix::fs::symlink("/tmp", &lib).unwrap();
    let refused = place.copy().make(&mut place.program(), "1", None);
    assert!(matches!(
        refused,
        Err(Error::System { .. } | Error::OldKernel)
    ));
}

#[test]
fn a_foreign_file_in_the_place_of_the_note_stays() {
    let Some(place) = Place::new("foreign-note") else {
        return;
    };
    let Some(made) = made(&place, None) else {
        return;
    };
    let copy = place.copy();
    copy.undo().unwrap();
    let directory = made.path.parent().unwrap();
    fs::create_dir_all(directory).unwrap();
    fs::set_permissions(directory, fs::Permissions::from_mode(0o755)).unwrap();
    let note = directory.join(NOTE);
    fs::write(&note, "precious").unwrap();
    let refused = copy.make(&mut place.program(), "1", None);
    assert!(matches!(refused, Err(Error::Foreign(_))), "{refused:?}");
    assert_eq!(fs::read(&note).unwrap(), b"precious");
    assert!(!made.path.exists() && !copy.part().exists());
    fs::remove_file(&note).unwrap();
}
