import type { Redis } from 'ioredis';
import type { z } from 'zod';

/**
 * Defines a Lua script on the connection. Returns the function that runs it with its keys and
 * arguments, in one step, and parses its reply.
 */
export function defineScript<Reply extends z.ZodType>(
  redis: Redis,
  { name, lua, reply }: { name: string; lua: string; reply: Reply },
) {
  redis.defineCommand(name, { lua });
  const command: unknown = Reflect.get(redis, name);
  if (typeof command !== 'function') throw new Error(`The script ${name} is not defined.`);
  return async (
    keys: readonly string[],
    ...args: readonly (string | number)[]
  ): Promise<z.output<Reply>> =>
    reply.parse(await Reflect.apply(command, redis, [keys.length, ...keys, ...args]));
}
