import { setTimeout as delay } from 'node:timers/promises';
import { configSchema } from '../config.ts';
import { randomSecret } from '../lib/secrets/secrets.ts';
import { type Marker, writeMarker } from './demo/folder.ts';
import { startLiveTraffic } from './demo/live.ts';
import { demoHelp, type DemoOptions, readDemoOptions } from './demo/options.ts';
import { adminEmails, demoAdmin, demoNumber } from './demo/people.ts';
import { choosePort, demoHost } from './demo/port.ts';
import { prepareDemo } from './demo/prepare.ts';
import { createRandom } from './demo/random.ts';
import { runAsProcess, type CommandContext } from './service/command.ts';
import { formatDuration } from './service/progress.ts';

/** Sets the demo's settings in `process.env` and removes all other settings of the service. */
function setEnvironment({ dataDir, logLevel }: DemoOptions, port: number, key: string): void {
  for (const name of Object.keys(configSchema.shape)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, {
    NODE_ENV: 'development',
    HOST: demoHost,
    PORT: String(port),
    DATA_DIR: dataDir,
    ADMIN_EMAILS: adminEmails.join(','),
    ADMIN_API_KEY: key,
    LOG_LEVEL: logLevel,
    APP_NAME: 'Platform Service (demo)',
  });
}

/** Points the checks of the demo's sites, which request the service itself, at its current port. */
async function announcePort(base: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ target: `${base}/api/health/live` });
  for (const id of ['shop', 'checkout']) {
    const url = `${base}/api/v1/status/components/${id}`;
    await fetch(url, { method: 'PATCH', body, headers });
  }
}

function welcome(base: string): string {
  const consolePath = '/api/svc/console/';
  return [
    `The demo is ready after ${formatDuration(performance.now() / 1000)}.`,
    '',
    `  Sign in        ${base}/api/auth/dev/bypass/${demoAdmin}?next=${consolePath}`,
    '                 One click: you are Ada, an admin, this browser is an approved ' +
      'device, and you see the console.',
    `  Console        ${base}${consolePath}`,
    `  Devices        ${base}${consolePath}devices`,
    `                 Requests wait for you. Each of these devices shows ${demoNumber}.`,
    `  Status page    ${base}/status`,
    `  What was sent  ${base}/dev/outbox`,
    '',
    'Ctrl-C stops it; the next start continues with the same data. ' +
      'npm run demo -- --reset recreates it.',
    '',
  ].join('\n');
}

/**
 * Starts the service in this process and resolves once it is ready. From then on the service
 * handles signals.
 */
async function startService(
  base: string,
  { stop, leaveSignals }: Pick<CommandContext, 'stop' | 'leaveSignals'>,
): Promise<void> {
  // Imported by URL, because the server is a separate bundle.
  await import(new URL('./server.js', import.meta.url).href);
  leaveSignals();
  // Pass on a signal that arrived during the import.
  if (stop.aborted) process.kill(process.pid, 'SIGTERM');
  const isReady = () =>
    fetch(`${base}/api/health/ready`)
      .then(({ ok }) => ok)
      .catch(() => false);
  while (!(await isReady())) await delay(50);
}

async function completeStart(
  base: string,
  key: string,
  options: DemoOptions,
  marker: Marker,
  port: number,
): Promise<void> {
  if (marker.port !== port) {
    await announcePort(base, key);
    await writeMarker(options.dataDir, { ...marker, port });
  }
  if (!options.isQuiet) startLiveTraffic({ base, key, random: createRandom(`live ${Date.now()}`) });
}

/**
 * `npm run demo`: runs the service with a year of made-up data, on this machine only. Returns exit
 * code 0 once the service is ready.
 */
async function demoCommand({
  argv,
  env,
  say,
  stop,
  leaveSignals,
}: CommandContext): Promise<number> {
  const options = readDemoOptions(argv, env);
  if (options === undefined) {
    say(demoHelp);
    return 0;
  }
  const port = await choosePort(options.port, say);
  const marker = await prepareDemo(options, port, { say, stop });
  const base = `http://${demoHost}:${port}`;
  const key = randomSecret();
  setEnvironment(options, port, key);
  await startService(base, { stop, leaveSignals });
  await completeStart(base, key, options, marker, port);
  say(welcome(base));
  return 0;
}

await runAsProcess(demoCommand);
