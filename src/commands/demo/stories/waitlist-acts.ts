import { createCreditStore } from '../../../areas/waitlist/credit-store.ts';
import { consentVersion } from '../../../areas/waitlist/consent.ts';
import { createBatchStore, entryStore } from '../../../areas/waitlist/entry-store.ts';
import { mailboxOf } from '../../../lib/mailbox.ts';
import { newReferralCode } from '../../../areas/waitlist/referral-codes.ts';
import { createJoinStore } from '../../../areas/waitlist/store.ts';
import { createWaitlistTokens } from '../../../areas/waitlist/tokens.ts';
import { dayMs, hourMs, minuteMs } from '../../../lib/durations.ts';
import { uuidv7 } from '../../../lib/ids.ts';
import { formatSignedId } from '../../../lib/secrets/signed-ids.ts';
import { sha256Hex } from '../../../lib/secrets/secrets.ts';
import { lastNames, plain } from '../people.ts';
import { createRandom } from '../random.ts';
import type { World } from '../world.ts';
import type { Act } from './timeline.ts';

interface Newcomer {
  id: string;
  askedAt: number;
  name: string | null;
  email: string;
  address: string;
  referredBy: string | null;
}

const names = ['Ana', 'Ben', 'Cleo', 'Dario', 'Emma', 'Finn', 'Gina', 'Hugo', null, null];
/** The full name, and an address that goes with it. */
function personOf(first: string | null, index: number): { name: string | null; local: string } {
  if (first === null) return { name: null, local: `knits${index}` };
  const last = lastNames[(index * 7) % lastNames.length] ?? 'Adler';
  return { name: `${first} ${last}`, local: `${plain(first)}.${plain(last)}${index}` };
}

const hosts = ['wool.example', 'mail.example', 'studio.example', 'mailinator.com'];
const count = 160;
/** Addresses reserved for documentation (RFC 5737); few networks, so that some share one. */
const networks = ['192.0.2', '198.51.100', '203.0.113'];

/** People who join over 120 days, many of them by the link of somebody before them. */
function newcomersOf({ until }: World['story']): Newcomer[] {
  const random = createRandom('waitlist');
  const newcomers: Newcomer[] = [];
  for (let index = 0; index < count; index += 1) {
    const askedAt = Math.round(until - (1 - index / count) ** 1.5 * 120 * dayMs - 30 * minuteMs);
    const isNeighbour = random.chance(0.15);
    const { name, local } = personOf(random.pick(names), index);
    newcomers.push({
      id: uuidv7(askedAt),
      askedAt,
      name,
      email: `${local}@${random.pick(random.chance(0.1) ? hosts : hosts.slice(0, 3))}`,
      address: isNeighbour ? `${random.pick(networks)}.7` : `10.${index}.${index % 7}.20`,
      referredBy: random.chance(0.45)
        ? (newcomers[Math.floor(random.next() ** 2 * index * 0.4)]?.id ?? null)
        : null,
    });
  }
  return newcomers;
}

/**
 * Joining goes through the store, because the service would send a link to a mailbox. Verifying
 * goes through the service, which decides about the credit of referrals.
 */
function joinActs(world: World, newcomer: Newcomer, index: number): Act[] {
  const { app, story } = world;
  const store = createJoinStore(app.stores.db);
  const { id, askedAt, email, referredBy, address } = newcomer;
  const token = createWaitlistTokens(app.services.keys).verification(id, askedAt);
  const at = new Date(askedAt);
  const join = async () => {
    await store.request({
      id,
      email,
      mailbox: mailboxOf(email),
      name: newcomer.name,
      metadata: JSON.stringify(index % 3 === 0 ? { campaign: 'launch' } : {}),
      source: index % 4 === 0 ? 'api' : 'form',
      isDisposable: email.endsWith('@mailinator.com'),
      referralCode: newReferralCode(),
      referredBy,
      network: `${address.replace(/\.\d+$/, '')}.0/24`,
      consentVersion,
      askedAt: at,
      since: new Date(askedAt - 10 * minuteMs),
      longSince: new Date(askedAt - dayMs),
      max: 3,
    });
    await store.setConfirmHash(id, sha256Hex(token.proof), at);
  };
  const isVerified = story.until - askedAt > 6 * dayMs || index % 4 !== 0;
  const verify = () => app.services.waitlist.verify(formatSignedId(token), { address });
  return [
    { at: askedAt, play: join },
    ...(isVerified ? [{ at: askedAt + 7 * minuteMs, play: verify }] : []),
  ];
}

/** An admin approves the next 20; most of them join. There is no mail to invite them with. */
function approvalAct({ app: { stores, services } }: World, at: number): Act {
  const batches = createBatchStore(stores.db);
  const now = new Date(at);
  return {
    at,
    async play() {
      const id = uuidv7(at);
      const approved = await createCreditStore(stores.db).change(async (within) => {
        const rows = await entryStore.approveNext(within, { count: 20, batch: id, now });
        await batches.add(within, { id, size: rows.length, leftOut: 0, createdAt: now });
        return rows;
      });
      await batches.setInvited(
        approved.map((row) => row.id),
        now,
      );
      for (const { email } of approved.slice(0, 14)) await services.admission.noteJoined(email);
    },
  };
}

/** The waitlist: people who join and refer each other, and two batches of approvals. */
export const waitlistActs = (world: World): Act[] => [
  ...newcomersOf(world.story).flatMap((newcomer, index) => joinActs(world, newcomer, index)),
  approvalAct(world, world.story.until - 40 * dayMs),
  approvalAct(world, world.story.until - 9 * dayMs + hourMs),
];
