import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Reads a vector per line (see ../README.md) and prints a verdict per line. */
public final class RunVectors {
    public static void main(String[] arguments) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] fields = line.split("\t", -1);
            Map<String, String> headers = new HashMap<>();
            for (int place = 7; place < fields.length; place++) {
                String[] header = text(fields[place]).split(": ", 2);
                headers.put(header[0], header[1]);
            }
            NotificationVerifier.TimestampUnit unit =
                    NotificationVerifier.TimestampUnit.valueOf(text(fields[4]).toUpperCase(Locale.ROOT));
            System.out.println(NotificationVerifier.verify(headers, text(fields[0]), text(fields[1]),
                    Base64.getDecoder().decode(fields[2]), text(fields[3]),
                    Duration.ofSeconds(Long.parseLong(text(fields[6]))), unit,
                    Instant.ofEpochMilli(Long.parseLong(text(fields[5])))).name().toLowerCase(Locale.ROOT));
        }
    }

    private static String text(String field) {
        return new String(Base64.getDecoder().decode(field), StandardCharsets.UTF_8);
    }
}
