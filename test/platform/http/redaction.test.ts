import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createEchoApp } from '../../support/http.ts';

interface Detail {
  loc: unknown[];
  input: unknown;
  ctx?: Record<string, unknown>;
}

async function send(body: unknown, { raw = JSON.stringify(body), query = '' } = {}) {
  const app = await createEchoApp({
    body: z.object({
      phone: z.string().startsWith('+').max(300),
      code: z.string().length(6).optional(),
      backup_codes: z.array(z.string().min(10)).optional(),
      profile: z.object({ newPassword: z.string().min(15), nick: z.string().min(3) }).optional(),
    }),
    querystring: z.object({ code: z.string().max(3).optional() }),
  });
  const answer = await app.inject({
    method: 'POST',
    url: `/check${query}`,
    headers: { 'content-type': 'application/json' },
    payload: raw,
  });
  expect(answer.statusCode).toBe(422);
  return { text: answer.body, detail: answer.json<{ detail: Detail[] }>().detail };
}

describe('an error never echoes a secret', () => {
  test('that is itself invalid', async () => {
    const { text, detail } = await send({ phone: '+1', code: '98765' });
    expect(detail).toMatchObject([{ loc: ['body', 'code'], input: '[redacted]' }]);
    expect(text).not.toContain('98765');
  });

  test('in the query', async () => {
    const { text } = await send({ phone: '+1' }, { query: '?code=98765' });
    expect(text).not.toContain('98765');
  });

  test('in a list or under a camel-case name', async () => {
    const { text, detail } = await send({
      phone: '+1',
      backup_codes: ['s3cr3t'],
      profile: { newPassword: 'hunter2', nick: 'x' },
    });
    expect(detail.map(({ input }) => input)).toEqual(['[redacted]', '[redacted]', 'x']);
    expect(text).not.toMatch(/s3cr3t|hunter2/);
  });

  test('next to a missing member, at any depth', async () => {
    const { text, detail } = await send({
      code: '98765',
      deep: { access_token: 'abc.def', list: [{ client_secret: 'xyz' }] },
      apiKey: 'k-1',
      plain: 'shown',
    });
    expect(detail[0]?.input).toEqual({
      code: '[redacted]',
      deep: { access_token: '[redacted]', list: [{ client_secret: '[redacted]' }] },
      apiKey: '[redacted]',
      plain: 'shown',
    });
    expect(text).not.toMatch(/98765|abc\.def|xyz|k-1/);
  });

  test.each([
    ['a form', 'phone=%2B1&code=98765&password=a%20b'],
    ['text that is JSON', '{"phone":"+1","code": "98765", "password":"two 98765 words"}'],
    ['a header in text', 'authorization: Bearer 98765'],
  ])('in the raw text of %s', async (_name, raw) => {
    const { text, detail } = await send(raw);
    expect(detail).toMatchObject([{ type: 'model_attributes_type', loc: ['body'] }]);
    expect(text).not.toContain('98765');
    expect(text).toContain('[redacted]');
  });

  test('in a refused URL', async () => {
    const { text } = await send({ phone: 'https://example.com/?token=98765&next=1' });
    expect(text).not.toContain('98765');
  });

  test('in malformed JSON', async () => {
    const { text } = await send({}, { raw: '{"phone":"+1","code":98765x}' });
    expect(text).not.toContain('98765');
  });
});

describe('an error stays small', () => {
  test('when a long string is refused', async () => {
    const { detail } = await send({ phone: 'x'.repeat(5000) });
    expect(detail[0]?.input).toBe(`${'x'.repeat(200)}… (5000 characters)`);
  });

  test('when a document of a thousand levels lacks a member', async () => {
    const deep = '['.repeat(1000) + ']'.repeat(1000);
    const { text } = await send(undefined, { raw: `{"deep":${deep}}` });
    expect(text.length).toBeLessThan(1000);
  });

  test('when a large object lacks a member', async () => {
    const wide = Object.fromEntries(
      Array.from({ length: 500 }, (_, at) => [`m${at}`, 'y'.repeat(20)]),
    );
    const many = Array.from({ length: 1000 }, (_, at) => at);
    const { text, detail } = await send({ deep: [[[[[1]]]]], wide, many });
    expect(detail[0]?.input).toMatchObject({
      deep: [[['[array]']]],
      many: [...many.slice(0, 25), '… (1000 items)'],
      wide: { m24: 'y'.repeat(20), '…': '(500 members)' },
    });
    expect(text.length).toBeLessThan(4000);
  });

  test('when a thousand items are wrong', async () => {
    const codes = Array.from({ length: 1000 }, () => 'a');
    const { detail } = await send({ phone: '+1', backup_codes: codes });
    expect(detail).toHaveLength(100);
  });
});
