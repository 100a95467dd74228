import { escapeHtml, type Content, type Html } from '../../../../lib/text/html.ts';
import { rich } from '../../../../lib/text/rich.ts';
import type { ListedUser } from '../../../../areas/identity/users/model.ts';
import { Avatar } from '../../../../platform/ui/components/avatar.tsx';
import { Badge } from '../../../../platform/ui/components/badge.tsx';
import { Menu } from '../../../../platform/ui/components/overlay.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import { tabs } from '../../components/navigation.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { sectionPath } from '../../sections.ts';
import { nameOf, userPath } from '../labels.tsx';
import { pictureOf } from '../person.tsx';
import { texts } from '../texts/en.ts';
import { userMenuItems } from './user-menu.tsx';

const words = texts.user;

const userTabs = ['overview', 'messages', 'devices', 'activity'] as const;
export type UserTab = (typeof userTabs)[number];

const tabPath = (id: string, tab: UserTab): string =>
  tab === 'overview' ? userPath(id) : `${userPath(id)}/${tab}`;

/** Role and state, beside the name. */
const badges = ({ roles, disabledAt }: ListedUser): Html => (
  <span class="badges">
    {roles.map((role) => (
      <Badge text={texts.users.roles[role]} tone={role === 'admin' ? 'info' : 'neutral'} />
    ))}
    {disabledAt === null ? (
      <Badge text={words.about.active} tone="ok" />
    ) : (
      <Badge text={words.about.disabled} tone="bad" />
    )}
  </span>
);

/** How the person is reached, and when they were last here. */
function lead(user: ListedUser): Html {
  const name = nameOf(user);
  const reached = user.identities
    .filter(({ kind, value }) => kind !== 'idp' && value !== name)
    .map(({ value }) => value);
  const seenAt = user.lastSeenAt;
  return (
    <>
      {reached.map((value) => (
        <>
          {escapeHtml(value)}
          {' · '}
        </>
      ))}
      {seenAt === null
        ? escapeHtml(words.neverSeen)
        : rich(words.seen, { time: () => <Time at={seenAt} /> })}
    </>
  );
}

export interface UserFrame {
  isOwn: boolean;
  notice?: Html | undefined;
  body: Content;
  /** Whether the page shows devices, which change while it is open. */
  hasDevices?: boolean;
}

/** What all pages about a user share: who it is, the actions, and the tabs. */
export function userFrame(
  { user }: { user: ListedUser },
  current: UserTab,
  { isOwn, notice, body, hasDevices = false }: UserFrame,
): ConsolePage {
  const name = nameOf(user);
  return {
    section: 'users',
    title: name,
    breadcrumbs: [{ href: sectionPath('users'), text: texts.users.title }],
    face: <Avatar name={name} picture={pictureOf(user)} size="large" />,
    state: badges(user),
    lead: lead(user),
    notice,
    ...(hasDevices ? { channels: ['devices'] } : {}),
    every: 60,
    actions: (
      <form method="post" action={`${userPath(user.id)}/sessions/end-all`} data-send>
        <Menu id="user-menu" label={words.actions} items={userMenuItems(user, isOwn)} />
      </form>
    ),
    body: (
      <>
        {tabs(
          words.tabs.label,
          userTabs.map((tab) => ({
            href: tabPath(user.id, tab),
            text: words.tabs[tab],
            isCurrent: tab === current,
          })),
        )}
        {body}
      </>
    ),
  };
}
