import { memoizeByObject } from '../../../lib/memoize.ts';
import type { Bus } from '../../../platform/bus/bus.ts';
import type { ChannelSubscription } from '../../../platform/bus/channels.ts';
import type { Publication } from '../../../platform/bus/types.ts';
import { graphqlErrors } from '../errors.ts';

/** An event on a channel of the bus. */
export interface BusMessage {
  type: string;
  /** UUID. */
  id: string;
  time: string;
  data: unknown;
}

type Step = IteratorResult<BusMessage, undefined>;

/** The messages of a channel from the time of the subscription on. */
export interface SubscriptionIterator {
  next: () => Promise<Step>;
  return: () => Promise<IteratorReturnResult<undefined>>;
  /** Discards queued messages, and rejects the next read with the error. */
  fail: (error: Error) => void;
  [Symbol.asyncIterator]: () => SubscriptionIterator;
}

/** The maximum number of queued messages per subscriber. */
const maxQueued = 1000;
const done: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** `message` is undefined for publications of clients, which have another shape. */
function parseMessage({ json }: Publication): { message: BusMessage | undefined } {
  const { data } = JSON.parse(json) as { data?: Partial<BusMessage> };
  const { type, id, time } = data ?? {};
  const isMessage = typeof type === 'string' && typeof id === 'string' && typeof time === 'string';
  return { message: isMessage ? { type, id, time, data: data?.data } : undefined };
}

/** A queue of messages for one reader. */
function createMessageQueue() {
  const messages: BusMessage[] = [];
  let reader: { resolve: (step: Step) => void; reject: (error: Error) => void } | undefined;
  let end: { error: Error | undefined } | undefined;

  return {
    size: (): number => messages.length,

    push(message: BusMessage): void {
      const waiting = reader;
      reader = undefined;
      if (waiting === undefined) messages.push(message);
      else waiting.resolve({ done: false, value: message });
    },

    /** Ends the queue and discards its messages. An error rejects the next read. */
    close(error: Error | undefined): void {
      if (end !== undefined) return;
      messages.length = 0;
      const waiting = reader;
      reader = undefined;
      end = { error: waiting === undefined ? error : undefined };
      if (error === undefined) waiting?.resolve(done);
      else waiting?.reject(error);
    },

    next: (): Promise<Step> => {
      const first = messages.shift();
      if (first !== undefined) return Promise.resolve({ done: false, value: first });
      if (end === undefined)
        return new Promise((resolve, reject) => {
          reader = { resolve, reject };
        });
      const { error } = end;
      end.error = undefined;
      return error === undefined ? Promise.resolve(done) : Promise.reject(error);
    },
  };
}

/**
 * Returns a function that subscribes to a channel of the bus. Each message is parsed once for all
 * subscribers. No library is used, because queued messages have to be discarded when a client loses
 * its access, and because of the cost per message and subscriber (docs/decisions/0001-house.md).
 */
export function createSubscriptionIterators(bus: Pick<Bus, 'subscribe'>) {
  const parseOnce = memoizeByObject(parseMessage);

  /** `onClose` is called when the iterator ends. Rejects while Redis is unavailable. */
  return async (
    channel: string,
    isWanted: (message: BusMessage) => boolean,
    onClose: (iterator: SubscriptionIterator) => void,
  ): Promise<SubscriptionIterator> => {
    const queue = createMessageQueue();
    const state: { listening?: ChannelSubscription; failure?: Error | undefined } = {};

    function close(error?: Error): void {
      state.failure ??= error;
      state.listening?.close();
      queue.close(error);
      onClose(iterator);
    }

    const iterator: SubscriptionIterator = {
      next: queue.next,
      async return() {
        close();
        return done;
      },
      fail: close,
      [Symbol.asyncIterator]: () => iterator,
    };
    state.listening = await bus.subscribe(channel, {
      onPublication(publication) {
        if (publication.kind !== 'pub') return;
        const { message } = parseOnce(publication);
        if (message === undefined || !isWanted(message)) return;
        if (queue.size() < maxQueued) queue.push(message);
        else close(graphqlErrors.too_slow());
      },
      onLost: () => close(graphqlErrors.messages_lost()),
    });
    if (state.failure === undefined) return iterator;
    state.listening.close();
    throw state.failure;
  };
}

export type OpenSubscription = ReturnType<typeof createSubscriptionIterators>;
