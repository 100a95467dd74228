import { expect, it } from 'vitest';
import { asAdmin } from '../support/app.ts';
import { TestClient } from '../support/client.ts';
import { codeFor } from '../support/sign-in.ts';
import { useGuideService } from './guide-service.ts';
import { loadTypeScript, typeErrors } from './typescript.ts';

const service = await useGuideService({ own: {} });

it('getting-started.md works as written', async () => {
  const steps = [
    { before: /analytics\/sites/, act: () => service.app.applied() },
    {
      before: /otp\/verify/,
      act: async (known: Record<string, string>) => {
        known.CODE = await codeFor(service.app, 'ana@example.com');
      },
    },
  ];
  const runTypeScript = async (source: string) => {
    expect(await typeErrors(source)).toEqual([]);
    const { track } = await loadTypeScript<{
      track: (event: string, url: string) => Promise<{ accepted: number }>;
    }>(source, service.origin);
    expect(await track('signup', '/welcome')).toMatchObject({ accepted: 1 });
  };
  expect(await service.follow('getting-started.md', { steps, runTypeScript })).toEqual({
    ran: 8,
    compared: 7,
    notRun: ['it starts the service that everything below is sent to'],
  });
});

it('errors-and-limits.md works as written', async () => {
  // The guide lists all keys, so the key of the other guide has to go.
  await service.app.stores.db.deleteFrom('api_keys').execute();
  const admin = new TestClient(service.app).as(asAdmin);
  for (const name of ['First', 'Second'])
    await admin.post('/api/v1/api-keys', { name, scopes: ['analytics:read'] });
  const reading = await service.follow('errors-and-limits.md');
  expect(reading).toEqual({ ran: 5, compared: 5, notRun: [] });
});
