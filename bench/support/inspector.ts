import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { z } from 'zod';

const targetsSchema = z.array(z.object({ webSocketDebuggerUrl: z.string() })).min(1);

/**
 * Forces a garbage collection in a Node process that was started with `--inspect=PORT`. Resolves
 * when it is done.
 */
export async function collectGarbage(inspectorPort: number): Promise<void> {
  const [target] = targetsSchema.parse(
    await (await fetch(`http://127.0.0.1:${inspectorPort}/json`)).json(),
  );
  const inspector = new WebSocket(target?.webSocketDebuggerUrl ?? '');
  await once(inspector, 'open');
  for (let id = 1; id <= 2; id += 1) {
    inspector.send(JSON.stringify({ id, method: 'HeapProfiler.collectGarbage' }));
    await once(inspector, 'message');
  }
  inspector.close();
  await once(inspector, 'close');
  await delay(1000);
}
