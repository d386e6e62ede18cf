"""A package of 200 files of some 250 KB each, and their checksums."""
import hashlib
import io
import tarfile

text = "".join(f"def function_{n}(a, b):\n    return a * {n * 7919 % 10007} + b\n\n\n" for n in range(6000)).encode()
with tarfile.open("package.tar.gz", "w:gz", compresslevel=6) as package, open("sums", "w") as sums:
    for number in range(200):
        body = text[number * 97:]
        info = tarfile.TarInfo(f"package/part-{number // 20}/module_{number}.py")
        info.size = len(body)
        package.addfile(info, io.BytesIO(body))
        sums.write(f"{hashlib.sha256(body).hexdigest()}  {info.name}\n")
