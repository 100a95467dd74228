import { brandNamed } from '../../support/brand.ts';
import { describe, expect, it } from 'vitest';
import { dataBlock, escapeHtml } from '../../../src/lib/text/html.ts';
import { configurePageScope } from '../../../src/platform/ui/page-scope.ts';
import { createLayout, sendPage } from '../../../src/platform/ui/pages.tsx';
import { requestErrors } from '../../../src/platform/errors/errors.ts';
import { testAssets } from '../../support/app.ts';
import { createTestHttp, withPublicRoutes } from '../../support/http.ts';
import { titleOf } from './support.ts';

describe('markup', () => {
  it('escapes text for elements and attributes', () => {
    const text = `<b a="1" c='2'>&</b>`;
    const escaped = '&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;&lt;/b&gt;';
    expect(escapeHtml(text)).toBe(escaped);
    expect(
      <p title={text} safe>
        {text}
      </p>,
    ).toBe(`<p title="${escaped}">${escaped}</p>`);
  });

  it('closes only what contains something', () => {
    expect(
      <p>
        <br />
        <svg>
          <path d="M0 0" />
        </svg>
      </p>,
    ).toBe('<p><br><svg><path d="M0 0"/></svg></p>');
  });

  it('renders nothing for undefined and false', () => {
    const none: string | undefined = undefined;
    expect(
      <p class={none} hidden={false}>
        {none}
        {7}
      </p>,
    ).toBe('<p>7</p>');
  });

  it('ends no data block early', () => {
    expect(dataBlock('application/json', { text: '</script>' })).toBe(
      '<script type="application/json">{"text":"\\u003c/script>"}</script>',
    );
  });
});

describe('a scope of pages', () => {
  it('shows no detail of a failure, but logs it', async () => {
    const http = createTestHttp();
    const layout = createLayout(brandNamed('A & B'), await testAssets());
    const app = await withPublicRoutes(http, (scope) => {
      configurePageScope(scope, { layout, back: { href: '/', text: 'Back' } });
      scope.get('/fails', { schema: { operationId: 'test.fails' } }, () => {
        throw new Error('secret reason');
      });
      scope.get('/away', { schema: { operationId: 'test.away' } }, () => {
        throw requestErrors.unavailable();
      });
      scope.get('/fine', { schema: { operationId: 'test.fine' } }, (_request, reply) =>
        sendPage(reply, layout({ title: '<Fine>', body: <p>Yes</p> })),
      );
    });
    const fails = await app.inject('/fails');
    expect({
      status: fails.statusCode,
      title: titleOf(fails.body),
      includesSecret: fails.body.includes('secret'),
    }).toEqual({
      status: 500,
      title: 'Error: Something went wrong – A & B',
      includesSecret: false,
    });
    expect(fails.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'content-type': 'text/html; charset=utf-8',
    });
    expect(http.text()).toContain('secret reason');
    const away = await app.inject('/away');
    expect({ status: away.statusCode, 'retry-after': away.headers['retry-after'] }).toEqual({
      status: 503,
      'retry-after': '5',
    });
    expect((await app.inject('/fine')).body).toContain('<h1>&lt;Fine&gt;</h1>');
  });
});
