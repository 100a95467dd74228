import { undefinedIfMissing } from '../../../platform/errors/errors.ts';
import type { ApiKeyView } from '../../../areas/api-keys/schemas.ts';
import type { Device } from '../../../areas/blackops/store.ts';

/** Makes a function that asks for each key once, all keys of a moment in one question. */
export function createLoader<Key extends string, Value>(
  ask: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  const known = new Map<Key, Promise<Value | undefined>>();
  let waiting: { keys: Key[]; answer: Promise<ReadonlyMap<Key, Value>> } | undefined;

  function join(key: Key): Promise<ReadonlyMap<Key, Value>> {
    if (waiting === undefined) {
      const keys: Key[] = [];
      // After the microtasks of this turn: siblings in a list ask one after the other.
      const answer = new Promise<void>((resolve) => {
        setImmediate(resolve);
      }).then(() => {
        waiting = undefined;
        return ask(keys);
      });
      waiting = { keys, answer };
    }
    waiting.keys.push(key);
    return waiting.answer;
  }

  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = join(key).then((all) => all.get(key));
    known.set(key, value);
    return value;
  };
}

/** Makes a function that asks once for all. */
export function createOnce<Key extends string, Value>(
  ask: (key: Key) => Promise<Value>,
): (key: Key) => Promise<Value> {
  const known = new Map<Key, Promise<Value>>();
  return (key) => {
    const value = known.get(key) ?? ask(key);
    known.set(key, value);
    return value;
  };
}

export interface LoaderDeps {
  /** Throws an AppError with the status 404 for a key that is not there. */
  findApiKey: (id: string) => Promise<ApiKeyView>;
  devicesOf: (userId: string) => Promise<readonly Device[]>;
}

/** Each key once, however many entries name it. */
async function keysOf(
  ids: readonly string[],
  find: LoaderDeps['findApiKey'],
): Promise<Map<string, ApiKeyView>> {
  const found = await Promise.all(ids.map((id) => undefinedIfMissing(find(id))));
  return new Map(found.flatMap((key) => (key === undefined ? [] : [[key.id, key]])));
}

/** The loaders of one request. */
export function createLoaders({ findApiKey, devicesOf }: LoaderDeps) {
  return {
    apiKey: createLoader((ids) => keysOf(ids, findApiKey)),
    devicesOf: createOnce(devicesOf),
  };
}

export type Loaders = ReturnType<typeof createLoaders>;
