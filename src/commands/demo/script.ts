import { hourMs } from '../../lib/durations.ts';
import type { Person } from './people.ts';
import type { Step, Thread } from './stage.ts';
import { type Story, timeOf } from './story.ts';
import { year } from './year.ts';

/** Reads a time such as `63d11:07` or `26h`. Throws an Error for anything else. */
function timeIn(text: string, until: number): number {
  const [, count, unit, hours, minutes] = /^(-?[\d.]+)([dh])(?:(\d\d):(\d\d))?$/.exec(text) ?? [];
  if (unit === undefined) throw new Error(`the script has an invalid time: ${text}`);
  if (unit === 'h') return Math.round(until - Number(count) * hourMs);
  return timeOf(until, Number(count), Number(hours) * 60 + Number(minutes));
}

function bodyIn(json: string, until: number): object {
  const timed = json.replace(/"@([^"]+)"/g, (_, time: string) =>
    JSON.stringify(new Date(timeIn(time, until)).toISOString()),
  );
  const body: unknown = JSON.parse(timed);
  if (typeof body !== 'object' || body === null) throw new Error(`${json} is no body`);
  return body;
}

/** The requests of the year's script: those of the first admin, and of the operator. */
export function scriptThreads(admin: Person, { until }: Story): Thread[] {
  const threads: (Thread & { steps: Step[] })[] = [];
  // A line that begins with two spaces goes on with the one before.
  for (const line of year
    .replace(/\n {2}/g, ' ')
    .trim()
    .split(/\n+/)) {
    const [, when = '', verb = '', path = '', json] =
      /^(\S+) (\S+)(?: (\S+))?(?: (.*))?$/.exec(line) ?? [];
    const call = `${verb === 'SEND' ? 'OPERATOR POST' : verb} ${path}`.trim();
    const body = json === undefined ? undefined : bodyIn(json, until);
    if (when.startsWith('+')) threads.at(-1)?.steps.push([Number(when), call, body]);
    else threads.push({ at: timeIn(when, until), by: admin, steps: [[0, call, body]] });
  }
  return threads;
}
