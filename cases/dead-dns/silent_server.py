"""Takes questions for names and never answers."""
import socket
import time

silent = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
silent.bind(("127.9.9.9", 53))
open("ready", "w").close()
time.sleep(60)
