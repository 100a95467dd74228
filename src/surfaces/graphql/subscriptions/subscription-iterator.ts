import { memoizeByObject } from '../../../lib/memoize.ts';
import type { Bus, Listening } from '../../../platform/bus/bus.ts';
import type { Publication } from '../../../platform/bus/types.ts';
import { graphqlErrors } from '../errors.ts';

/** What is told on a channel, as the bus has made it. */
export interface Told {
  type: string;
  /** UUID. */
  id: string;
  time: string;
  data: unknown;
}

/** Messages that may wait for one subscriber. */
const mostWaiting = 1000;

function read({ json }: Publication): { told: Told | undefined } {
  const { data } = JSON.parse(json) as { data?: Partial<Told> };
  const { type, id, time } = data ?? {};
  // What clients publish themselves has another form; none of the channels here takes such.
  return typeof type === 'string' && typeof id === 'string' && typeof time === 'string'
    ? { told: { type, id, time, data: data?.data } }
    : { told: undefined };
}

/** What is told on a channel from now on; `end` lets whoever reads it fail. */
export interface Hearing {
  next: () => Promise<IteratorResult<Told, undefined>>;
  return: () => Promise<IteratorReturnResult<undefined>>;
  [Symbol.asyncIterator]: () => Hearing;
  end: (error: Error) => void;
}

type Step = IteratorResult<Told, undefined>;
const over: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** What waits for one reader. */
function createQueue() {
  const told: Told[] = [];
  let reader: { resolve: (step: Step) => void; reject: (error: Error) => void } | undefined;
  let end: { error: Error | undefined } | undefined;

  return {
    push(each: Told): void {
      const waiting = reader;
      reader = undefined;
      if (waiting === undefined) told.push(each);
      else waiting.resolve({ done: false, value: each });
    },

    size: (): number => told.length,

    /** Nothing more comes; with an error it is the next thing that is read. */
    close(error: Error | undefined): void {
      if (end !== undefined) return;
      told.length = 0;
      const waiting = reader;
      reader = undefined;
      if (waiting === undefined) end = { error };
      else {
        end = { error: undefined };
        if (error === undefined) waiting.resolve(over);
        else waiting.reject(error);
      }
    },

    next: (): Promise<Step> => {
      const first = told.shift();
      if (first !== undefined) return Promise.resolve({ done: false, value: first });
      if (end === undefined)
        return new Promise((resolve, reject) => {
          reader = { resolve, reject };
        });
      const { error } = end;
      end.error = undefined;
      return error === undefined ? Promise.resolve(over) : Promise.reject(error);
    },
  };
}

/** Lets subscribers hear channels of the bus. Each message is read once, however many hear it. */
export function createHearings(bus: Pick<Bus, 'open'>) {
  const readOnce = memoizeByObject(read);

  /** Begins to hear a channel. Rejects when Redis can't be reached. */
  return async (channel: string, isWanted: (told: Told) => boolean): Promise<Hearing> => {
    const queue = createQueue();
    const listenings: Listening[] = [];

    function stop(error?: Error): void {
      for (const { close } of listenings.splice(0)) close();
      queue.close(error);
    }

    listenings.push(
      await bus.open(channel, {
        heard(publication) {
          const { told } = publication.kind === 'pub' ? readOnce(publication) : { told: undefined };
          if (told === undefined || !isWanted(told)) return;
          if (queue.size() >= mostWaiting) stop(graphqlErrors.too_slow());
          else queue.push(told);
        },
        lost: () => stop(graphqlErrors.messages_lost()),
      }),
    );
    const hearing: Hearing = {
      next: queue.next,
      return: async () => {
        stop();
        return over;
      },
      end: stop,
      [Symbol.asyncIterator]: () => hearing,
    };
    return hearing;
  };
}

export type Hear = ReturnType<typeof createHearings>;
