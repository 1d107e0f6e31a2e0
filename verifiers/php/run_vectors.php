<?php

// Reads a vector per line (see ../README.md) and prints a verdict per line.

declare(strict_types=1);

require __DIR__ . '/verify_notification.php';

while (($line = fgets(STDIN)) !== false) {
    $fields = array_map('base64_decode', explode("\t", rtrim($line, "\n")));
    [$method, $url, $body, $secret, $unit, $nowMs, $tolerance] = $fields;
    $headers = [];
    foreach (array_slice($fields, 7) as $header) {
        [$name, $value] = explode(': ', $header, 2);
        $headers[$name] = $value;
    }
    echo verify_notification($headers, $method, $url, $body, $secret, (int) $tolerance, $unit, (int) $nowMs), "\n";
}
