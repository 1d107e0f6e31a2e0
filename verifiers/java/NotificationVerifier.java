import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Checks the notifications of the payment notification dispatcher. Java 17 or later. */
public final class NotificationVerifier {
    /** {@code OK}, or the reason of a refusal. */
    public enum Verdict {
        OK, TIMESTAMP_MISSING, TIMESTAMP_MALFORMED, TIMESTAMP_TOO_OLD, TIMESTAMP_AHEAD,
        SIGNATURE_MISSING, SIGNATURE_MALFORMED, SIGNATURE_WRONG
    }

    /** Unit of {@code x-timestamp}, as agreed with the bank. */
    public enum TimestampUnit { SECONDS, MILLISECONDS }

    private NotificationVerifier() {}

    /**
     * Checks time and signature of a notification.
     *
     * @param headers names in any case
     * @param url the URL as it was registered, not as a proxy changed it
     * @param rawBody the bytes as they arrived, before a framework parses them
     * @param tolerance accepted age and lead of the timestamp: 5 minutes
     * @param now the clock: {@code Instant.now()}
     */
    public static Verdict verify(Map<String, String> headers, String method, String url, byte[] rawBody,
            String secret, Duration tolerance, TimestampUnit unit, Instant now) {
        String timestamp = header(headers, "x-timestamp");
        String signature = header(headers, "x-signature");
        if (timestamp.isEmpty()) return Verdict.TIMESTAMP_MISSING;
        if (!timestamp.matches("[0-9]{1,16}")) return Verdict.TIMESTAMP_MALFORMED;
        if (signature.isEmpty()) return Verdict.SIGNATURE_MISSING;
        if (!signature.matches("[0-9a-f]{64}")) return Verdict.SIGNATURE_MALFORMED;

        // As a double: 16 digits of seconds are more milliseconds than a long holds.
        double sentAtMs = Double.parseDouble(timestamp) * (unit == TimestampUnit.SECONDS ? 1_000 : 1);
        double ageMs = now.toEpochMilli() - sentAtMs;
        if (ageMs > tolerance.toMillis()) return Verdict.TIMESTAMP_TOO_OLD;
        if (-ageMs > tolerance.toMillis()) return Verdict.TIMESTAMP_AHEAD;

        byte[] given = HexFormat.of().parseHex(signature);
        return MessageDigest.isEqual(sign(secret, method + url, rawBody, timestamp), given)
                ? Verdict.OK
                : Verdict.SIGNATURE_WRONG;
    }

    private static byte[] sign(String secret, String methodAndUrl, byte[] rawBody, String timestamp) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            mac.update(methodAndUrl.getBytes(StandardCharsets.UTF_8));
            mac.update(rawBody);
            mac.update(timestamp.getBytes(StandardCharsets.UTF_8));
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has HmacSHA256", e);
        }
    }

    private static String header(Map<String, String> headers, String name) {
        for (Map.Entry<String, String> header : headers.entrySet()) {
            if (header.getKey().equalsIgnoreCase(name)) return header.getValue();
        }
        return "";
    }
}
