import { z } from 'zod';
import { formatSignedId } from '../../../lib/secrets/signed-ids.ts';
import { hourMs } from '../../../lib/durations.ts';
import type { SubscriptionParts } from '../context.ts';
import type { IncidentState, UpdateState } from '../model.ts';
import { texts } from '../texts/en.ts';
import type { SubscriptionTokens } from './tokens.ts';
import { type Subscriber, subscriberStore } from './store.ts';

/** An update of an incident to send to subscribers. */
export interface Notice {
  incident: Pick<IncidentState, 'id' | 'name' | 'components'>;
  update: Pick<UpdateState, 'id' | 'status' | 'body' | 'displayAt'>;
}

const NoticeJob = z.strictObject({
  incidentId: z.string(),
  updateId: z.string(),
  /** Parameters of the message template. */
  params: z.strictObject({
    name: z.string(),
    phase: z.string(),
    components: z.string(),
    body: z.string(),
  }),
  expiresAt: z.number().describe('Unix ms.'),
});
type NoticeJob = z.output<typeof NoticeJob>;

const pageSize = 200;
/** Messages about an update expire after this time. */
const lifetimeMs = 12 * hourMs;
const nilUuid = '00000000-0000-0000-0000-000000000000';

/**
 * Defines the job that sends an update to every subscriber. After a crash it starts over without
 * duplicates: the idempotency key of a message consists of update and subscriber.
 */
export function defineNotices({
  db,
  messages,
  queues,
  tokens,
  componentNames,
  baseOrigin,
}: SubscriptionParts & { tokens: SubscriptionTokens }) {
  const sendTo =
    ({ incidentId, updateId, params, expiresAt }: NoticeJob) =>
    ({ id, email }: Subscriber) =>
      messages.send({
        channel: 'email',
        to: email,
        template: 'status_update',
        key: `status-update:${updateId}:${id}`,
        expiresAt,
        params: {
          ...params,
          url: new URL(`/status/incidents/${encodeURIComponent(incidentId)}`, baseOrigin).href,
          unsubscribe: new URL(
            `/status/unsubscribe?token=${formatSignedId(tokens.unsubscription(id))}`,
            baseOrigin,
          ).href,
        },
      });

  const job = queues.defineJob({
    name: 'status-notices',
    schema: NoticeJob,
    options: { attempts: 5 },
    async process(notice) {
      for (
        let page = await subscriberStore.page(db, nilUuid, pageSize);
        page.length > 0;
        page = await subscriberStore.page(db, page.at(-1)?.id ?? nilUuid, pageSize)
      ) {
        await Promise.all(page.map(sendTo(notice)));
      }
    },
  });

  return ({ incident: { id, name, components }, update }: Notice) =>
    job.add(
      {
        incidentId: id,
        updateId: update.id,
        expiresAt: update.displayAt + lifetimeMs,
        // An update may have no text besides its status.
        params: {
          name,
          phase: texts.phases[update.status],
          components: componentNames(components).join(', '),
          body: update.body.trim() === '' ? texts.phases[update.status] : update.body,
        },
      },
      { id: update.id },
    );
}
