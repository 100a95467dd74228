import { dayMs } from '../../../lib/durations.ts';
import type { VerifiedIdentity } from '../../../areas/users/store.ts';
import type { AuditEntry } from '../../../areas/audit/service.ts';
import { adminEmails, type Person } from '../people.ts';
import type { Act } from './timeline.ts';
import { identifierHash, idOf, originFor, type World } from '../world.ts';

/** Lifetime of bearer sessions: older ones appear in the audit log only. */
const sessionMs = 30 * dayMs;
const codeMs = 25_000;

const emailOf = ({ email }: Person): VerifiedIdentity => ({
  kind: 'email',
  key: email,
  value: email,
});
const phoneOf = ({ phone }: Person): VerifiedIdentity[] =>
  phone === undefined ? [] : [{ kind: 'phone', key: phone, value: phone }];

/** Records that a code was sent, and that it was entered right or wrong. */
function noteCode(world: World, person: Person, isRight: boolean): undefined {
  const { audit } = world.app.services;
  const bySms = person.phone !== undefined && world.random.chance(0.5);
  const [channel, id] = bySms
    ? ['sms', identifierHash(world, 'phone', person.phone ?? '')]
    : ['email', identifierHash(world, 'email', person.email)];
  const { address, requestId } = originFor(world, person);
  const entry = {
    actor: { kind: 'anonymous' },
    target: { kind: 'identifier', id },
    address,
    requestId,
    details: { channel },
  } satisfies Omit<AuditEntry, 'action'>;
  const entered = world.clock.now();
  world.clock.set(entered - codeMs);
  audit.note({ ...entry, action: 'otp.sent' });
  world.clock.set(entered - 1);
  audit.note(
    isRight
      ? { ...entry, action: 'otp.verified' }
      : { ...entry, action: 'otp.failed', outcome: 'failure', reason: 'otp.invalid' },
  );
  world.clock.set(entered);
}

async function join(world: World, person: Person): Promise<void> {
  const { users, audit } = world.app.services;
  const profile = { name: person.name };
  const { user } = await users.signInAs(emailOf(person), profile, phoneOf(person), 'vouched');
  world.ids.set(person.email, user.id);
  const userRef = { kind: 'user', id: user.id } as const;
  const { address, requestId } = originFor(world, person);
  audit.note({
    action: 'user.created',
    actor: userRef,
    target: userRef,
    address,
    requestId,
    details: { amr: ['otp'] },
  });
  if (person.role === undefined || user.roles.includes(person.role)) return;
  await users.setRoles(user.id, [...user.roles, person.role]);
}

/** Records a sign-in whose session ended long ago: only its audit entry remains. */
function noteSession(world: World, person: Person): undefined {
  const userRef = { kind: 'user', id: idOf(world, person) } as const;
  const { address, requestId } = originFor(world, person);
  world.app.services.audit.note({
    action: 'session.created',
    actor: userRef,
    target: userRef,
    address,
    requestId,
    details: { amr: ['otp'] },
  });
}

/** Signs in; the session may still be open. Staff use browsers, most others the app. */
async function signIn(world: World, person: Person): Promise<void> {
  const proved = { ...originFor(world, person), identity: emailOf(person), amr: ['otp'] };
  const { signIn: signInMethods } = world.app.services;
  if (adminEmails.includes(person.email) || world.random.chance(0.3))
    await signInMethods.asCookie(proved);
  else await signInMethods.asBearer(proved);
}

function signInActs(world: World, person: Person, index: number): Act[] {
  const time = person.signIns[index] ?? world.story.until;
  const isRecent = world.story.until - time < sessionMs;
  const acts: Act[] = index === 0 ? [{ at: time - 2, play: () => join(world, person) }] : [];
  const mistypes = index > 0 && world.random.chance(0.06);
  return [
    ...acts,
    ...(mistypes ? [{ at: time - 40_000, play: () => noteCode(world, person, false) }] : []),
    { at: time, play: () => noteCode(world, person, true) },
    { at: time, play: () => (isRecent ? signIn(world, person) : noteSession(world, person)) },
  ];
}

function disableAct(world: World, person: Person, at: number): Act {
  const [admin] = world.people;
  return {
    at,
    async play() {
      const { users, audit } = world.app.services;
      const id = idOf(world, person);
      await users.setDisabled(id, true);
      audit.note({
        action: 'user.disabled',
        actor: { kind: 'user', id: admin === undefined ? id : idOf(world, admin) },
        target: { kind: 'user', id },
      });
    },
  };
}

/** All people join and sign in over the year; a few accounts are disabled. */
export function peopleActs(world: World): Act[] {
  return world.people.flatMap((person) => {
    const { disabledAt } = person;
    const signIns = person.signIns.flatMap((time, index) =>
      disabledAt === undefined || time < disabledAt ? signInActs(world, person, index) : [],
    );
    return disabledAt === undefined ? signIns : [...signIns, disableAct(world, person, disabledAt)];
  });
}

/** Records when each person was last seen, once each: a batch of updates has no order. */
export async function noteLastSeen(world: World): Promise<void> {
  await Promise.all(
    world.people.map(({ email, signIns, disabledAt = Infinity }) => {
      const seen = signIns.filter((time) => time < disabledAt).at(-1) ?? world.story.from;
      // People stay for some minutes after they have signed in.
      world.clock.set(Math.min(world.story.until, seen + world.random.between(1, 40) * 60_000));
      return world.app.services.users.noteSeen(idOf(world, { email }));
    }),
  );
}
