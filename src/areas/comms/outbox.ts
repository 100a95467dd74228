import type { Clock } from '../../lib/clock.ts';
import type { Provider, Rendered } from './provider.ts';

export interface OutboxMessage extends Rendered {
  /** Unix ms. */
  createdAt: number;
}

const limit = 500;

/** Keeps the newest 500 messages in memory instead of sending them, for development and tests. */
export function createOutbox({ clock }: { clock: Clock }) {
  const messages: OutboxMessage[] = [];
  const provider: Provider = {
    name: 'outbox',
    async send(rendered) {
      messages.push({ ...rendered, createdAt: clock.now() });
      if (messages.length > limit) messages.shift();
      return {};
    },
  };

  return {
    provider,
    /** Newest first; with `to`, only messages to exactly this recipient. */
    list: (to?: string): OutboxMessage[] =>
      messages.filter((message) => to === undefined || message.to === to).reverse(),

    /** Forgets all messages. */
    clear(): void {
      messages.length = 0;
    },

    find: (id: string): OutboxMessage | undefined => messages.find((each) => each.id === id),
  };
}

export type Outbox = ReturnType<typeof createOutbox>;
