import { operationsOf } from '../../../platform/operations/operation.ts';
import type { StatusContext } from '../compose.ts';
import { DeletedView, UuidParams } from '../schemas.fields.ts';
import { SubscriberListQuery, SubscriberPage } from './schemas.ts';

const operation = operationsOf<StatusContext>({ scope: 'admin', tag: 'status' });

/** Email subscribers of the status page. */
export const subscriberOperations = [
  operation({
    id: 'status.list_subscribers',
    path: 'GET /api/v1/status/subscribers',
    summary: 'List subscribers',
    description: 'Includes subscribers whose address is not confirmed yet.',
    query: SubscriberListQuery,
    output: SubscriberPage,
    run: ({ subscribers }, query, { signal }) => subscribers.list(query, signal),
  }),
  operation({
    id: 'status.delete_subscriber',
    path: 'DELETE /api/v1/status/subscribers/:id',
    summary: 'Delete a subscriber',
    description: 'Deletes the address. The subscriber is not notified and can subscribe again.',
    params: UuidParams,
    output: DeletedView,
    errors: ['status.subscriber_not_found'],
    async run({ subscribers }, { id }, { by }) {
      await subscribers.delete(id, by);
      return { deleted: true as const, id };
    },
  }),
];
