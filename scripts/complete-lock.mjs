// Completes package-lock.json after `npm install` on a registry that lacks some packages' builds for other platforms.
// npm omits those optional entries, and `npm ci` then refuses the lock. This adds them, with the version that the parent
// requires and the platform in the name. With --check it changes nothing and exits with 1 when an entry is missing.
import { readFileSync, writeFileSync } from 'node:fs';

const SYSTEM =
  /(?:^|[-/])(aix|android|darwin|freebsd|linux|openharmony|win32)-(arm64|arm|ia32|loong64|ppc64|riscv64|s390x|x64)(?:-|$)/;

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const added = [];

for (const [parentPath, parent] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    if (isLocked(parentPath, name)) continue;
    const [, os, cpu] = SYSTEM.exec(name) ?? [];
    if (os === undefined || !/^\d+\.\d+\.\d+[\w.-]*$/.test(version)) {
      throw new Error(`${name}@${version}, required by ${parentPath}: its platform or version is unknown`);
    }
    const libc =
      os === 'linux' ? (/musl/.test(name) ? ['musl'] : /gnu/.test(name) ? ['glibc'] : undefined) : undefined;
    const dev = parent.dev === true ? { dev: true } : {};
    lock.packages[`node_modules/${name}`] = {
      version,
      cpu: [cpu],
      ...dev,
      ...(libc && { libc }),
      optional: true,
      os: [os],
    };
    added.push(name);
  }
}

if (process.argv.includes('--check')) {
  process.exitCode = added.length > 0 ? 1 : 0;
  process.stdout.write(
    added.length > 0 ? `package-lock.json lacks ${added.join(', ')}\n` : 'package-lock.json is complete\n',
  );
} else {
  const sorted = Object.entries(lock.packages).toSorted(([one], [other]) => one.localeCompare(other, 'en'));
  lock.packages = Object.fromEntries(sorted);
  if (added.length > 0) writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
  process.stdout.write(`package-lock.json: ${added.length} builds for other platforms added\n`);
}

/** Looks where Node looks: in the parent's packages, then in every folder above. */
function isLocked(parentPath, name) {
  for (let path = parentPath; ; path = path.slice(0, Math.max(0, path.lastIndexOf('node_modules/') - 1))) {
    if (lock.packages[`${path === '' ? '' : `${path}/`}node_modules/${name}`] !== undefined) return true;
    if (path === '') return false;
  }
}
