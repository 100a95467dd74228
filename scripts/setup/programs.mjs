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

const chromium = {
  names: ['chromium', 'chromium-browser', 'google-chrome'],
  packages: { 'apt-get': ['chromium'], dnf: ['chromium'], apk: ['chromium'], brew: ['chromium'] },
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

/** The path of a redis-server (or Valkey's), installed when it has to be and may be. */
export const ensureRedis = () => ensureProgram(redis);

/** The path of PostgreSQL's initdb, installed when it has to be and may be. */
export const ensurePostgres = () => ensureProgram(postgres);

/** The path of a Chromium, installed when it has to be and may be. */
export const ensureChromium = () => ensureProgram(chromium);

/** The path of curl, installed when it has to be and may be. */
export const ensureCurl = () => ensureProgram(curl);

/** The path of haproxy, installed when it has to be and may be. */
export const ensureHaproxy = () => ensureProgram(haproxy);

// Debian keeps the server's programs off the PATH, one folder for each version.
function postgresFolders() {
  return ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt'].flatMap((place) => {
    try {
      return readdirSync(place)
        .filter((name) => /^(postgresql@)?\d+$/.test(name))
        .sort()
        .reverse()
        .map((name) => `${place}/${name}/bin`);
    } catch {
      return [];
    }
  });
}
