import io
import tarfile

text = "".join(f"def function_{n}(a, b):\n    return a * {n} + b\n\n\n" for n in range(150)).encode()
with tarfile.open("package.tar.gz", "w:gz", compresslevel=6) as package:
    for number in range(7000):
        body = text[number % 500:]
        info = tarfile.TarInfo(f"package/part-{number // 100}/module_{number}.py")
        info.size = len(body)
        package.addfile(info, io.BytesIO(body))
