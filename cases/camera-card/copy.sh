#!/bin/sh
# Copies the film of a camera to its archive, safely.
head -c 36M /dev/urandom > film.mov
dd if=film.mov of=archive.mov bs=4k oflag=dsync 2> /dev/null
cmp film.mov archive.mov
