"""Tests of the weather service. Each test has a service of its own."""
import http.client
import json
import threading
import time
import unittest

import service

stopping = 0.0


class ServiceTest(unittest.TestCase):
    def setUp(self):
        self.server = service.open_service()
        self.thread = threading.Thread(target=self.server.serve_forever, name="weather")
        self.thread.start()

    def tearDown(self):
        global stopping
        self.note_means()
        before = time.monotonic()
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()
        stopping += time.monotonic() - before

    def note_means(self):
        """The means of this moment, to look at after a failure."""
        means = [service.mean_temperature() for _ in range(1000)]
        with open("means.log", "a") as log:
            log.write(f"{self.id()} {sum(means) / len(means):.2f}\n")

    def ask(self, town):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.server_port)
        connection.request("GET", "/" + town)
        answer = connection.getresponse()
        report = json.loads(answer.read())
        connection.close()
        return answer.status, report

    def test_knows_all_towns(self):
        for town, report in service.REPORTS.items():
            self.assertEqual(self.ask(town), (200, report))

    def test_does_not_know_others(self):
        self.assertEqual(self.ask("atlantis")[0], 404)

    def test_computes_the_mean(self):
        status, report = self.ask("mean")
        self.assertEqual(status, 200)
        self.assertAlmostEqual(report["temperature"], service.mean_temperature())

    def test_has_a_root(self):
        self.assertEqual(self.ask("")[0], 404)

    def test_answers_again(self):
        self.assertEqual(self.ask("town-7"), self.ask("town-7"))


started = time.monotonic()


def tearDownModule():
    with open("truth", "w") as truth:
        truth.write(f"stopping {stopping / (time.monotonic() - started):.3f}\n")
