import DataLoader from 'dataloader';
import { undefinedIfMissing } from '../../../platform/errors/errors.ts';
import type { GraphqlServices } from '../context.ts';

/** Creates the loaders of one operation. Each key or list is loaded once for all fields. */
export const createLoaders = ({
  apiKeys,
  devices,
}: Pick<GraphqlServices, 'apiKeys' | 'devices'>) => ({
  /** API keys by id; undefined for unknown ids. */
  apiKey: new DataLoader((ids: readonly string[]) =>
    Promise.all(ids.map((id) => undefinedIfMissing(apiKeys.get(id)))),
  ),
  /** Devices by the id of their owner. */
  devices: new DataLoader((userIds: readonly string[]) =>
    Promise.all(userIds.map((id) => devices.management.listByUser(id))),
  ),
});

export type Loaders = ReturnType<typeof createLoaders>;
