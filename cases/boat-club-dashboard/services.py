"""The services behind a boat club's dashboard; the one for the lock gates takes requests and never answers."""
import socket
import threading
import time


def serve(port, answers):
    listener = socket.create_server(("127.0.0.1", port))

    def run():
        kept = []
        while True:
            client, _ = listener.accept()
            kept.append(client)
            threading.Thread(target=answer, args=(client,), daemon=True).start()

    def answer(client):
        while client.recv(4096):
            if answers:
                body = b'{"value": 12}'
                client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: keep-alive\r\n\r\n%s" % (len(body), body))

    threading.Thread(target=run, daemon=True).start()


for port, answers in ((18471, True), (18472, True), (18473, False)):
    serve(port, answers)
open("ready", "w").close()
time.sleep(60)
