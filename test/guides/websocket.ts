import { afterAll } from 'vitest';
import { WebSocket } from 'ws';

/** Gives the examples of a file a WebSocket: browsers and later versions of Node have one. */
export function useWebSocket(): void {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'WebSocket');
  Object.defineProperty(globalThis, 'WebSocket', {
    value: WebSocket,
    configurable: true,
    writable: true,
  });
  afterAll(() => {
    if (before === undefined) Reflect.deleteProperty(globalThis, 'WebSocket');
    else Object.defineProperty(globalThis, 'WebSocket', before);
  });
}
