using System;
using System.Collections.Generic;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

/// <summary>Checks the notifications of the payment notification dispatcher.</summary>
public static class NotificationVerifier
{
    /// <summary><c>Ok</c>, or the reason of a refusal.</summary>
    public enum Verdict
    {
        Ok, TimestampMissing, TimestampMalformed, TimestampTooOld, TimestampAhead,
        SignatureMissing, SignatureMalformed, SignatureWrong
    }

    /// <summary>Unit of <c>x-timestamp</c>, as agreed with the bank.</summary>
    public enum TimestampUnit { Seconds, Milliseconds }

    /// <summary>Checks time and signature of a notification.</summary>
    /// <param name="headers">Names in any case.</param>
    /// <param name="url">The URL as it was registered, not as a proxy changed it.</param>
    /// <param name="rawBody">The bytes as they arrived, before a framework parses them.</param>
    /// <param name="tolerance">Accepted age and lead of the timestamp: 5 minutes.</param>
    /// <param name="now">The clock: <c>DateTimeOffset.UtcNow</c>.</param>
    public static Verdict Verify(IEnumerable<KeyValuePair<string, string>> headers, string method, string url,
        byte[] rawBody, string secret, TimeSpan tolerance, TimestampUnit unit, DateTimeOffset now)
    {
        string timestamp = HeaderOf(headers, "x-timestamp");
        string signature = HeaderOf(headers, "x-signature");
        if (timestamp.Length == 0) return Verdict.TimestampMissing;
        if (!Regex.IsMatch(timestamp, @"\A[0-9]{1,16}\z")) return Verdict.TimestampMalformed;
        if (signature.Length == 0) return Verdict.SignatureMissing;
        if (!Regex.IsMatch(signature, @"\A[0-9a-f]{64}\z")) return Verdict.SignatureMalformed;

        // As a double: 16 digits of seconds are more milliseconds than a long holds.
        double sentAtMs = double.Parse(timestamp, CultureInfo.InvariantCulture)
            * (unit == TimestampUnit.Seconds ? 1000 : 1);
        double ageMs = now.ToUnixTimeMilliseconds() - sentAtMs;
        if (ageMs > tolerance.TotalMilliseconds) return Verdict.TimestampTooOld;
        if (-ageMs > tolerance.TotalMilliseconds) return Verdict.TimestampAhead;

        using (var hmac = IncrementalHash.CreateHMAC(HashAlgorithmName.SHA256, Encoding.UTF8.GetBytes(secret)))
        {
            hmac.AppendData(Encoding.UTF8.GetBytes(method + url));
            hmac.AppendData(rawBody);
            hmac.AppendData(Encoding.UTF8.GetBytes(timestamp));
            return AreEqual(hmac.GetHashAndReset(), signature) ? Verdict.Ok : Verdict.SignatureWrong;
        }
    }

    /// <summary>Compares in constant time. From .NET Core 2.1 on, CryptographicOperations.FixedTimeEquals does too.</summary>
    private static bool AreEqual(byte[] expected, string signature)
    {
        int difference = 0;
        for (int place = 0; place < expected.Length; place++)
        {
            difference |= expected[place] ^ Convert.ToByte(signature.Substring(2 * place, 2), 16);
        }
        return difference == 0;
    }

    private static string HeaderOf(IEnumerable<KeyValuePair<string, string>> headers, string name)
    {
        foreach (KeyValuePair<string, string> header in headers)
        {
            if (string.Equals(header.Key, name, StringComparison.OrdinalIgnoreCase)) return header.Value;
        }
        return "";
    }
}
