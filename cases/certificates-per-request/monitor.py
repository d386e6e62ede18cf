"""Checks whether services are well. It makes a new client for each request, ready for https as well."""
import http.client
import ssl
import time
import urllib.parse

loading = 0.0


class Client:
    def __init__(self, context):
        self.context = context

    def get(self, url):
        parts = urllib.parse.urlsplit(url)
        if parts.scheme == "https":
            connection = http.client.HTTPSConnection(parts.netloc, context=self.context)
        else:
            connection = http.client.HTTPConnection(parts.netloc)
        connection.request("GET", parts.path)
        answer = connection.getresponse().read()
        connection.close()
        return answer


def new_client():
    global loading
    before = time.perf_counter()
    client = Client(ssl.create_default_context())
    loading += time.perf_counter() - before
    return client


def check_service(url):
    return new_client().get(url) == b"ok\n"


def main():
    url = f"http://127.0.0.1:{open('port').read()}/status"
    start = time.perf_counter()
    good = requests = 0
    while time.perf_counter() - start < 2.0:
        good += check_service(url)
        requests += 1
    took = time.perf_counter() - start
    with open("truth", "w") as truth:
        truth.write(f"in_new_client {loading / took:.3f}\nrequests {requests}\ngood {good}\n"
                    f"cpu_of_wall {time.process_time() / took:.2f}\n")


main()
