// The containers' health check: exits with 0 when the process of this container is ready, and otherwise prints why not.
const url = `http://127.0.0.1:${process.env.PORT || '3000'}/readyz`;
try {
  const answer = await fetch(url, { signal: AbortSignal.timeout(3_000) });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}: ${await answer.text()}`);
} catch (error) {
  process.stderr.write(`${url}: ${error.message}\n`);
  process.exitCode = 1;
}
