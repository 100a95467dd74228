import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { inRoot } from '../setup/paths.mjs';
import { SetupError } from '../setup/say.mjs';

const startTimeoutMs = 60_000;

export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
      .once('error', reject)
      .listen(0, '127.0.0.1', () => {
        const { port } = server.address();
        server.close(() => resolve(port));
      });
  });
}

function settingsFor(port, dataDir, settings) {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_ENV: 'production',
    SITE_REGISTRATION: 'open',
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: dataDir,
    AUTH_SECRET: randomBytes(32).toString('hex'),
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'warn',
    // With a mail server the pages show their forms. Nothing listens on that port.
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'pages@example.com',
    CONTACT_EMAIL: 'help@example.com',
    ...settings,
  };
}

const isReady = (origin) =>
  fetch(`${origin}/api/health/ready`).then(
    ({ status }) => status === 200,
    () => false,
  );

/**
 * Starts the built service with its own stores, and with `settings` added to the usual ones.
 * Returns its origin, and `stop`, which also removes its data.
 */
export async function startService(settings = {}) {
  mkdirSync(inRoot('.tmp'), { recursive: true });
  const [port, dataDir] = [await freePort(), mkdtempSync(inRoot('.tmp', 'pages-data-'))];
  const child = spawn(process.execPath, [inRoot('dist', 'server.js')], {
    env: settingsFor(port, dataDir, settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => void (log = (log + chunk).slice(-8192)));
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    rmSync(dataDir, { recursive: true, force: true });
  };
  const [origin, began] = [`http://127.0.0.1:${port}`, Date.now()];
  while (!(await isReady(origin))) {
    if (child.exitCode !== null || Date.now() - began > startTimeoutMs) {
      await stop();
      throw new SetupError(`The service did not start:\n${log}`);
    }
    await delay(50);
  }
  return { origin, stop };
}
