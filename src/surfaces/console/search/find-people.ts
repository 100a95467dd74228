import { isUuid } from '../../../lib/ids.ts';
import { undefinedIfMissing } from '../../../platform/errors/errors.ts';
import { withQuery } from '../components/navigation.tsx';
import { addressOf, nameOf, stateName, userPath } from '../people/labels.tsx';
import { invitationsPath } from '../people/invitations/invitations-path.ts';
import { texts as peopleTexts } from '../people/texts/en.ts';
import { sectionPath } from '../sections.ts';
import type { Found, FoundGroup, Search } from './search.ts';
import { texts } from './texts/en.ts';

const { groups, hints } = texts;

async function users({ services, text, limit, by }: Search): Promise<Found[]> {
  const { data } = await services.users.list({ text, limit }, by.signal);
  return data.map((user) => {
    const name = nameOf(user);
    const address = addressOf(user);
    return {
      name,
      hint: address === undefined || address === name ? hints.user : address,
      href: userPath(user.id),
    };
  });
}

async function invitations({ services, text, limit, by }: Search): Promise<Found[]> {
  const { data } = await services.invitations.list({ filters: { q: text }, limit }, by.signal);
  return data.map(({ email, status }) => ({
    name: email,
    hint: peopleTexts.invitations.statuses[status],
    href: withQuery(invitationsPath, { status }),
  }));
}

/** Devices by their names, and by the names and addresses of their owners. */
async function devices({ services, text, limit, by }: Search): Promise<Found[]> {
  const { management } = services.devices;
  const byId = isUuid(text) ? await undefinedIfMissing(management.get(text, 'all')) : undefined;
  const found =
    byId === undefined ? (await management.list({ text, limit }, by.signal)).data : [byId];
  return found.map(({ name, state, user_id: owner }) => ({
    name,
    hint: stateName(state),
    href: `${userPath(owner)}#devices`,
  }));
}

/** Only the newest keys are searched; there are rarely more. */
const searchedKeys = 100;

async function keys({ services, text, limit, by }: Search): Promise<Found[]> {
  const { data } = await services.apiKeys.list({ limit: searchedKeys }, by.signal);
  const part = text.toLowerCase();
  return data
    .filter(
      ({ id, name, hint }) =>
        id === text || name.toLowerCase().includes(part) || hint.toLowerCase().includes(part),
    )
    .slice(0, limit)
    .map(({ name, hint, revoked_at: revoked }) => ({
      name,
      hint: revoked === null ? `${hint}…` : hints.revokedKey,
      href: sectionPath('keys'),
    }));
}

/** Users, invitations, devices and API keys. For admins. */
export async function findPeople(made: Search): Promise<FoundGroup[]> {
  const [ofUsers, ofInvitations, ofDevices, ofKeys] = await Promise.all([
    users(made),
    invitations(made),
    devices(made),
    keys(made),
  ]);
  return [
    { title: groups.users, icon: 'user', found: ofUsers },
    { title: groups.invitations, icon: 'mail', found: ofInvitations },
    { title: groups.devices, icon: 'devices', found: ofDevices },
    { title: groups.keys, icon: 'key', found: ofKeys },
  ];
}
