#!/bin/sh
# Fetches the slides of a lecture. The line of the old building was slow: nobody else should suffer.
exec curl -s -S --limit-rate 4M -o slides.pdf "http://127.0.0.1:$(cat port)/slides.pdf"
