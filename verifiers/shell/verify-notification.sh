# Checks time and signature of a notification with openssl, to examine a request that was captured. POSIX sh.
#
# verify_notification HEADERS METHOD URL BODY SECRET [TOLERANCE_SECONDS [UNIT [NOW_MS]]]
#   HEADERS   a file of the request's headers, one `name: value` a line, names in any case
#   URL       as it was registered, not as a proxy changed it
#   BODY      a file of the bytes as they arrived
#   UNIT      of x-timestamp: seconds or milliseconds, as agreed
# Prints ok, or the reason of the refusal. Returns 0 for ok, otherwise 1.
# The secret is visible in the machine's list of processes for a moment, so a server does not use this.
verify_notification() {
  verdict=$(_verdict "$1" "$2" "$3" "$4" "$5" "${6:-300}" "${7:-seconds}" "${8:-$(date +%s)000}")
  printf '%s\n' "$verdict"
  [ "$verdict" = ok ]
}

_verdict() {
  timestamp=$(_header x-timestamp "$1")
  signature=$(_header x-signature "$1")
  _matches '' "$timestamp" && { echo timestamp_missing; return; }
  _matches '[0-9]\{1,16\}' "$timestamp" || { echo timestamp_malformed; return; }
  _matches '' "$signature" && { echo signature_missing; return; }
  _matches '[0-9a-f]\{64\}' "$signature" || { echo signature_malformed; return; }

  # awk counts in floating point: 16 digits of seconds are more milliseconds than the shell can count.
  awk -v sent="$timestamp" -v now="$8" -v tolerance="$6" -v unit="$7" 'BEGIN {
    age = now - sent * (unit == "seconds" ? 1000 : 1)
    if (age > tolerance * 1000) { print "timestamp_too_old"; exit 1 }
    if (-age > tolerance * 1000) { print "timestamp_ahead"; exit 1 }
  }' || return

  expected=$( { printf '%s%s' "$2" "$3"; cat "$4"; printf '%s' "$timestamp"; } |
    openssl dgst -sha256 -mac HMAC -macopt "hexkey:$(printf '%s' "$5" | od -An -v -tx1 | tr -d ' \n')" | sed 's/^.*= //')
  if [ "$expected" = "$signature" ]; then echo ok; else echo signature_wrong; fi
}

# The value of a header, without the carriage return that a captured request has.
_header() {
  awk -v name="$1" '{
    colon = index($0, ":")
    if (tolower(substr($0, 1, colon - 1)) != name) next
    value = substr($0, colon + 1)
    sub(/^[ \t]+/, "", value)
    sub(/\r$/, "", value)
    print value
    exit
  }' "$2"
}

# Whether a basic regular expression matches a whole text.
_matches() {
  LC_ALL=C expr "x$2" : "x$1\$" >/dev/null
}
