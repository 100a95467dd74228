import { spawn } from 'node:child_process';
import { devOptions, pageScriptOptions, trackerOptions } from './build/options.mjs';
import { loadEnvFile } from './setup/env-file.mjs';
import { requireNode } from './setup/node-version.mjs';
import { ensureBuild } from './setup/output.mjs';
import { ensurePackages } from './setup/packages.mjs';
import { inRoot } from './setup/paths.mjs';
import { ensureRedis } from './setup/programs.mjs';
import { main, say } from './setup/say.mjs';

// Beside dist/, which `npm start` and the tests use.
const outdir = 'dist-dev';

let service;
let restarting = Promise.resolve();

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

// One after the other: two services on one DATA_DIR refuse each other.
function restart() {
  restarting = restarting.then(stop).then(start);
}

/** An esbuild plugin that prints mistakes, and calls `onBuilt` after each build without any. */
const afterBuild = (onBuilt) => ({
  name: 'after-build',
  setup: (build) =>
    build.onEnd(({ errors }) => {
      for (const { text, location } of errors) say(`${location?.file}:${location?.line}: ${text}`);
      if (errors.length === 0) onBuilt();
    }),
});

// The service reads the scripts of pages once, when it starts.
const restartIfStarted = afterBuild(() => service !== undefined && restart());

requireNode(20, 19);
await main(async () => {
  loadEnvFile();
  await ensurePackages();
  if (!process.env.REDIS_URL) await ensureRedis();
  await ensureBuild(['tracker', 'graphqlPages', 'guides'], outdir).catch(({ message }) =>
    say(message),
  );
  const esbuild = await import('esbuild');
  const browserContexts = await Promise.all(
    [pageScriptOptions(outdir), trackerOptions(outdir)].map((options) =>
      esbuild.context({ ...options, plugins: [restartIfStarted] }),
    ),
  );
  // A mistake in them is printed, and does not keep the service from starting.
  await Promise.all(browserContexts.map((each) => each.rebuild().catch(() => undefined)));
  const serviceContext = await esbuild.context({
    ...devOptions(outdir),
    plugins: [afterBuild(restart)],
  });
  const contexts = [...browserContexts, serviceContext];
  await Promise.all(contexts.map((each) => each.watch()));
  let ending;
  async function end() {
    await Promise.all(contexts.map((each) => each.dispose()));
    await restarting;
    await stop();
    process.exit(0);
  }
  // A terminal and npm each send Ctrl-C, to the service as well: this process waits for it, and so
  // must not end before.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (ending ??= end()));
});
