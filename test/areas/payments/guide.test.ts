import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addPerson, openProvider, path, type Provider, rowOf, secret, send } from './provider.ts';

let provider: Provider;
beforeAll(async () => { provider = await openProvider(); }, 120_000);
afterAll(() => provider.app.close());

/** What the guide's example gives to curl, one entry for each argument. */
async function exampleArguments(userId: string): Promise<string[]> {
  const guide = await readFile(join(import.meta.dirname, '../../../docs/guides/payment-webhooks.md'), 'utf8');
  const [, example = ''] = /```sh\n([\s\S]*?)```/.exec(guide) ?? [];
  const script = `curl() { printf '%s\\0' "$@"; }\n${example}`;
  const env = { ...process.env, PAYMENTS_WEBHOOK_SECRET: secret, USER_ID: userId, BASE: '' };
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { env });
  return stdout.split('\0');
}

it('the example of the guide is taken as it stands', async () => {
  provider.advance(Date.now() - provider.now());
  const userId = await addPerson(provider.app, 'guide@example.com');
  const given = await exampleArguments(userId);
  const after = (option: string) => given[given.lastIndexOf(option) + 1] ?? '';
  expect(given).toContain(path);
  expect(await send(provider.app, after('--data-binary'), { 'stripe-signature': after('-H').replace(/^stripe-signature: /, '') })).toMatchObject({ status: 200, body: { received: true } });
  provider.advance(61_000);
  await provider.app.services.payments.sweep();
  expect((await rowOf(provider.app, 'evt_try_1'))?.status).toBe('done');
  expect(await provider.app.services.payments.planOf(userId)).toMatchObject({ plan: 'pro_monthly', status: 'active' });
});
