// Runs every `check:…` script of package.json, as many at once as there are processors, and prints the output of each
// when it ends. A check that fails does not stop the others.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
// The slowest checks start first.
const longest = ['check:lint', 'check:database'];
const checks = [
  ...new Set([...longest, ...Object.keys(scripts).filter((name) => name.startsWith('check:'))]),
];

function run(name) {
  const startedAt = Date.now();
  const child = spawn('npm', ['run', '--silent', name], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  return new Promise((resolve) => {
    child.on('close', (code) => {
      const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
      process.stdout.write(`${name}: ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s\n`);
      process.stdout.write(Buffer.concat(output));
      resolve(code === 0);
    });
  });
}

async function runQueued() {
  let passed = true;
  for (let name = checks.shift(); name !== undefined; name = checks.shift())
    passed = (await run(name)) && passed;
  return passed;
}

const results = await Promise.all(Array.from({ length: availableParallelism() }, runQueued));
process.exitCode = results.every(Boolean) ? 0 : 1;
