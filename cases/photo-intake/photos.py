import os, random, struct
r = random.Random(5)
os.mkdir("inbox")
for i in range(120):
    w, h = r.randrange(100, 200), r.randrange(100, 200)
    open(f"inbox/p{i:03}.gray", "wb").write(struct.pack("<HH", w, h) + r.randbytes(w * h))
