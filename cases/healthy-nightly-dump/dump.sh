#!/bin/bash
# Dumps the museum's database into a packed file, makes that durable once, and puts it in the place of the old one.
set -euo pipefail
sqlite3 -readonly museum.db .dump | gzip -6 | dd of=museum.new bs=1M iflag=fullblock conv=fsync status=none
gzip -t museum.new
mv museum.new museum.sql.gz
ls -s museum.sql.gz
