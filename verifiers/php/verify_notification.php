<?php

declare(strict_types=1);

/**
 * Checks time and signature of a notification. PHP 8.0 or later.
 *
 * @param array<string, string> $headers names in any case
 * @param string $url the URL as it was registered, not as a proxy changed it
 * @param string $rawBody the bytes as they arrived: file_get_contents('php://input')
 * @param int $toleranceSeconds accepted age and lead of the timestamp
 * @param string $unit of x-timestamp, 'seconds' or 'milliseconds' as agreed
 * @param int|null $nowMs the clock in milliseconds since 1970; for tests
 * @return string 'ok', or the reason of the refusal
 */
function verify_notification(
    array $headers,
    string $method,
    string $url,
    string $rawBody,
    string $secret,
    int $toleranceSeconds = 300,
    string $unit = 'seconds',
    ?int $nowMs = null,
): string {
    $values = array_change_key_case($headers, CASE_LOWER);
    $timestamp = $values['x-timestamp'] ?? '';
    $signature = $values['x-signature'] ?? '';
    if ($timestamp === '') {
        return 'timestamp_missing';
    }
    if (preg_match('/\A[0-9]{1,16}\z/', $timestamp) !== 1) {
        return 'timestamp_malformed';
    }
    if ($signature === '') {
        return 'signature_missing';
    }
    if (preg_match('/\A[0-9a-f]{64}\z/', $signature) !== 1) {
        return 'signature_malformed';
    }

    // A product that is too large for an integer becomes a float.
    $sentAtMs = (int) $timestamp * ($unit === 'seconds' ? 1000 : 1);
    $ageMs = ($nowMs ?? (int) (microtime(true) * 1000)) - $sentAtMs;
    if ($ageMs > $toleranceSeconds * 1000) {
        return 'timestamp_too_old';
    }
    if (-$ageMs > $toleranceSeconds * 1000) {
        return 'timestamp_ahead';
    }

    $expected = hash_hmac('sha256', $method . $url . $rawBody . $timestamp, $secret);
    return hash_equals($expected, $signature) ? 'ok' : 'signature_wrong';
}
