import { createRandom, type Random } from './random.ts';
import { type Story } from './stories/story.ts';
import { dayMs, hourMs } from '../../lib/durations.ts';

/** A person with an account. */
export interface Person {
  name: string;
  email: string;
  /** E.164, from a range that is never assigned. */
  phone: string | undefined;
  role: 'admin' | 'viewer' | undefined;
  userAgent: string;
  address: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** Unix ms, oldest first; the first one created the account. */
  signIns: readonly number[];
  /** When an admin disabled the account. */
  disabledAt: number | undefined;
}

const firstNames = [
  'Ada',
  'Björn',
  'Chiara',
  'Dilan',
  'Elif',
  'Femke',
  'Greta',
  'Hanna',
  'Ines',
  'Jonas',
  'Kaja',
  'Lukas',
  'Marta',
  'Niko',
  'Olga',
  'Paul',
  'Quentin',
  'Rosa',
  'Sven',
  'Tessa',
  'Ute',
  'Vera',
  'Wiebke',
  'Yusuf',
  'Zoë',
];
export const lastNames = [
  'Adler',
  'Brandt',
  'Costa',
  'Dumont',
  'Evers',
  'Ferrari',
  'Görlich',
  'Hoffmann',
  'Ibsen',
  'Jansen',
  'Keller',
  'Lindqvist',
  'Moreau',
  'Novak',
  'Öztürk',
  'Petersen',
  'Rossi',
  'Schneider',
  'Tanaka',
  'Weber',
];
const hosts = ['mail.example', 'post.example', 'wool.example', 'studio.example'];

const agents = {
  mac:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 ' +
    '(KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36',
  windows: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
  edge:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 ' +
    '(KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0',
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 ' +
    '(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  android:
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 ' +
    '(KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36',
} as const;

/** The people who run the shop. The demo signs its user in as the first one. */
const staff = [
  {
    name: 'Ada Moreau',
    email: 'ada@shop.example',
    role: 'admin',
    userAgent: agents.mac,
    everyDays: 2.2,
  },
  {
    name: 'Jonas Weber',
    email: 'jonas@shop.example',
    role: 'admin',
    userAgent: agents.windows,
    everyDays: 2.8,
  },
  {
    name: 'Chiara Rossi',
    email: 'chiara@shop.example',
    role: 'viewer',
    userAgent: agents.edge,
    everyDays: 4,
  },
] as const;

/** Email address of the account that the demo signs in to. */
export const demoAdmin = staff[0].email;
export const adminEmails: readonly string[] = staff
  .filter(({ role }) => role === 'admin')
  .map(({ email }) => email);

/** A name as the part of an address before the `@`. */
export const plain = (text: string): string =>
  text.normalize('NFKD').replace(/[^\w]/g, '').toLowerCase();

/** Sign-in times at waking hours, from `joinedAt` to the story's end or for `staysDays`. */
function signInsOf(
  random: Random,
  joinedAt: number,
  everyDays: number,
  staysDays: number,
  { until }: Story,
): number[] {
  const times = [joinedAt];
  for (let time = joinedAt; ;) {
    const day = Math.floor((time + (1 + random.around(everyDays)) * dayMs) / dayMs) * dayMs;
    time = day + Math.round((6 + random.next() * 15) * hourMs);
    if (time > until || time - joinedAt > staysDays * dayMs) return times;
    times.push(time);
  }
}

/** Addresses reserved for documentation (RFC 5737). */
const addressOf = (random: Random): string =>
  `${random.pick(['192.0.2', '198.51.100', '203.0.113'])}.${random.between(1, 254)}`;

function staffOf(random: Random, story: Story): Person[] {
  return staff.map(({ everyDays, ...same }, index) => {
    const joinedAt = story.from + (index + 1) * 3 * hourMs + 8 * 60_000;
    return {
      ...same,
      phone: undefined,
      address: addressOf(random),
      country: 'DE',
      disabledAt: undefined,
      signIns: signInsOf(random, joinedAt, everyDays, 400, story),
    };
  });
}

function customerOf(random: Random, index: number, story: Story): Person {
  const first = random.pick(firstNames);
  const last = lastNames[index % lastNames.length] ?? 'Adler';
  const age = Math.round(random.next() ** 1.6 * 355 * dayMs);
  const joinedAt = Math.max(story.from + dayMs, story.until - age - 40 * 60_000);
  const signIns = signInsOf(
    random,
    joinedAt,
    random.pick([3, 6, 9, 14, 25]),
    random.chance(0.6) ? 400 : random.between(5, 140),
    story,
  );
  return {
    name: `${first} ${last}`,
    email: `${plain(first)}.${plain(last)}${index}@${random.pick(hosts)}`,
    // Numbers that the regulator reserves for fiction.
    phone: random.chance(0.3) ? `+4915200${String(10_000 + index).padStart(6, '0')}` : undefined,
    role: undefined,
    userAgent: random.pick(Object.values(agents)),
    address: addressOf(random),
    country: random.weighted([
      ['DE', 7],
      ['AT', 2],
      ['CH', 2],
      ['FR', 1],
      ['NL', 1],
    ]),
    signIns,
    disabledAt:
      index % 41 === 20
        ? Math.min(story.until - dayMs, (signIns.at(-1) ?? joinedAt) + 7 * dayMs)
        : undefined,
  };
}

/** Returns all people with an account, staff first. Pure: depends only on the arguments. */
export function peopleOf(seed: string, story: Story, customers = 117): Person[] {
  const random = createRandom(`${seed} people`);
  return [
    ...staffOf(random, story),
    ...Array.from({ length: customers }, (_, index) => customerOf(random, index, story)),
  ];
}
