import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { adminKey } from '../support/app.ts';
import { sections } from '../../src/surfaces/console/sections.ts';
import { useGuideService } from './guide-service.ts';

const service = await useGuideService({
  own: { env: { NODE_ENV: 'development', ADMIN_EMAILS: 'ana@example.com' } },
});

it('console.md works as written', async () => {
  const steps = [{ before: /Last event/, act: () => service.app.applied() }];
  const reading = await service.follow('console.md', {
    variables: { ADMIN_API_KEY: adminKey },
    steps,
  });
  expect(reading).toEqual({ ran: 7, compared: 7, notRun: [] });
});

it('console.md lists the pages of the menu in order, and those that viewers see', async () => {
  const guide = await readFile(join(import.meta.dirname, '../../docs/guides/console.md'), 'utf8');
  const [, pages = ''] = /\n## Pages\n([^]*?)\n## /.exec(guide) ?? [];
  expect([...pages.matchAll(/^\| ([A-Z][\w ]+?) \|/gm)].map(([, name]) => name)).toEqual([
    'Page',
    ...sections.map(({ name }) => name),
  ]);
  const [, viewerPages] = /^\| Viewer \| ([^|]+) \|/m.exec(guide) ?? [];
  expect(viewerPages?.split(', ')).toEqual(
    sections.filter(({ role }) => role === 'viewer').map(({ name }) => name),
  );
});
