import { html } from '../../lib/html.ts';
import type { SitePage } from '../../platform/pages.ts';

/** For people whose address leads nowhere. */
export const notFoundPage: SitePage = {
  title: 'Page not found',
  isError: true,
  heading: html`<h1>There is no page at this address</h1>`,
  body: html`<p class="lead">It may have been mistyped, or the page has moved.</p>
<ul>
<li><a href="/">First page</a></li>
<li><a href="/docs">Documentation</a></li>
<li><a href="/status">Status of the service</a></li>
</ul>`,
};
