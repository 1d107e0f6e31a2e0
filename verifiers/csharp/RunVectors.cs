using System;
using System.Collections.Generic;
using System.Text;
using System.Text.RegularExpressions;

/// <summary>Reads a vector per line (see ../README.md) and prints a verdict per line.</summary>
public static class RunVectors
{
    public static void Main()
    {
        for (string line = Console.In.ReadLine(); line != null; line = Console.In.ReadLine())
        {
            string[] fields = line.Split('\t');
            var headers = new Dictionary<string, string>();
            for (int place = 7; place < fields.Length; place++)
            {
                string header = TextOf(fields[place]);
                int colon = header.IndexOf(": ", StringComparison.Ordinal);
                headers[header.Substring(0, colon)] = header.Substring(colon + 2);
            }
            var verdict = NotificationVerifier.Verify(headers, TextOf(fields[0]), TextOf(fields[1]),
                Convert.FromBase64String(fields[2]), TextOf(fields[3]),
                TimeSpan.FromSeconds(long.Parse(TextOf(fields[6]))),
                TextOf(fields[4]) == "seconds"
                    ? NotificationVerifier.TimestampUnit.Seconds
                    : NotificationVerifier.TimestampUnit.Milliseconds,
                DateTimeOffset.FromUnixTimeMilliseconds(long.Parse(TextOf(fields[5]))));
            Console.Out.Write(Regex.Replace(verdict.ToString(), "(?<!^)([A-Z])", "_$1").ToLowerInvariant() + "\n");
        }
    }

    private static string TextOf(string field)
    {
        return Encoding.UTF8.GetString(Convert.FromBase64String(field));
    }
}
