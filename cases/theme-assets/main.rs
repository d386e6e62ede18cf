//! Checks a theme of a blog: no page may use a picture from outside of the theme.
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

struct Theme {
    root: PathBuf,
    pages: Vec<(PathBuf, Vec<String>)>,
}

fn make_theme(root: &Path) -> std::io::Result<Theme> {
    let folder = root.join("themes/spring/layouts/posts/gallery/partials/wide");
    let pictures = root.join("themes/spring/static/pictures/2024/garden");
    fs::create_dir_all(&folder)?;
    fs::create_dir_all(&pictures)?;
    for n in 0..60 {
        fs::write(pictures.join(format!("bed{n}.svg")), "<svg/>")?;
    }
    let mut pages = Vec::new();
    for n in 0..50 {
        let uses = (0..12)
            .map(|i| format!("../../../../../static/pictures/2024/garden/bed{}.svg", (n * 7 + i) % 60))
            .collect();
        let page = folder.join(format!("page{n}.html"));
        fs::write(&page, "<main/>")?;
        pages.push((page, uses));
    }
    Ok(Theme { root: root.to_path_buf(), pages })
}

fn is_inside(theme: &Theme, page: &Path, name: &str) -> bool {
    let target = page.parent().unwrap().join(name);
    match (target.canonicalize(), theme.root.canonicalize()) {
        (Ok(target), Ok(root)) => target.starts_with(root),
        _ => false,
    }
}

fn check(theme: &Theme) -> (usize, usize) {
    let mut seen = 0;
    let mut outside = 0;
    for (page, uses) in &theme.pages {
        for name in uses {
            seen += 1;
            if !is_inside(theme, page, name) {
                outside += 1;
            }
        }
    }
    (seen, outside)
}

fn main() -> std::io::Result<()> {
    let theme = make_theme(Path::new("blog"))?;
    let until = Instant::now() + Duration::from_secs(2);
    let mut passes = 0;
    let mut total = (0, 0);
    while Instant::now() < until {
        let (seen, outside) = check(&theme);
        total = (total.0 + seen, total.1 + outside);
        passes += 1;
    }
    println!("{passes} passes, {} uses, {} outside", total.0, total.1);
    Ok(())
}
