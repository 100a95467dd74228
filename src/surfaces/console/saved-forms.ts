import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Seal } from '../../lib/secrets/seal.ts';
import { randomSecret } from '../../lib/secrets/secrets.ts';

/** A form that could not be sent because the sign-in was too old. */
export interface SavedForm {
  /** The path that it is sent to. */
  action: string;
  values: Record<string, string | string[]>;
}

export interface SavedFormsDeps {
  redis: Redis;
  /** Forms hold personal data, so that they are stored encrypted. */
  seal: Seal;
}

const lifetimeSeconds = 15 * 60;
const maxChars = 128 * 1024;
/** What is never saved: secrets, and the words that confirm what can't be undone. */
const neverSaved = /password|secret|token|_keys?$|^(?:code|number|confirm)$/i;

const StoredForm = z.object({
  action: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
});
const idPattern = /^[\w-]{20,64}$/;

/** The texts of a form; other values, such as files, are left out. */
function textsOf(body: object): SavedForm['values'] {
  const isText = (value: unknown): value is string => typeof value === 'string';
  const values: SavedForm['values'] = {};
  for (const [name, value] of Object.entries<unknown>({ ...body })) {
    if (neverSaved.test(name)) continue;
    if (isText(value)) values[name] = value;
    else if (Array.isArray(value) && value.every(isText)) values[name] = value;
  }
  return values;
}

/**
 * Keeps forms while their users sign in again, for 15 minutes and for them alone. URLs have only a
 * random id.
 */
export function createSavedForms({ redis, seal }: SavedFormsDeps) {
  const keyOf = (userId: string, id: string) => `console:kept-form:${userId}:${id}`;

  return {
    /** Keeps a form of a user. Returns its id; undefined if there is nothing to keep. */
    async keep(userId: string, action: string, body: object): Promise<string | undefined> {
      const values = textsOf(body);
      const text = JSON.stringify({ action, values });
      if (Object.keys(values).length === 0 || text.length > maxChars) return undefined;
      const id = randomSecret(16);
      await redis.set(keyOf(userId, id), seal.seal(text), 'EX', lifetimeSeconds);
      return id;
    },

    /** A form that is saved for this user; undefined otherwise. */
    async find(userId: string, id: string): Promise<SavedForm | undefined> {
      const sealed = idPattern.test(id) ? await redis.get(keyOf(userId, id)) : null;
      const text = sealed === null ? undefined : seal.open(sealed);
      return text === undefined ? undefined : StoredForm.parse(JSON.parse(text));
    },
  };
}

export type SavedForms = ReturnType<typeof createSavedForms>;
