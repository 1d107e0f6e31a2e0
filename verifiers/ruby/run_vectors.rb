# frozen_string_literal: true

# Reads a vector per line (see ../README.md) and prints a verdict per line.

require_relative 'verify_notification'

$stdin.each_line do |line|
  fields = line.chomp.split("\t", -1).map { |field| field.unpack1('m').force_encoding('UTF-8') }
  method, url, body, secret, unit, now_ms, tolerance, *headers = fields
  puts verify_notification(headers.to_h { |header| header.split(': ', 2) }, method, url, body, secret,
                           tolerance_seconds: tolerance.to_i, unit: unit, now_ms: now_ms.to_i)
end
