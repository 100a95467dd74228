import { z } from 'zod';
import { hourMs, minuteMs } from '../../lib/durations.ts';
import { letters } from './letters.ts';
import { askAs, type World } from './lives.ts';
import { printedCodes } from './sites.ts';
import type { Act } from './stage.ts';
import { timeOf } from './story.ts';
import { year } from './year.ts';

/** What a request of the script may return. */
const Made = z
  .object({ id: z.string().default(''), key: z.string().default('') })
  .catch({ id: '', key: '' });

/** Returns the lines of a text. A line that begins with two spaces goes on with the one before. */
const linesOf = (text: string): string[] =>
  text
    .replace(/\n {2}/g, ' ')
    .trim()
    .split(/\n+/);

/** Reads a time such as `63d11:07` or `26h`. Throws an Error for anything else. */
function timeIn(text: string, until: number): number {
  const [, count, unit, hours, minutes] = /^(-?[\d.]+)([dh])(?:(\d\d):(\d\d))?$/.exec(text) ?? [];
  if (unit === undefined) throw new Error(`the script has a time that is none: ${text}`);
  if (unit === 'h') return Math.round(until - Number(count) * hourMs);
  return timeOf(until, Number(count), Number(hours) * 60 + Number(minutes));
}

function createReading({ admin, story }: World, base: string) {
  const texts: Readonly<Record<string, () => string | undefined>> = {
    admin: () => admin.id,
    target: () => `${base}/api/health/live`,
  };
  return (json: string | undefined): unknown =>
    json === undefined
      ? undefined
      : JSON.parse(json, (_name, value: unknown) => {
          const name = typeof value === 'string' ? /^@(\S+)$/.exec(value)?.[1] : undefined;
          if (name === undefined) return value;
          return texts[name]?.() ?? new Date(timeIn(name, story.until)).toISOString();
        });
}

/** The requests of the year's script. */
export function scriptActs(world: World, base: string): Act[] {
  const { app, story, admin } = world;
  const read = createReading(world, base);
  let [at, made] = [0, Made.parse({})];
  return linesOf(year).map((line) => {
    const [, when = '', method, path = '', json] =
      /^(\S+) (\S+)(?: (\S+))?(?: (.*))?$/.exec(line) ?? [];
    const isFirst = !when.startsWith('+');
    at = isFirst ? timeIn(when, story.until) : at + Number(when) * minuteMs;
    if (isFirst) made = Made.parse({});
    const thread = made;
    const play = async () => {
      if (method === 'USE') return app.services.apiKeys.authenticate(thread.key);
      const call = `${method} ${path.replace(':id', thread.id)}`;
      const answer = Made.parse(await askAs(world, admin, call, read(json)));
      if (isFirst) Object.assign(thread, answer);
    };
    return { at, play };
  });
}

/** What an admin does about a letter, by the first character of a line. */
const answers: Readonly<
  Record<string, (text: string, admin: string | undefined) => [string, object]>
> = {
  '*': (text) => ['POST :id/notes', { text }],
  '>': (text) => ['POST :id/replies', { text }],
  '=': (status) => ['PATCH :id', { status }],
  '@': (status, admin) => ['PATCH :id', { status, assignee_id: admin }],
};

/** The letters, which come with the operator's key, and what becomes of them. */
export function letterActs(world: World, key: string): Act[] {
  const { stage, story, admin } = world;
  return letters.split('\n\n').flatMap((letter): Act[] => {
    const [head = '', message, ...rest] = linesOf(letter);
    const [, hours, topic, name, email, subject] =
      /^(\S+) (\S+) (.+) <(.+)> ?(.*)$/.exec(head) ?? [];
    const at = timeIn(`${hours}h`, story.until);
    let id = '';
    // Programs fill in the hidden field.
    const website = rest.includes('= trap') ? { website: 'http://casino.example' } : {};
    const body = { name, email, subject, message, topic: topic === '–' ? '' : topic, ...website };
    const receive = async () => {
      ({ id } = Made.parse(await stage.ask('POST /api/v1/contact', body, undefined, key)));
    };
    return [
      { at, play: receive },
      ...rest
        .filter((line) => line !== '= trap')
        .map((line, index) => ({
          at: at + (25 + 5 * index) * minuteMs,
          play: () => {
            const [call = '', change] = answers[line.slice(0, 1)]?.(line.slice(2), admin.id) ?? [];
            return askAs(
              world,
              admin,
              call.replace(':id', `/api/v1/contact/messages/${id}`),
              change,
            );
          },
        })),
    ];
  });
}

/**
 * QR codes that were printed over the year. The posters lead elsewhere once their offer is
 * over.
 */
export const codeActs = (world: World): Act[] =>
  printedCodes.flatMap(({ code, name, url, campaign, age }) => {
    const isPoster = campaign === 'winter-posters';
    const [at, call] = [timeIn(`${age}d10:00`, world.story.until), 'POST /api/v1/qr-codes'];
    const style = isPoster
      ? { foreground: '#7a1f3d', shape: 'dots', eye_frame: 'circle', level: 'Q' }
      : code === 'window'
        ? { foreground: '#1a2b6b', shape: 'rounded', eye_frame: 'rounded' }
        : {};
    const body = { code, name, url, utm_campaign: campaign, site_id: 'shop.example', style };
    let id = '';
    const create = async () => {
      ({ id } = Made.parse(await askAs(world, world.admin, call, { ...body, dynamic: true })));
    };
    const change = () =>
      askAs(world, world.admin, `PATCH /api/v1/qr-codes/${id}`, {
        url: 'https://shop.example/gifts',
      });
    return [
      { at, play: create },
      ...(isPoster ? [{ at: timeIn('20d10:00', world.story.until), play: change }] : []),
    ];
  });
