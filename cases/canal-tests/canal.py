"""canal gates FROM TO: what the keeper has to do so that a boat can pass."""
import argparse
import asyncio
import email.message
import http.client
import logging
import sys
import unittest.mock
import xml.dom.minidom


def gates(before, after):
    if before == after:
        return "open"
    return f"{'raise' if after > before else 'lower'} {abs(after - before)}"


parser = argparse.ArgumentParser()
parser.add_argument("what", choices=["gates"])
parser.add_argument("before", type=int)
parser.add_argument("after", type=int)
options = parser.parse_args()
logging.getLogger("canal").debug("asked for %s", options.what)
print(gates(options.before, options.after))
