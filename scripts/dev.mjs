import { spawn } from 'node:child_process';
import { buildOptions, webOptions } from './build.mjs';
import { buildGuides } from './guides.mjs';
import { loadEnvFile } from './setup/env-file.mjs';
import { requireNode } from './setup/node-version.mjs';
import { ensurePackages } from './setup/packages.mjs';
import { inRoot } from './setup/paths.mjs';
import { ensureRedis } from './setup/programs.mjs';
import { main, say } from './setup/say.mjs';

let service;
let restarting = Promise.resolve();

function start() {
  service = spawn(process.execPath, ['--enable-source-maps', inRoot('dist', 'server.js')], {
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

// Sequential: a second service on the same DATA_DIR refuses to start.
function restart() {
  restarting = restarting.then(stop).then(start);
}

const restartAfterBuild = {
  name: 'restart-after-build',
  setup: (build) =>
    build.onEnd(({ errors }) => {
      for (const { text, location } of errors) say(`${location?.file}:${location?.line}: ${text}`);
      if (errors.length === 0) restart();
    }),
};

// The service reads the scripts of pages at its start.
const restartAfterWebBuild = {
  name: 'restart-after-web-build',
  setup: (build) =>
    build.onEnd(({ errors }) => {
      for (const { text, location } of errors) say(`${location?.file}:${location?.line}: ${text}`);
      if (errors.length === 0 && service !== undefined) restart();
    }),
};

requireNode(20, 19);
await main(async () => {
  loadEnvFile();
  await ensurePackages();
  if (!process.env.REDIS_URL) await ensureRedis();
  const esbuild = await import('esbuild');
  const options = buildOptions();
  const context = await esbuild.context({
    ...options,
    plugins: [...options.plugins, restartAfterBuild],
  });
  const web = await esbuild.context({ ...webOptions(), plugins: [restartAfterWebBuild] });
  // An error in them is reported above, and does not prevent the service from starting.
  await Promise.all([
    web.rebuild().catch(() => undefined),
    buildGuides().catch((error) => say(error.message)),
  ]);
  await web.watch();
  await context.watch();
  let ending;
  async function end() {
    await Promise.all([context.dispose(), web.dispose()]);
    await restarting;
    await stop();
    process.exit(0);
  }
  // A terminal and npm each send Ctrl-C, to the service as well: this process waits until the
  // service has ended.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (ending ??= end()));
});
