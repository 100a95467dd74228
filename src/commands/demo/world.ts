import { createHash, createHmac } from 'node:crypto';
import type { App } from '../../app/app.ts';
import { clientName } from '../../platform/http/requests/request-origin.ts';
import type { Person } from './people.ts';
import type { Random } from './random.ts';
import type { Story } from './stories/story.ts';
import type { MovingClock } from './stories/timeline.ts';

/** What every part of the filling works with. */
export interface World {
  app: App;
  clock: MovingClock;
  story: Story;
  random: Random;
  people: readonly Person[];
  /** The ids of people who have joined, by address. */
  ids: Map<string, string>;
}

/** Where a request of a person would have come from. Request ids look like those of the service. */
export const originFor = ({ clock, random }: World, { userAgent, address }: Person) => ({
  begun: clock.now(),
  client: clientName(userAgent),
  address,
  requestId: random.hex(16),
});

/** Throws an Error for somebody who has not joined yet: the story is wrong then. */
export function idOf({ ids }: World, { email }: Pick<Person, 'email'>): string {
  const id = ids.get(email);
  if (id === undefined) throw new Error('somebody in the story acts before they have joined');
  return id;
}

/** What the audit log calls somebody's address by, as one-time codes do. */
export const identifierHash = ({ app }: World, kind: 'email' | 'phone', key: string): string =>
  createHmac('sha256', app.services.keys('otp'))
    .update(`identifier ${kind} ${key}`)
    .digest('base64url');

/** 64 hex digits that stand for something secret that never was. */
export const hashOf = (text: string): string =>
  createHash('sha256').update(`demo ${text}`).digest('hex');

/** The first admin as an actor of the audit log. Throws an Error when there is none. */
export function adminOf(world: World) {
  const [admin] = world.people;
  if (admin === undefined) throw new Error('the story has no admin');
  const { address, requestId } = originFor(world, admin);
  return { actor: { kind: 'user' as const, id: idOf(world, admin) }, address, requestId };
}
