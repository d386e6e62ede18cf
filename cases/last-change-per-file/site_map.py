"""Writes a site map with the date of each page's last change, as some static site generators do."""
import os
import subprocess
import time

asked = 0
waited = 0.0


def last_change(path):
    global asked, waited
    before = time.monotonic()
    git = subprocess.run(["git", "log", "-1", "--format=%cI", "--", path], cwd="site", capture_output=True, text=True)
    waited += time.monotonic() - before
    asked += 1
    return git.stdout.strip()


def site_map():
    with open("sitemap.xml", "w") as out:
        out.write("<urlset>\n")
        for page in sorted(os.listdir("site/pages")):
            out.write(f"<url><loc>{page}</loc><lastmod>{last_change('pages/' + page)}</lastmod></url>\n")
        out.write("</urlset>\n")


start = time.monotonic()
site_map()
took = time.monotonic() - start
subprocess.run(["git", "log", "--name-only", "--format=%cI"], cwd="site", capture_output=True)
with open("truth", "w") as truth:
    truth.write(f"waited_for_git {waited / took:.3f}\nchildren {asked}\ntook {took:.3f}\n"
                f"at_once {time.monotonic() - start - took:.3f}\n")
