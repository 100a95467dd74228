import { dayMs, hourMs, minuteMs } from '../../lib/durations.ts';
import { createRandom, type Random } from './random.ts';
import type { Browser } from './stage.ts';
import type { Story } from './story.ts';

/** A person with an account. */
export interface Person extends Browser {
  name: string;
  email: string;
  /** E.164, from a range that is never assigned. */
  phone: string | undefined;
  role: 'admin' | 'viewer' | undefined;
  /** Unix ms, oldest first; the first one created the account. */
  signIns: readonly number[];
  /** When an admin disabled the account. */
  disabledAt: number;
  /** Set when they have joined. */
  id?: string;
}

const firstNames = (
  'Ada Björn Chiara Dilan Elif Femke Greta Hanna Ines Jonas Kaja Lukas Marta Niko Olga Paul ' +
  'Quentin Rosa Sven Tessa Ute Vera Wiebke Yusuf Zoë'
).split(' ');
const lastNames = (
  'Adler Brandt Costa Dumont Evers Ferrari Görlich Hoffmann Ibsen Jansen Keller Lindqvist Moreau ' +
  'Novak Öztürk Petersen Rossi Schneider Tanaka Weber'
).split(' ');
const hosts = ['mail.example', 'post.example', 'wool.example', 'studio.example'];

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0';
const agents = [
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Safari/537.36`,
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Safari/537.36 Edg/138.0.0.0`,
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 ' +
    '(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  `Mozilla/5.0 (Linux; Android 15; Pixel 9) ${webkit} Mobile Safari/537.36`,
] as const;

/** The people who run the shop, with the days between their visits. */
const staff = [
  ['Ada Moreau', 'ada@shop.example', 'admin', 2.2],
  ['Jonas Weber', 'jonas@shop.example', 'admin', 2.8],
  ['Chiara Rossi', 'chiara@shop.example', 'viewer', 4],
] as const;

/** Email address of the account that the demo signs in to. */
export const demoAdmin = staff[0][1];
export const adminEmails = [staff[0][1], staff[1][1]];

/** An address that is reserved for documentation (RFC 5737), and the country it stands for. */
export const addressOf = (random: Random): string =>
  `${random.pick(['192.0.2', '198.51.100', '203.0.113'])}.${random.between(1, 254)}`;
export const countryOf = (address: string): string =>
  ['DE', 'AT', 'DE', 'CH', 'DE', 'NL', 'DE', 'FR'][Number(address.split('.').at(-1)) % 8] ?? 'DE';

/** A name, and an address that goes with it. */
export function nameOf(random: Random, index: number): { name: string; email: string } {
  const [first, last] = [random.pick(firstNames), lastNames[index % lastNames.length] ?? ''];
  const plain = (text: string) => text.normalize('NFKD').replace(/[^\w]/g, '').toLowerCase();
  const email = `${plain(first)}.${plain(last)}${index}@${random.pick(hosts)}`;
  return { name: `${first} ${last}`, email };
}

/** Sign-in times at waking hours, from `joinedAt` to the story's end or for `staysDays`. */
function signInsOf(random: Random, joinedAt: number, every: number, stays: number, until: number) {
  const times = [joinedAt];
  for (let time = joinedAt; ;) {
    const day = Math.floor((time + (1 + random.around(every)) * dayMs) / dayMs) * dayMs;
    time = day + Math.round((6 + random.next() * 15) * hourMs);
    if (time > until || time - joinedAt > stays * dayMs) return times;
    times.push(time);
  }
}

function customerOf(random: Random, index: number, { from, until }: Story): Person {
  const age = Math.round(random.next() ** 1.6 * 355 * dayMs);
  const joinedAt = Math.max(from + dayMs, until - age - 40 * minuteMs);
  const stays = random.chance(0.6) ? 400 : random.between(5, 140);
  const signIns = signInsOf(random, joinedAt, random.pick([3, 6, 9, 14, 25]), stays, until);
  const last = (signIns.at(-1) ?? joinedAt) + 7 * dayMs;
  return {
    ...nameOf(random, index),
    // Numbers that the regulator reserves for fiction.
    phone: random.chance(0.3) ? `+4915200${String(10_000 + index).padStart(6, '0')}` : undefined,
    role: undefined,
    userAgent: random.pick(agents),
    address: addressOf(random),
    cookies: new Map(),
    disabledAt: index % 41 === 20 ? Math.min(until - dayMs, last) : Infinity,
    signIns: signIns,
  };
}

/** Returns all people with an account, staff first. Pure: depends only on the arguments. */
export function peopleOf(seed: string, story: Story, customers = 117): Person[] {
  const random = createRandom(`${seed} people`);
  const team = staff.map(([name, email, role, every], index): Person => {
    const joinedAt = story.from + (index + 1) * 3 * hourMs;
    return {
      ...{ name, email, role, phone: undefined, cookies: new Map(), disabledAt: Infinity },
      ...{ userAgent: agents[index] ?? '', address: addressOf(random) },
      signIns: signInsOf(random, joinedAt, every, 400, story.until),
    };
  });
  const length = customers;
  return [...team, ...Array.from({ length }, (_, index) => customerOf(random, index, story))];
}
