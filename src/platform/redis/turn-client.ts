import { Redis } from 'ioredis';

/**
 * A Redis client that writes the commands of one turn of the event loop to its socket together.
 * Under load, dozens of requests read their sessions in one turn, and each write of its own would be
 * a system call that takes longer than the rest of a command.
 */
export class TurnClient extends Redis {
  #isHeld = false;

  override sendCommand(...command: Parameters<Redis['sendCommand']>): unknown {
    if (!this.#isHeld && this.status === 'ready') this.#hold();
    return super.sendCommand(...command);
  }

  #hold(): void {
    const { stream } = this;
    this.#isHeld = true;
    stream.cork();
    setImmediate(() => {
      this.#isHeld = false;
      stream.uncork();
    });
  }
}
