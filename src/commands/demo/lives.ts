import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { App } from '../../app/app.ts';
import { clientName } from '../../platform/http/requests/request-origin.ts';
import { dayMs, minuteMs } from '../../lib/durations.ts';
import type { Person } from './people.ts';
import type { Random } from './random.ts';
import { type Act, codeIn, type MovingClock, type Stage, tokenIn } from './stage.ts';
import type { Story } from './story.ts';

/** What the acts of the year work with. */
export interface World {
  app: App;
  stage: Stage;
  clock: MovingClock;
  story: Story;
  random: Random;
  people: readonly Person[];
  /** The first person, an admin. */
  admin: Person;
}

const failures = 0.06;
/** Older sign-ins appear in the audit log only. */
const recentMs = 5 * dayMs;
const Sent = z.object({ verification_id: z.string() });
const Account = z.object({ id: z.string() });

/** Opens a session in a person's browser without a code, which takes too long for each request. */
export async function openSession({ app, clock, random }: World, person: Person): Promise<void> {
  const { email, userAgent, address, cookies } = person;
  const outcome = await app.services.signIn.asCookie({
    ...{ begun: clock.now(), client: clientName(userAgent), address, requestId: random.hex(16) },
    ...{ identity: { kind: 'email', key: email, value: email }, amr: ['otp'] },
  });
  if (outcome.mfa === undefined) cookies.set('svc_session', outcome.session.cookie);
}

/** Sends a request of an admin, who has just signed in. */
export async function askAs(world: World, admin: Person, call: string, body?: unknown) {
  await openSession(world, admin);
  return world.stage.ask(call, body, admin);
}

/** Signs in with a code, in a browser or the app. */
async function signIn({ stage, random }: World, person: Person, inBrowser: boolean) {
  const { phone, email } = person;
  const to = person.id !== undefined && phone !== undefined && random.chance(0.5) ? phone : email;
  const send = `POST /api/auth/otp/send?identifier=${encodeURIComponent(to)}`;
  const sent = Sent.parse(await stage.ask(send, undefined, person));
  const proof = { ...sent, identifier: to, code: await stage.read(to, codeIn), next: '' };
  await stage.ask(`POST ${inBrowser ? '/login/code' : '/api/auth/otp/verify'}`, proof, person);
}

/** Makes an account: colleagues accept an invitation, others enter a code. */
async function join(world: World, person: Person): Promise<void> {
  const { stage, admin } = world;
  const { role, email, name, phone } = person;
  if (role === undefined || person === admin) await signIn(world, person, true);
  else {
    await askAs(world, admin, 'POST /api/v1/invitations', { email, role });
    await stage.ask('POST /invitation', { token: await stage.read(email, tokenIn) }, person);
  }
  person.id = Account.parse(await stage.ask('PATCH /api/v1/users/me', { name }, person)).id;
  if (phone === undefined) return;
  await stage.ask('POST /api/v1/users/me/phone', { phone }, person);
  const code = await stage.read(phone, codeIn);
  await stage.ask('POST /api/v1/users/me/phone/confirm', { code }, person);
}

/** Records a sign-in whose session ended long ago: only its entries in the audit log remain. */
function noteSignIn({ app, clock, random, story }: World, { id, email, address }: Person): void {
  const { audit, keys } = app.services;
  const identifier = createHmac('sha256', keys('otp')).update(`identifier email ${email}`);
  const request = { address, requestId: random.hex(16), details: { channel: 'email' } };
  const target = { kind: 'identifier', id: identifier.digest('base64url') };
  const anonymous = { ...request, target, actor: { kind: 'anonymous' } } as const;
  const user = { kind: 'user' as const, id: id ?? '' };
  audit.note({ ...anonymous, action: 'otp.sent' });
  clock.set(Math.min(story.until, clock.now() + 25_000));
  if (random.chance(failures))
    audit.note({ ...anonymous, action: 'otp.failed', outcome: 'failure', reason: 'otp.invalid' });
  audit.note({ ...anonymous, action: 'otp.verified' });
  audit.note({ ...request, action: 'session.created', actor: user, target: user });
}

function actsOf(world: World, person: Person): Act[] {
  const { random, story } = world;
  const { signIns, disabledAt } = person;
  const times = signIns.filter((time) => time < disabledAt);
  const acts = times.map((at, index): Act => {
    if (index === 0) return { at, play: () => join(world, person) };
    const isRecent = story.until - at < recentMs;
    if (!isRecent) return { at, play: () => noteSignIn(world, person) };
    const inBrowser = person.role !== undefined || random.chance(0.3);
    return { at, play: () => signIn(world, person, inBrowser) };
  });
  const disable = () =>
    askAs(world, world.admin, `PATCH /api/v1/users/${person.id}`, { disabled: true });
  return [...acts, ...(disabledAt < story.until ? [{ at: disabledAt, play: disable }] : [])];
}

/** Notes when people were last seen, all at once: a batch of updates has no order. */
const noteLastSeen = ({ app, clock, random, story, people }: World) =>
  Promise.all(
    people.map(({ id = '', signIns, disabledAt }) => {
      const seen = signIns.filter((time) => time < disabledAt).at(-1) ?? story.from;
      clock.set(Math.min(story.until, seen + random.between(1, 40) * minuteMs));
      return app.services.users.noteSeen(id);
    }),
  );

/** All people join and sign in over the year; a few accounts are disabled. */
export const peopleActs = (world: World): Act[] => [
  ...world.people.flatMap((person) => actsOf(world, person)),
  { at: world.story.until, play: () => noteLastSeen(world) },
];
