import type { Resources } from '../../platform/resources.ts';
import { defineDeliveryCleanup } from './jobs.ts';
import { createOutbox } from './outbox.ts';
import { createProviders } from './providers.ts';
import { createMessages } from './service.ts';
import { createDeliveryStore } from './store.ts';

/**
 * Messages by email and SMS. `keepsMessages`: whether messages of channels without a provider go
 * to the outbox; by default in development only.
 */
export function composeComms(
  { config, clock, logger, db, queues, keys, development }: Resources,
  { keepsMessages = development.isOn }: { keepsMessages: boolean | undefined },
) {
  const outbox = createOutbox({ clock });
  const store = createDeliveryStore(db);
  const providers = createProviders({ config, clock, outbox, keeps: keepsMessages });
  defineDeliveryCleanup({ queues, store, clock });
  return {
    outbox,
    /** Whether messages can be sent, by channel. */
    channels: { sms: providers.sms !== undefined, email: providers.email !== undefined },
    /** Names of the channels that use the outbox. */
    keptChannels: [
      ...(providers.email === outbox.provider ? ['email'] : []),
      ...(providers.sms === outbox.provider ? ['SMS'] : []),
    ],
    messages: createMessages({
      queues,
      store,
      providers,
      keys,
      clock,
      logger,
      appName: config.APP_NAME,
    }),
  };
}

export type Comms = ReturnType<typeof composeComms>;
