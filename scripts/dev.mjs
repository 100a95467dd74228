import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { loadEnvFile } from './setup/env-file.mjs';
import { requireNode } from './setup/node-version.mjs';
import { ensureBuild } from './setup/output.mjs';
import { ensurePackages } from './setup/packages.mjs';
import { inRoot } from './setup/paths.mjs';
import { ensureRedis } from './setup/programs.mjs';
import { main, say } from './setup/say.mjs';

// Beside dist/, which `npm start` and the tests use.
const outdir = 'dist-dev';
// Editors write a file in several steps, and a branch switch changes many files.
const settleMs = 30;

let service;

function start() {
  service = spawn(process.execPath, ['--enable-source-maps', inRoot(outdir, 'server.js')], {
    stdio: 'inherit',
  });
  service.once(
    'exit',
    (code) => code && say(`The service ended with code ${code}; the next change starts it again.`),
  );
}

function stop() {
  if (service === undefined || service.exitCode !== null || service.signalCode !== null)
    return undefined;
  const ended = new Promise((resolve) => service.once('exit', resolve));
  service.kill('SIGTERM');
  return ended;
}

/** Builds what has changed and restarts the service. After a mistake, the old one keeps running. */
async function update() {
  try {
    await ensureBuild(['packages'], outdir);
    const browserParts = ['assets', 'pageScripts', 'tracker', 'graphqlPages', 'guides'];
    if (!(await ensureBuild(['devService', ...browserParts], outdir)) && service !== undefined)
      return;
    // One after the other: two services on one DATA_DIR refuse each other.
    await stop();
    start();
  } catch (error) {
    say(error.message);
  }
}

requireNode(20, 19);
await main(async () => {
  loadEnvFile();
  await ensurePackages();
  if (!process.env.REDIS_URL) await ensureRedis();
  let updating = update();
  let timer;
  const watchers = ['src', 'docs'].map((folder) =>
    watch(inRoot(folder), { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(() => (updating = updating.then(update)), settleMs);
    }),
  );
  let ending;
  async function end() {
    clearTimeout(timer);
    for (const each of watchers) each.close();
    await updating;
    await stop();
    process.exit(0);
  }
  // A terminal and npm each send Ctrl-C, to the service as well: this process waits for it, and so
  // must not end before.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (ending ??= end()));
});
