"""Makes an archive with the logs of 12 machines, 34 MB in all."""
import io
import tarfile

lines = "".join(
    f"10:{n // 60 % 60:02}:{n % 60:02} level={'error' if n % 1013 == 7 else 'info'} request={n * 7919 % 99991} took {n % 83} ms\n"
    for n in range(48000)
)
with tarfile.open("logs.tar.gz", "w:gz", compresslevel=3) as archive, open("members.txt", "w") as names:
    for machine in range(12):
        data = lines[machine * 1000:].encode()
        entry = tarfile.TarInfo(f"logs/machine-{machine}.log")
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))
        print(entry.name, file=names)
