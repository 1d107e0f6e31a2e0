// Package verifynotification checks the notifications of the payment notification dispatcher.
package verifynotification

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Verdict is OK or the reason of a refusal.
type Verdict string

const (
	OK                 Verdict = "ok"
	TimestampMissing   Verdict = "timestamp_missing"
	TimestampMalformed Verdict = "timestamp_malformed"
	TimestampTooOld    Verdict = "timestamp_too_old"
	TimestampAhead     Verdict = "timestamp_ahead"
	SignatureMissing   Verdict = "signature_missing"
	SignatureMalformed Verdict = "signature_malformed"
	SignatureWrong     Verdict = "signature_wrong"
)

// Agreement holds what was agreed with the bank.
type Agreement struct {
	Secret string
	// Tolerance is the accepted age and lead of the timestamp; 0 means 5 minutes.
	Tolerance time.Duration
	// Milliseconds is true if x-timestamp is in milliseconds instead of seconds.
	Milliseconds bool
	// Now is the clock, for tests; nil means time.Now.
	Now func() time.Time
}

var (
	timestampFormat = regexp.MustCompile(`\A[0-9]{1,16}\z`)
	signatureFormat = regexp.MustCompile(`\A[0-9a-f]{64}\z`)
)

// Verify checks time and signature of a notification.
//
// headers may be an http.Header; names are in any case.
// url is the URL as it was registered, not as a proxy changed it.
// rawBody holds the bytes as they arrived, before anything parses them.
func Verify(headers map[string][]string, method, url string, rawBody []byte, agreement Agreement) Verdict {
	timestamp := headerOf(headers, "x-timestamp")
	signature := headerOf(headers, "x-signature")
	switch {
	case timestamp == "":
		return TimestampMissing
	case !timestampFormat.MatchString(timestamp):
		return TimestampMalformed
	case signature == "":
		return SignatureMissing
	case !signatureFormat.MatchString(signature):
		return SignatureMalformed
	}

	now, tolerance := time.Now(), 5*time.Minute
	if agreement.Now != nil {
		now = agreement.Now()
	}
	if agreement.Tolerance != 0 {
		tolerance = agreement.Tolerance
	}
	// As a floating-point number: 16 digits of seconds are more than a time.Time holds.
	sentAtMs, _ := strconv.ParseFloat(timestamp, 64)
	if !agreement.Milliseconds {
		sentAtMs *= 1000
	}
	ageMs := float64(now.UnixMilli()) - sentAtMs
	switch toleranceMs := float64(tolerance.Milliseconds()); {
	case ageMs > toleranceMs:
		return TimestampTooOld
	case -ageMs > toleranceMs:
		return TimestampAhead
	}

	mac := hmac.New(sha256.New, []byte(agreement.Secret))
	mac.Write([]byte(method + url))
	mac.Write(rawBody)
	mac.Write([]byte(timestamp))
	given, _ := hex.DecodeString(signature)
	if !hmac.Equal(mac.Sum(nil), given) {
		return SignatureWrong
	}
	return OK
}

func headerOf(headers map[string][]string, name string) string {
	for given, values := range headers {
		if strings.EqualFold(given, name) {
			return strings.Join(values, ", ")
		}
	}
	return ""
}
