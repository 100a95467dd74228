import type { Redis } from 'ioredis';

/**
 * Makes a client write the commands of one turn of the event loop to its socket together. Under
 * load, dozens of requests read their sessions in one turn, and each write of its own would be a
 * system call that takes longer than the rest of a command.
 */
export function writeByTurn(redis: Redis): void {
  const send = redis.sendCommand.bind(redis);
  let isHeld = false;

  function hold(): void {
    const { stream } = redis;
    isHeld = true;
    stream.cork();
    setImmediate(() => {
      isHeld = false;
      stream.uncork();
    });
  }

  redis.sendCommand = (...command) => {
    if (!isHeld && redis.status === 'ready') hold();
    return send(...command);
  };
}
