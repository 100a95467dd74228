import DataLoader from 'dataloader';
import { undefinedIfMissing } from '../../../platform/errors/errors.ts';
import type { GraphqlServices } from '../context.ts';

/** The loaders of one request: each key or list is looked up once, however many fields need it. */
export const createLoaders = ({
  apiKeys,
  devices,
}: Pick<GraphqlServices, 'apiKeys' | 'devices'>) => ({
  /** By id; undefined for a key that is not there. */
  apiKey: new DataLoader((ids: readonly string[]) =>
    Promise.all(ids.map((id) => undefinedIfMissing(apiKeys.get(id)))),
  ),
  /** By the id of their owner. */
  devices: new DataLoader((userIds: readonly string[]) =>
    Promise.all(userIds.map((id) => devices.management.listByUser(id))),
  ),
});

export type Loaders = ReturnType<typeof createLoaders>;
