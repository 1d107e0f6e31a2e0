// Command runvectors reads a vector per line (see ../../README.md) and prints a verdict per line.
package main

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	verify "verifynotification"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		var fields []string
		for _, field := range strings.Split(lines.Text(), "\t") {
			decoded, err := base64.StdEncoding.DecodeString(field)
			if err != nil {
				panic(err)
			}
			fields = append(fields, string(decoded))
		}
		headers := map[string][]string{}
		for _, header := range fields[7:] {
			name, value, _ := strings.Cut(header, ": ")
			headers[name] = []string{value}
		}
		nowMs, _ := strconv.ParseInt(fields[5], 10, 64)
		toleranceSeconds, _ := strconv.Atoi(fields[6])
		fmt.Println(verify.Verify(headers, fields[0], fields[1], []byte(fields[2]), verify.Agreement{
			Secret:       fields[3],
			Milliseconds: fields[4] == "milliseconds",
			Now:          func() time.Time { return time.UnixMilli(nowMs) },
			Tolerance:    time.Duration(toleranceSeconds) * time.Second,
		}))
	}
}
