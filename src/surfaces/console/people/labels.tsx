import type { Html } from '../../../lib/text/html.ts';
import type { Device } from '../../../areas/identity/devices/store.ts';
import type { User } from '../../../areas/identity/users/model.ts';
import { Badge, type Tone } from '../../../platform/ui/components/badge.tsx';
import type { IconName } from '../../../platform/ui/icon.tsx';
import { sectionPath } from '../sections.ts';
import { texts } from './texts/en.ts';

const reachedBy = (user: Pick<User, 'identities'>, kind: 'email' | 'phone'): string | undefined =>
  user.identities.find((identity) => identity.kind === kind)?.value;

/** Email address, else phone number. */
export const addressOf = (user: Pick<User, 'identities'>): string | undefined =>
  reachedBy(user, 'email') ?? reachedBy(user, 'phone');

/** Display name of a user: name, else address, number or id. */
export const nameOf = (user: Pick<User, 'id' | 'name' | 'identities'>): string =>
  user.name ?? addressOf(user) ?? user.id;

/** The text to type before the user is disabled, or loses the admin role. */
export const confirmationOf = (user: Pick<User, 'id' | 'identities'>): string =>
  addressOf(user) ?? user.id;

export const userPath = (id: string): string => `${sectionPath('users')}/${id}`;
export const userLink = (id: string, text: string): Html => (
  <a href={userPath(id)} safe>
    {text}
  </a>
);

/** A name of the API in words: `past_due` is `Past due`. */
export const readable = (name: string): string =>
  name.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase());

/** The icon of what a program runs on: `Chrome on Android`. */
export const deviceIcon = (program: string): IconName =>
  program.includes('iPad') ? 'tablet' : /Android|iOS/.test(program) ? 'devices' : 'monitor';

/** The second line of a cell. */
export const below = (text: string): Html => (
  <>
    <br />
    <span class="hint" safe>
      {text}
    </span>
  </>
);

const stateTones: Readonly<Record<Device['state'], Tone>> = {
  pending: 'warn',
  cleared: 'ok',
  expired: 'neutral',
  suspended: 'warn',
  denied: 'bad',
  revoked: 'neutral',
};

export const stateName = (state: Device['state']): string => texts.devices.states[state];
export const StateBadge = ({ state }: Pick<Device, 'state'>): Html => (
  <Badge text={stateName(state)} tone={stateTones[state]} />
);
