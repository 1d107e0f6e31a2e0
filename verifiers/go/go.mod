module verifynotification

go 1.18
