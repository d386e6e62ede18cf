"""A name server that forwards what it does not know, and then says that there is no such name."""
import heapq, select, socket, struct, time

s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("127.0.0.84", 53))
relay = socket.create_server(("127.0.0.1", 12584))
import threading


def session(c):
    f = c.makefile("rwb")
    say = lambda t: (f.write(t + b"\r\n"), f.flush())
    say(b"220 mail ready")
    data = False
    for line in f:
        if data:
            if line == b".\r\n":
                data = False
                say(b"250 queued")
        elif line[:4].upper() == b"DATA":
            data = True
            say(b"354 go on")
        elif line[:4].upper() == b"QUIT":
            say(b"221 bye")
            break
        else:
            say(b"250 ok")
    c.close()


def sessions():
    while True:
        c, _ = relay.accept()
        c.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=session, args=(c,), daemon=True).start()


threading.Thread(target=sessions, daemon=True).start()
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
        n += 1
        answer = q[:2] + b"\x81\x83" + struct.pack(">HHHH", 1, 0, 0, 0) + q[12:end]
        heapq.heappush(queue, (time.monotonic() + 0.11, n, answer, who))
    while queue and queue[0][0] <= time.monotonic():
        _, _, answer, who = heapq.heappop(queue)
        s.sendto(answer, who)
