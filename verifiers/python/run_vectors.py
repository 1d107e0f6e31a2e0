"""Reads a vector per line (see ../README.md) and prints a verdict per line."""

import base64
import sys

from verify_notification import verify_notification

for line in sys.stdin:
    fields = [base64.b64decode(field) for field in line.rstrip("\n").split("\t")]
    method, url, secret, unit, now_ms, tolerance = (
        fields[place].decode() for place in (0, 1, 3, 4, 5, 6)
    )
    headers = dict(field.decode().split(": ", 1) for field in fields[7:])
    now = int(now_ms) / 1000
    print(verify_notification(headers, method, url, fields[2], secret, int(tolerance), unit, now))
