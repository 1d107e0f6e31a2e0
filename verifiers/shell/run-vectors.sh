#!/bin/sh
# Reads a vector per line (see ../README.md) and prints a verdict per line.
. "$(dirname "$0")/verify-notification.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
text() { printf '%s' "$line" | cut -f "$1" | openssl base64 -d -A; }

while IFS= read -r line; do
  text 3 >"$folder/body"
  : >"$folder/headers"
  for header in $(printf '%s' "$line" | cut -f 8-); do
    printf '%s' "$header" | openssl base64 -d -A >>"$folder/headers"
    echo >>"$folder/headers"
  done
  # $(…) removes line breaks at the end, and a secret may have one.
  secret=$(text 4; printf .)
  verify_notification "$folder/headers" "$(text 1)" "$(text 2)" "$folder/body" "${secret%.}" "$(text 7)" "$(text 5)" "$(text 6)" || :
done
