import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { copyEmbedded } from '../support/database-template.ts';
import { sharedStore } from '../support/shared-stores.ts';
import { describeSmallDisk, smallDisk } from './small-disk.ts';
import { compareIds, eventOf, idsWhenStored, killSettings } from './ingest-kill.ts';
import { type Answer, ask, post, startService } from './ingest-service.ts';

interface Sent {
  answered: Set<string>;
  refused: Set<string>;
}

/** Sends one event or a batch, and records whether their ids were accepted or refused. */
async function send(port: number, { answered, refused }: Sent, count: number): Promise<Answer> {
  const ids = Array.from({ length: count }, () => randomUUID());
  const props = { text: 'x'.repeat(300) };
  const events = ids.map((id) => eventOf(id, { url: `/${id}`, props }));
  const answer = await post(
    port,
    count === 1 ? '/analytics/track/' : '/analytics/batch/',
    count === 1 ? (events[0] ?? {}) : { events },
  );
  for (const id of ids) (answer.status === 200 ? answered : refused).add(id);
  return answer;
}

describeSmallDisk('a full disk under DATA_DIR', () => {
  test.each(['recovers', 'is killed'])(
    'is 503, no event is stored in part; the service %s and has every answered event once',
    async (ending) => {
      // PGlite alone takes some 40 MB.
      const disk = smallDisk(160);
      const dataDir = join(disk.folder, 'data');
      mkdirSync(dataDir, { mode: 0o700 });
      await copyEmbedded(await sharedStore('embeddedTemplate'), dataDir);
      const env = await killSettings({ DATA_DIR: dataDir });
      const service = await startService(env);
      const sent: Sent = { answered: new Set(), refused: new Set() };
      for (const count of [1, 50, 1, 200])
        expect((await send(service.port, sent, count)).status).toBe(200);
      disk.fill(700 * 1024);

      const statuses = new Set<number>();
      for (let times = 0; times < 400; times += 1) {
        const answer = await send(service.port, sent, [1, 50, 3, 400][times % 4] ?? 1);
        statuses.add(answer.status);
        if (answer.status !== 200) {
          expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
          expect(JSON.parse(answer.text)).toMatchObject({
            status: 503,
            code: expect.stringMatching(/^analytics\.(not_durable|backlog)$/) as string,
          });
        }
      }
      expect([...statuses].sort()).toEqual([200, 503]);
      expect((await ask(service.port, '/api/health/live')).status).toBe(200);
      const pixel = await ask(service.port, '/analytics/pixel.gif?site=site&page=/');
      expect({ status: pixel.status, 'content-type': pixel.headers['content-type'] }).toEqual({
        status: 200,
        'content-type': 'image/gif',
      });
      if (ending === 'is killed') await service.kill('SIGKILL');
      disk.clear();

      const next = ending === 'is killed' ? await startService(env) : service;
      await vi.waitFor(async () => expect((await send(next.port, sent, 20)).status).toBe(200), {
        timeout: 60_000,
        interval: 200,
      });
      const stored = (await idsWhenStored(next.port, sent.answered.size)).filter(
        (id) => sent.answered.has(id) || sent.refused.has(id),
      );
      expect(compareIds(sent.answered, stored)).toEqual({ lost: 0, doubled: 0, foreign: 0 });
      expect(await next.kill('SIGTERM')).toEqual({ code: 0, signal: null });
      console.log(
        `${ending}: ${sent.answered.size} events answered, ${sent.refused.size} ` +
          `refused, ${stored.length} stored`,
      );
    },
  );
});
