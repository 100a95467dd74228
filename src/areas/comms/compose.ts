import type { Resources } from '../../platform/resources.ts';
import { defineDeliveryCleanup } from './jobs.ts';
import { createOutbox } from './outbox.ts';
import { createProviders, type Providers } from './providers.ts';
import { createMessages } from './service.ts';
import { createDeliveryStore, type DeliveryStore } from './store.ts';

/** What the service of messages is made from. */
export interface CommsParts extends Pick<Resources, 'queues' | 'keys' | 'clock' | 'logger'> {
  store: DeliveryStore;
  providers: Providers;
  /** The brand in messages. */
  brand: Resources['brand'];
}

/**
 * Messages by email and SMS. `keepsMessages`: whether messages of channels without a provider go
 * to the outbox; by default in development only.
 */
export function composeComms(
  resources: Resources,
  { keepsMessages = resources.development.isOn }: { keepsMessages: boolean | undefined },
) {
  const { db } = resources;
  const outbox = createOutbox(resources);
  const store = createDeliveryStore(db);
  const providers = createProviders(resources, keepsMessages ? outbox.provider : undefined);
  defineDeliveryCleanup({ ...resources, store });
  return {
    outbox,
    /** Whether messages can be sent, by channel. */
    channels: { sms: providers.sms !== undefined, email: providers.email !== undefined },
    /** Names of the channels that use the outbox. */
    keptChannels: [
      ...(providers.email === outbox.provider ? ['email'] : []),
      ...(providers.sms === outbox.provider ? ['SMS'] : []),
    ],
    messages: createMessages({ ...resources, store, providers }),
  };
}

export type Comms = ReturnType<typeof composeComms>;
