import { dayMs } from '../../../lib/durations.ts';
import { consolePath } from '../../../lib/site-paths.ts';
import { AppError } from '../../../platform/errors/errors.ts';
import { formatDateTime } from '../../../platform/i18n/dates.ts';
import type { User } from '../users/model.ts';
import type { ResetResources } from './context.ts';
import type { FactorReset, ResetState } from './store.ts';
import { texts } from './texts/en.ts';

type Told = Exclude<ResetState, 'completing'>;
type Address = User['identities'][number];

interface Notice {
  to: Address;
  headline: string;
  body: string;
  facts?: { label: string; value: string }[];
  link: { label: string; url: string };
}

/** Where messages can be sent: an address or a number. */
const isReachable = ({ kind }: Address): boolean => kind !== 'idp';

/** The address that an admin's messages go to, or else the number. */
const firstOf = ({ identities }: Pick<User, 'identities'>): Address | undefined =>
  identities.find(({ kind }) => kind === 'email') ?? identities.find(isReachable);

/** Such failures are the same at every attempt: the channel is off, or the address is bad. */
const isHopeless = (error: unknown): boolean =>
  error instanceof AppError &&
  ['comms.not_configured', 'comms.recipient_invalid'].includes(error.code);

const whenOf = ({ due_at: due }: FactorReset): string => (due === null ? '' : formatDateTime(due));

/** Messages about resets: to every address and number of the user, and to the other admins. */
export function createResetNotices({
  store,
  users,
  messages,
  tokenOf,
  clock,
  logger,
  baseUrl,
  brand,
}: ResetResources) {
  return {
    /**
     * Tells everybody of the state of a reset. Never throws: should a message not be queued, the
     * job does it, and nobody is told twice.
     */
    async tell(reset: FactorReset): Promise<void> {
      const { state } = reset;
      if (state === 'completing') return;
      try {
        const notices = await noticesOf(reset, state);
        const results = await Promise.allSettled(notices.map((notice) => send(reset, notice)));
        const failed = results.find((each) => each.status === 'rejected');
        if (failed !== undefined) throw failed.reason;
        await store.markTold(reset);
      } catch (error) {
        logger.warn({ err: error, reset_id: reset.id }, 'messages about a 2FA reset are late');
      }
    },
  };

  /** Finds whom to tell, and what. */
  async function noticesOf(reset: FactorReset, state: Told): Promise<Notice[]> {
    const { user_id: userId, requested_by: by, approved_by: approver } = reset;
    const adminIds = await store.otherAdmins(userId);
    const ids = new Set([userId, ...adminIds, ...[by ?? [], approver ?? []].flat()]);
    const people = new Map((await users.findAll([...ids])).map((user) => [user.id, user]));
    const own = (people.get(userId)?.identities ?? []).filter(isReachable);
    const admins = adminIds.flatMap((id) => {
      const person = people.get(id);
      return (person === undefined ? undefined : firstOf(person)) ?? [];
    });
    const [userNotice, adminNotice] = [forUser(reset, state), forAdmins(reset, state, people)];
    return [
      ...own.map((to) => ({ ...userNotice, to })),
      ...admins.map((to) => ({ ...adminNotice, to })),
    ];
  }

  function forUser(reset: FactorReset, state: Told): Omit<Notice, 'to'> {
    const { requested, approved, canceled, completed, expired, cancel, openAccount } = texts.user;
    const account = { label: openAccount, url: `${baseUrl}/account` };
    const stop = {
      label: cancel,
      url: `${baseUrl}/account/factor-reset?token=${tokenOf(reset.id)}`,
    };
    if (state === 'requested') return { ...requested, link: stop };
    if (state === 'approved')
      return { ...approved, body: approved.body({ time: whenOf(reset) }), link: stop };
    if (state === 'completed') {
      const body = completed.body({ contact: brand().contactEmail });
      return { ...completed, body, link: account };
    }
    return { ...(state === 'canceled' ? canceled : expired), link: account };
  }

  function forAdmins(
    reset: FactorReset,
    state: Told,
    people: ReadonlyMap<string, User>,
  ): Omit<Notice, 'to'> {
    const nameOf = (id: string | null): string | undefined => {
      const person = id === null ? undefined : people.get(id);
      return person === undefined ? undefined : (firstOf(person)?.value ?? person.id);
    };
    const { headline, body } = texts.admins[state];
    const { requestedBy, approvedBy } = texts.facts;
    const facts = [
      { label: requestedBy, value: nameOf(reset.requested_by) },
      { label: approvedBy, value: nameOf(reset.approved_by) },
    ].flatMap(({ label, value }) => (value === undefined ? [] : [{ label, value }]));
    return {
      headline,
      // Never the name, which people choose themselves.
      body: body({ user: nameOf(reset.user_id) ?? reset.user_id, time: whenOf(reset) }),
      facts,
      link: { label: texts.admins.open, url: `${baseUrl}${consolePath}users/${reset.user_id}` },
    };
  }

  async function send(
    { id, state }: FactorReset,
    { to, headline, body, facts = [], link }: Notice,
  ): Promise<void> {
    try {
      await messages.send({
        channel: to.kind === 'email' ? 'email' : 'sms',
        to: to.value,
        template: 'account_notice',
        params: { headline, body, facts, link, hasLinkInSms: true },
        about: `factor_reset_${state}`,
        key: `factor-reset:${id}:${state}:${to.kind}:${to.key}`,
        expiresAt: clock.now() + dayMs,
      });
    } catch (error) {
      if (!isHopeless(error)) throw error;
    }
  }
}

export type ResetNotices = ReturnType<typeof createResetNotices>;
