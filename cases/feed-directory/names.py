"""The town's name server: answers each question after a while, as it does over its radio link."""
import heapq, select, socket, struct, time

s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("127.0.0.83", 53))
open("ready", "w").close()
queue, n = [], 0
while True:
    wait = max(0, queue[0][0] - time.monotonic()) if queue else 5
    if select.select([s], [], [], wait)[0]:
        q, who = s.recvfrom(512)
        end = 12
        while q[end]:
            end += q[end] + 1
        end += 5
        kind = struct.unpack(">H", q[end - 4:end - 2])[0]
        head = q[:2] + b"\x81\x80" + struct.pack(">HHHH", 1, 1 if kind == 1 else 0, 0, 0)
        a = head + q[12:end]
        if kind == 1:
            a += b"\xc0\x0c\x00\x01\x00\x01\x00\x00\x00\x3c\x00\x04" + bytes([10, 3, 1, n % 250 + 1])
        n += 1
        heapq.heappush(queue, (time.monotonic() + 0.045, n, a, who))
    while queue and queue[0][0] <= time.monotonic():
        _, _, a, who = heapq.heappop(queue)
        s.sendto(a, who)
