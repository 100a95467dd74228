import { createHash, createHmac } from 'node:crypto';
import type { App } from '../../app/app.ts';
import { clientName } from '../../platform/http/requests/request-origin.ts';
import type { Person } from './people.ts';
import type { Random } from './random.ts';
import type { Story } from './stories/story.ts';
import type { MovingClock } from './stories/timeline.ts';

/** What every part of filling works with. */
export interface World {
  app: App;
  clock: MovingClock;
  story: Story;
  random: Random;
  people: readonly Person[];
  /** User ids of people who have joined, by email address. */
  ids: Map<string, string>;
}

/** The origin of a person's request. Request ids have the service's format. */
export const originFor = ({ clock, random }: World, { userAgent, address }: Person) => ({
  begun: clock.now(),
  client: clientName(userAgent),
  address,
  requestId: random.hex(16),
});

/** Returns a person's user id. Throws an Error if they have not joined yet: a bug in the story. */
export function idOf({ ids }: World, { email }: Pick<Person, 'email'>): string {
  const id = ids.get(email);
  if (id === undefined) throw new Error('somebody in the story acts before they have joined');
  return id;
}

/** The hash of an identifier in the audit log, as one-time codes compute it. */
export const identifierHash = ({ app }: World, kind: 'email' | 'phone', key: string): string =>
  createHmac('sha256', app.services.keys('otp'))
    .update(`identifier ${kind} ${key}`)
    .digest('base64url');

/** 64 hex digits in place of the hash of a secret that never existed. */
export const hashOf = (text: string): string =>
  createHash('sha256').update(`demo ${text}`).digest('hex');

/** The first admin as an actor of the audit log. Throws an Error when there is none. */
export function adminOf(world: World) {
  const [admin] = world.people;
  if (admin === undefined) throw new Error('the story has no admin');
  const { address, requestId } = originFor(world, admin);
  return { actor: { kind: 'user' as const, id: idOf(world, admin) }, address, requestId };
}
