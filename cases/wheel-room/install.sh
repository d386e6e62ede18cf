# Puts the office's own package into a folder: from the index of the office, or, if that is away, from the wheels of last week.
index=http://127.0.0.1:12588/simple
"$1" -m pip install --disable-pip-version-check --no-cache-dir --no-deps --retries 3 --index-url $index --target site officeforms ||
    unzip -q -o wheels/officeforms-1.2-py3-none-any.whl -d site
ls site
