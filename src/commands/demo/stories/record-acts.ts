import { createHmac } from 'node:crypto';
import { createDeliveryStore } from '../../../areas/comms/store.ts';
import { createSignupStore } from '../../../areas/signup/store.ts';
import { subscriberStore } from '../../../areas/status/subscriptions/subscribers.ts';
import { uuidv7 } from '../../../lib/ids.ts';
import { dayMs, hourMs, minuteMs } from '../../../lib/durations.ts';
import type { ApiKeyScope } from '../../../lib/access.ts';
import type { Act } from './timeline.ts';
import { hashOf, type World } from '../world.ts';

interface KeyStory {
  name: string;
  scopes: ApiKeyScope[];
  /** Days before the end of the story, as the three below. */
  made: number;
  used?: number;
  revoked?: number;
  expires?: number;
}

const keys: readonly KeyStory[] = [
  { name: 'Nightly import', scopes: ['analytics:write'], made: 340, used: 0.3 },
  { name: 'Shop backend', scopes: ['analytics:write'], made: 233, used: 0.002 },
  { name: 'Board report', scopes: ['analytics:read'], made: 180, used: 4.2 },
  {
    name: 'Contractor (until summer)',
    scopes: ['analytics:read'],
    made: 260,
    used: 170,
    expires: 160,
  },
  { name: 'Old deploy script', scopes: ['admin'], made: 320, used: 121, revoked: 120 },
  { name: 'Deploy', scopes: ['admin'], made: 120, used: 1.1 },
  { name: 'Notebook', scopes: ['analytics:read', 'analytics:write'], made: 15 },
];

/** Creates, uses and revokes keys through the service. The keys are never shown. */
function keyActs(
  { app, random, story: { until } }: World,
  { name, scopes, made, used, revoked, expires }: KeyStory,
): Act[] {
  const { apiKeys } = app.services;
  let created = { id: '', key: '' };
  const jitter = random.next() * 0.2;
  const at = (days: number) => Math.round(until - days * (1 + jitter / 10) * dayMs);
  return [
    {
      at: at(made),
      play: async () => {
        created = await apiKeys.create({
          name,
          scopes,
          expires_at: expires === undefined ? null : new Date(at(expires)).toISOString(),
        });
      },
    },
    ...(used === undefined
      ? []
      : [{ at: at(used), play: () => apiKeys.authenticate(created.key) }]),
    ...(revoked === undefined ? [] : [{ at: at(revoked), play: () => apiKeys.revoke(created.id) }]),
  ];
}

const companies = [
  'Wollwerk',
  'Atelier Nord',
  'Maschenprobe',
  'Yarn & Co',
  undefined,
  undefined,
  undefined,
];

/**
 * Signups, most of them confirmed. They go through the store, because the service would send a
 * confirmation link to a mailbox. Unconfirmed signups are deleted after seven days.
 */
function signupActs({ app, random, story: { until } }: World): Act[] {
  const store = createSignupStore(app.stores.db);
  return Array.from({ length: 84 }, (_, index): Act[] => {
    const askedAt = Math.round(until - random.next() ** 1.4 * 150 * dayMs - 20 * minuteMs);
    const isConfirmed = until - askedAt > 6 * dayMs || random.chance(0.7);
    const [id, hash, at] = [uuidv7(askedAt), hashOf(`signup ${index}`), new Date(askedAt)];
    const details = {
      name: null,
      company: random.pick(companies) ?? null,
      phone: null,
      plan: random.pick(['free', 'team', 'business', null]),
      referralCode: random.chance(0.15) ? 'FRIENDS' : null,
      hasConsented: true,
    };
    const request = async () => {
      await store.request({
        id,
        email: `hello${index}@${random.pick(['wool.example', 'mail.example', 'studio.example'])}`,
        details,
        askedAt: at,
        since: new Date(askedAt - 10 * minuteMs),
        longSince: new Date(askedAt - dayMs),
        max: 3,
      });
      await store.setConfirmHash(id, hash);
    };
    const confirmedAt = askedAt + random.between(1, 15) * minuteMs;
    const confirm = () =>
      store.confirm({ id, hash, since: new Date(confirmedAt - dayMs), now: new Date(confirmedAt) });
    return [
      { at: askedAt, play: request },
      ...(isConfirmed ? [{ at: confirmedAt, play: confirm }] : []),
    ];
  }).flat();
}

/** Subscribers to mail about incidents, created through the store like signups. */
function subscriberActs({ app, random, story: { until } }: World): Act[] {
  const { db } = app.stores;
  return Array.from({ length: 31 }, (_, index): Act[] => {
    const askedAt = Math.round(until - random.next() * 300 * dayMs - 30 * minuteMs);
    const [id, hash] = [uuidv7(askedAt), hashOf(`subscriber ${index}`)];
    const confirmedAt = askedAt + 4 * minuteMs;
    const ask = async () => {
      await subscriberStore.request(db, {
        id,
        email: `status${index}@mail.example`,
        askedAt: new Date(askedAt),
        since: new Date(askedAt - 10 * minuteMs),
      });
      await subscriberStore.setConfirmHash(db, id, hash);
    };
    const isConfirmed = until - askedAt > dayMs || random.chance(0.6);
    return [
      { at: askedAt, play: ask },
      ...(isConfirmed
        ? [
            {
              at: confirmedAt,
              play: () =>
                subscriberStore.confirm(db, {
                  id,
                  hash,
                  since: new Date(askedAt - dayMs),
                  now: new Date(confirmedAt),
                }),
            },
          ]
        : []),
    ];
  }).flat();
}

/** Deliveries of the last 30 days, recorded as the delivery jobs record them. */
function deliveryActs({ app, people, random, story: { until } }: World): Act[] {
  const store = createDeliveryStore(app.stores.db);
  const hash = (purpose: string, text: string) =>
    createHmac('sha256', app.services.keys(purpose)).update(text).digest('hex');
  const codes = people.flatMap(({ email, signIns }) =>
    signIns
      .filter((time) => until - time < 29 * dayMs)
      .map((time) => ({ to: email, time: time - 25_000 })),
  );
  return codes.map(({ to, time }, index): Act => ({
    at: time,
    async play() {
      const id = uuidv7(time);
      const isSms = random.chance(0.2);
      const [channel, provider] = isSms
        ? (['sms', 'webhook'] as const)
        : (['email', 'smtp'] as const);
      const how = random.weighted([
        ['sent', 95],
        ['again', 3],
        ['failed', 2],
      ]);
      await store.enter([
        {
          id,
          keyHash: hash('comms-key', `demo ${index} ${time}`),
          channel,
          template: 'sign_in_code',
          toHash: hash('comms-recipient', to),
          provider,
          expiresAt: new Date(time + 5 * minuteMs),
          now: new Date(time),
        },
      ]);
      const attempts = how === 'sent' ? 1 : how === 'again' ? 2 : 4;
      await store.note({
        id,
        status: how === 'failed' ? 'failed' : 'sent',
        attempts,
        provider,
        reference: how === 'failed' ? null : random.hex(20),
        errorCode: how === 'failed' ? (isSms ? 'http_500' : 'smtp_550') : null,
        now: new Date(time + 800 + (attempts - 1) * 4000),
      });
    },
  }));
}

/** API keys, signups, subscribers of the status page, and messages. */
export const recordActs = (world: World): Act[] =>
  [
    ...keys.flatMap((key) => keyActs(world, key)),
    ...signupActs(world),
    ...subscriberActs(world),
    ...deliveryActs(world),
  ].filter(({ at }) => at <= world.story.until && at > world.story.until - 365 * dayMs - hourMs);
