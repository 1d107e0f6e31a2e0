# frozen_string_literal: true

require 'openssl'

# Checks time and signature of a notification. Returns 'ok', or the reason of the refusal.
#
# headers:: a hash of names, in any case, to values
# url:: as it was registered, not as a proxy changed it
# raw_body:: the bytes as they arrived: request.body.read
# tolerance_seconds:: accepted age and lead of the timestamp
# unit:: of x-timestamp, 'seconds' or 'milliseconds' as agreed
# now_ms:: the clock in milliseconds since 1970; for tests
def verify_notification(headers, method, url, raw_body, secret,
                        tolerance_seconds: 300, unit: 'seconds', now_ms: (Time.now.to_r * 1000).to_i)
  values = headers.transform_keys(&:downcase)
  timestamp = values['x-timestamp'].to_s
  signature = values['x-signature'].to_s
  return 'timestamp_missing' if timestamp.empty?
  return 'timestamp_malformed' unless timestamp.match?(/\A[0-9]{1,16}\z/)
  return 'signature_missing' if signature.empty?
  return 'signature_malformed' unless signature.match?(/\A[0-9a-f]{64}\z/)

  age_ms = now_ms - timestamp.to_i * (unit == 'seconds' ? 1000 : 1)
  return 'timestamp_too_old' if age_ms > tolerance_seconds * 1000
  return 'timestamp_ahead' if -age_ms > tolerance_seconds * 1000

  expected = OpenSSL::HMAC.hexdigest('SHA256', secret, [method, url, raw_body, timestamp].map(&:b).join)
  OpenSSL.fixed_length_secure_compare(expected, signature) ? 'ok' : 'signature_wrong'
end
