// The containers' health check: exits with 0 when the process of this container is ready.
const url = `http://127.0.0.1:${process.env.PORT || '3000'}/readyz`;
const answer = await fetch(url, { signal: AbortSignal.timeout(3_000) }).catch(() => undefined);
process.exitCode = answer?.ok ? 0 : 1;
