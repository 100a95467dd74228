import { readdirSync } from 'node:fs';
import { ensureProgram } from './system-packages.mjs';

const redis = {
  names: ['redis-server', 'valkey-server'],
  packages: { 'apt-get': ['redis-server'], dnf: ['valkey'], apk: ['redis'], brew: ['redis'] },
  otherwise: 'or set REDIS_URL to a Redis that already runs.',
};

const postgres = {
  names: ['initdb'],
  folders: postgresFolders,
  packages: {
    'apt-get': ['postgresql'],
    dnf: ['postgresql-server'],
    apk: ['postgresql'],
    brew: ['postgresql@16'],
  },
  otherwise: 'its tests are left out until then.',
};

// The tests use the headless shell if it is there, because it needs less CPU time, and the whole
// browser for what it cannot do. Only Debian has a package of it, older releases have none.
const chromium = {
  names: ['chromium', 'chromium-browser', 'google-chrome'],
  packages: {
    'apt-get': ['chromium', 'chromium-headless-shell'],
    dnf: ['chromium'],
    apk: ['chromium'],
    brew: ['chromium'],
  },
  olderPackages: { 'apt-get': ['chromium'] },
  otherwise: 'the browser tests need it.',
};

const curl = {
  names: ['curl'],
  packages: { 'apt-get': ['curl'], dnf: ['curl'], apk: ['curl'], brew: ['curl'] },
  otherwise: 'the tests run the examples of the guides with it.',
};

const haproxy = {
  names: ['haproxy'],
  packages: { 'apt-get': ['haproxy'], dnf: ['haproxy'], apk: ['haproxy'], brew: ['haproxy'] },
  otherwise: 'the test of rolling restarts is left out until then.',
};

const zbar = {
  names: ['zbarimg'],
  packages: {
    'apt-get': ['zbar-tools'],
    dnf: ['zbar'],
    apk: ['zbar'],
    brew: ['zbar'],
  },
  otherwise: 'the tests that read thousands of QR codes need it.',
};

const poppler = {
  names: ['pdftoppm'],
  packages: {
    'apt-get': ['poppler-utils'],
    dnf: ['poppler-utils'],
    apk: ['poppler-utils'],
    brew: ['poppler'],
  },
  otherwise: 'the tests of printed sheets need it.',
};

/** Returns the path of a redis-server (or Valkey's), installing it if necessary and possible. */
export const ensureRedis = () => ensureProgram(redis);

/** Returns the path of PostgreSQL's initdb, installing it if necessary and possible. */
export const ensurePostgres = () => ensureProgram(postgres);

/** Returns the path of a Chromium, installing it if necessary and possible. */
export const ensureChromium = () => ensureProgram(chromium);

/** Returns the path of curl, installing it if necessary and possible. */
export const ensureCurl = () => ensureProgram(curl);

/** Returns the path of haproxy, installing it if necessary and possible. */
export const ensureHaproxy = () => ensureProgram(haproxy);

/** Returns the path of zbarimg, installing it if necessary and possible. */
export const ensureZbar = () => ensureProgram(zbar);

/** Returns the path of pdftoppm, installing it if necessary and possible. */
export const ensurePoppler = () => ensureProgram(poppler);

// Debian keeps the server's programs off the PATH, one folder for each version.
function postgresFolders() {
  return ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt'].flatMap((base) => {
    try {
      return readdirSync(base)
        .filter((name) => /^(postgresql@)?\d+$/.test(name))
        .sort()
        .reverse()
        .map((name) => `${base}/${name}/bin`);
    } catch {
      return [];
    }
  });
}
