import { dayMs, hourMs, minuteMs } from '../../lib/durations.ts';
import { createRandom, type Random } from './random.ts';
import type { Step, Thread } from './stage.ts';
import type { Story } from './story.ts';

/** Where requests come from. Cookies stay, as in a browser. */
export interface Browser {
  /** Of the account that is signed in, if any. */
  email?: string;
  address: string;
  userAgent: string;
  cookies: Map<string, string>;
}

/** A person with an account. */
export interface Person extends Browser {
  name: string;
  email: string;
  /** E.164, from a range that is never assigned. */
  phone: string | undefined;
  role: 'admin' | 'viewer' | undefined;
  /** When the account is created, Unix ms. */
  joinedAt: number;
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
];

/** The people who run the shop. */
const staff = [
  ['Ada Moreau', 'ada@shop.example', 'admin'],
  ['Jonas Weber', 'jonas@shop.example', 'admin'],
  ['Chiara Rossi', 'chiara@shop.example', 'viewer'],
] as const;

/** What every device that waits for approval shows. */
export const demoNumber = '42';

/** Email address of the account that the demo signs in to. */
export const demoAdmin = staff[0][1];
export const adminEmails = [staff[0][1], staff[1][1]];

/** A browser somewhere in a network of its own: the range is for benchmarks (RFC 2544). */
export const browserOf = (random: Random): Browser => ({
  address: `198.${random.between(18, 19)}.${random.between(0, 255)}.${random.between(1, 254)}`,
  userAgent: random.pick(agents),
  cookies: new Map(),
});
/** The country that an address stands for. */
export const countryOf = (address: string): string =>
  ['DE', 'AT', 'DE', 'CH', 'DE', 'NL', 'DE', 'FR'][Number(address.split('.').at(-1)) % 8] ?? 'DE';

/** A name, and an address that goes with it. */
export function nameOf(random: Random, index: number): { name: string; email: string } {
  const [first, last] = [random.pick(firstNames), lastNames[index % lastNames.length] ?? ''];
  const plain = (text: string) => text.normalize('NFKD').replace(/[^\w]/g, '').toLowerCase();
  const email = `${plain(first)}.${plain(last)}${index}@${random.pick(hosts)}`;
  return { name: `${first} ${last}`, email };
}

/** Returns all people with an account, staff first. Pure: depends only on the arguments. */
export function peopleOf(seed: string, { from, until }: Story, customers = 117): Person[] {
  const random = createRandom(`${seed} people`);
  const team = staff.map(([name, email, role], index): Person => {
    const joinedAt = from + (index + 1) * 3 * hourMs;
    return { ...browserOf(random), name, email, role, phone: undefined, joinedAt };
  });
  const others = Array.from({ length: customers }, (_, index): Person => {
    const age = Math.round(random.next() ** 1.6 * 355 * dayMs);
    return {
      ...browserOf(random),
      ...nameOf(random, index),
      // Numbers that the regulator reserves for fiction.
      phone: random.chance(0.3) ? `+4915200${String(10_000 + index).padStart(6, '0')}` : undefined,
      role: undefined,
      joinedAt: Math.max(from + dayMs, until - age - 40 * minuteMs),
    };
  });
  return [...team, ...others];
}

/** Someone who has not signed in, in a person's browser. */
const signedOut = ({ address, userAgent, cookies }: Person): Browser => ({
  ...{ address, userAgent, cookies },
});

/** Makes an account. Some have a number, and some accounts are disabled in the end. */
function joining(person: Person, index: number): Thread {
  const { joinedAt: at, name, phone } = person;
  const number: Step[] = [
    [2, 'POST /api/v1/users/me/phone', { phone }],
    [0, `CODE ${phone}`],
    [0, 'POST /api/v1/users/me/phone/confirm', { code: ':token' }],
  ];
  const disable: Step = [20_000, 'ADMIN PATCH /api/v1/users/:id', { disabled: true }];
  const then = (made: Readonly<Record<string, unknown>>) => void (person.id = String(made.id));
  const steps: Step[] = [[0, 'PATCH /api/v1/users/me', { name }]];
  if (phone !== undefined) steps.push(...number);
  if (isDisabled(index)) steps.push(disable);
  return { at, by: person, steps, then };
}

/** Whether the account is disabled two weeks after it was made. */
export const isDisabled = (index: number): boolean => index % 29 === 11;

/** Colleagues accept an invitation. */
function invitation(person: Person): Thread[] {
  const { role, email, joinedAt: at } = person;
  const steps: Step[] = [
    [0, 'ADMIN POST /api/v1/invitations', { email, role }],
    [0, `READ ${email}`],
    [0, 'POST /invitation', { token: ':token' }],
  ];
  const isInvited = role !== undefined && email !== demoAdmin;
  return isInvited ? [{ at: at - minuteMs, by: signedOut(person), steps }] : [];
}

/** The last sign-in, with a code. Older ones are in the audit log only. */
function signIn(person: Person, index: number, { until }: Story): Thread[] {
  const at = until - ((index * 53) % 97) * hourMs - 9 * minuteMs;
  const to = index % 9 === 4 && person.phone !== undefined ? person.phone : person.email;
  const call = person.role === undefined ? '/api/auth/otp/verify' : '/login/code';
  const proof = { verification_id: ':verification_id', code: ':token', identifier: to, next: '' };
  const steps: Step[] = [
    [0, `POST /api/auth/otp/send?identifier=${encodeURIComponent(to)}`],
    [0, `CODE ${to}`],
    [1, `POST ${call}`, proof],
  ];
  const isRecent = person.joinedAt < at - dayMs && !isDisabled(index) && index % 2 === 0;
  return isRecent ? [{ at, by: signedOut(person), steps }] : [];
}

/** All people join over the year and sign in. */
export const peopleThreads = (people: readonly Person[], story: Story): Thread[] =>
  people.flatMap((person, index) => [
    ...invitation(person),
    joining(person, index),
    ...signIn(person, index, story),
  ]);
