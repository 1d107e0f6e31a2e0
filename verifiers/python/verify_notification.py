import hashlib
import hmac
import re
import time


def verify_notification(
    headers, method, url, raw_body, secret, tolerance_seconds=300, unit="seconds", now=None
):
    """Check time and signature of a notification. Return "ok", or the reason of the refusal.

    headers: a mapping of names, in any case, to values.
    url: as it was registered, not as a proxy changed it.
    raw_body: the bytes as they arrived, before a framework parses them.
    tolerance_seconds: accepted age and lead of the timestamp.
    unit: of x-timestamp, "seconds" or "milliseconds" as agreed.
    now: the clock in seconds since 1970; for tests.
    """
    values = {name.lower(): value for name, value in headers.items()}
    timestamp = values.get("x-timestamp", "")
    signature = values.get("x-signature", "")
    if timestamp == "":
        return "timestamp_missing"
    if not re.fullmatch(r"[0-9]{1,16}", timestamp):
        return "timestamp_malformed"
    if signature == "":
        return "signature_missing"
    if not re.fullmatch(r"[0-9a-f]{64}", signature):
        return "signature_malformed"

    sent_at = int(timestamp) if unit == "seconds" else int(timestamp) / 1000
    age = (time.time() if now is None else now) - sent_at
    if age > tolerance_seconds:
        return "timestamp_too_old"
    if -age > tolerance_seconds:
        return "timestamp_ahead"

    signed = (method + url).encode() + raw_body + timestamp.encode()
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    return "ok" if hmac.compare_digest(expected, signature) else "signature_wrong"
