// After `npm install` has changed package-lock.json: adds the optional packages of other platforms
// that a registry does not serve, because `npm ci` refuses a lock without them
// (docs/decisions/0001-house.md).
import { readFileSync, writeFileSync } from 'node:fs';

const file = process.argv[2] ?? 'package-lock.json';
const systems = 'darwin|linux|win32|freebsd|openbsd|netbsd|android|sunos|aix|openharmony';
const processors = 'arm64|x64|arm|ia32|riscv64|s390x|ppc64|loong64';
const platform = new RegExp(`(${systems})-(${processors})(-musl|-gnu)?`);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const { packages } = lock;
let added = 0;

for (const [path, entry] of Object.entries(packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`;
    const match = platform.exec(name);
    if (match === null || packages[key] !== undefined || packages[`${path}/${key}`] !== undefined)
      continue;
    const [, os, cpu, libc] = match;
    packages[key] = {
      version: range.replace(/^[\^~]/, ''),
      cpu: [cpu],
      ...(libc === undefined ? {} : { libc: [libc === '-musl' ? 'musl' : 'glibc'] }),
      optional: true,
      os: [os],
    };
    added += 1;
  }
}
lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${file}: ${added} packages of other platforms added\n`);
