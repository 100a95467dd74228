import { html } from '../../../lib/text/html.ts';
import type { ConsolePage } from '../layout.ts';
import { emptyState } from '../components/elements.ts';
import { field, postForm } from '../components/forms.ts';
import { analyticsPath } from './view-params.ts';

/** What is shown while there is no site: how to begin. */
export function noSitesPage(origin: string, isAdmin: boolean): ConsolePage {
  const snippet = `<script defer src="${origin}/svc.min.js" data-site="example.com"></script>`;
  const register = isAdmin
    ? postForm({
        action: `${analyticsPath}/site/register`,
        inputs: field({
          id: 'new-site',
          name: 'name',
          label: 'Name of the site',
          hint: 'The host of its pages is a good one.',
          maxLength: 64,
          attributes: { required: true },
        }),
        button: 'Register it and show me the line',
        kind: 'first',
      })
    : undefined;
  return {
    section: 'analytics',
    title: 'Analytics',
    every: 3,
    body: html`<section class="panel" aria-labelledby="begin-title"><h2 id="begin-title">Begin with a site</h2>${register}<p>Or put this line into the head of your pages: the site appears here with its first event, by itself.</p>${emptyState({ text: 'For the site example.com:', call: snippet, link: { href: '/install', text: 'Other ways: pixel, server, app' } })}<div id="begin" data-live><p class="hint">No site has had an event yet.</p></div></section>`,
  };
}
