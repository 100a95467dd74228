import { describe, expect, test } from 'vitest';
import { createTestHttp, withPublicRoutes } from '../../support/http.ts';

const app = () =>
  withPublicRoutes(createTestHttp(), (routes) => {
    routes.get('/redirect', (_request, reply) => reply.redirect('https://a.example/日本?q=ü'));
    routes.get('/link', (_request, reply) =>
      reply.header('link', '</für>; rel="next"').header('refresh', '0;url=/ü').send('ok'),
    );
    routes.get('/file', (_request, reply) =>
      reply.header('content-disposition', 'attachment; filename="ü.csv"').send('ok'),
    );
    routes.get('/broken', (_request, reply) =>
      reply.header('x-name', 'a\nb').header('set-cookie', 'a=b').send('ok'),
    );
    routes.get('/broken-name', async (_request, reply) => reply.header('x name', 'a').send('ok'));
  });

describe('the headers of an answer', () => {
  test.each([
    ['/redirect', 'location', 'https://a.example/%E6%97%A5%E6%9C%AC?q=%C3%BC'],
    ['/link', 'link', '</f%C3%BCr>; rel="next"'],
    ['/link', 'refresh', '0;url=/%C3%BC'],
    ['/file', 'content-disposition', 'attachment; filename="%C3%BC.csv"'],
  ])('are ASCII, whoever has set them: %s %s', async (path, name, value) => {
    expect((await (await app()).inject(path)).headers[name]).toBe(value);
  });

  test.each(['/broken', '/broken-name'])(
    'that can’t be written are a problem document like any other: %s',
    async (path) => {
      const answer = await (await app()).inject(path);
      expect(answer.statusCode).toBe(500);
      expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
      expect(answer.json()).toMatchObject({ code: 'internal' });
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      expect(answer.headers).not.toHaveProperty('set-cookie');
      expect(answer.body).not.toContain('FST_ERR');
    },
  );
});
