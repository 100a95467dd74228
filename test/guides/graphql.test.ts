import { systemActor } from '../../src/platform/http/requests/request-actor.ts';
import { expect, vi } from 'vitest';
import { it } from '../support/test.ts';
import { useGuideService } from './guide-service.ts';
import { loadTypeScript, typeErrors } from './typescript.ts';
import { useWebSocket } from './websocket.ts';

useWebSocket();
const service = await useGuideService();

/** Checks the example: it receives events until it is stopped. */
async function watchByExample(source: string): Promise<void> {
  expect(await typeErrors(source)).toEqual([]);
  const { watchStatus } = await loadTypeScript<{
    watchStatus: (onEvent: (type: string) => void) => () => void;
  }>(source, service.origin);
  const received: string[] = [];
  const stop = watchStatus((type) => received.push(type));
  const { incidents } = service.app.services.status;
  await vi.waitFor(
    async () => {
      const { id } = await incidents.create(
        { name: 'Told', status: 'investigating', body: 'x', components: [] },
        systemActor,
      );
      await incidents.delete(id, systemActor);
      expect(received).toContain('incident.deleted');
    },
    { timeout: 10_000, interval: 100 },
  );
  stop();
  await vi.waitFor(() => expect(service.app.services.graphql.sockets.count()).toBe(0), {
    timeout: 5000,
  });
}

it('graphql.md works as written', async () => {
  const reading = await service.follow('graphql.md', { runTypeScript: watchByExample });
  expect(reading).toEqual({ ran: 7, compared: 6, notRun: [] });
});
