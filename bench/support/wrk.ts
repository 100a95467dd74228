import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { chrome, type Load } from './load.ts';

const summarySchema = z.object({
  requests: z.number(),
  micros: z.number(),
  status: z.number(),
  socket: z.number(),
  p50: z.number(),
  p99: z.number(),
});

/** wrk's counts. Latencies are in ms; `answered` counts answers below 400, here all 200. */
export interface WrkResult {
  answered: number;
  perSecond: number;
  refused: number;
  socketErrors: number;
  p50: number;
  p99: number;
}

function script({ method, body, headers = {} }: Load): string {
  const more = Object.entries(headers)
    .map(([name, value]) => `wrk.headers["${name}"] = "${value}"`)
    .join('\n');
  const withBody =
    body === undefined
      ? ''
      : `wrk.headers["Content-Type"] = "application/json"\nwrk.body = [==[${body}]==]`;
  return `wrk.method = "${method}"
wrk.headers["User-Agent"] = "${chrome}"
${more}
${withBody}
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format(
    'RESULT {"requests":%d,"micros":%d,"status":%d,"socket":%d,"p50":%d,"p99":%d}\\n',
    summary.requests, summary.duration, e.status, e.connect + e.read + e.write + e.timeout,
    latency:percentile(50), latency:percentile(99)))
end
`;
}

/** Sends `load` as fast as it is answered, from one thread. wrk's script is put into `folder`. */
export async function runWrk(
  load: Load,
  base: string,
  durationSeconds: number,
  folder: string,
): Promise<WrkResult> {
  const file = join(folder, `${load.name}.lua`);
  writeFileSync(file, script(load));
  const args = [
    '-t1',
    `-c${load.connections}`,
    `-d${durationSeconds}s`,
    '--latency',
    '-s',
    file,
    `${base}${load.path}`,
  ];
  const { stdout } = await promisify(execFile)('wrk', args);
  const json = /^RESULT (.*)$/m.exec(stdout)?.[1];
  if (json === undefined) throw new Error(`wrk printed no result:\n${stdout}`);
  const { requests, micros, status, socket, p50, p99 } = summarySchema.parse(JSON.parse(json));
  const answered = requests - status;
  return {
    answered,
    perSecond: answered / (micros / 1e6),
    refused: status,
    socketErrors: socket,
    p50: p50 / 1000,
    p99: p99 / 1000,
  };
}
