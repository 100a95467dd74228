import { type Html } from '../../../lib/text/html.ts';
import type { ConsolePage } from '../layout.tsx';
import { emptyState } from '../components/elements.tsx';
import { field, postForm } from '../components/forms.tsx';
import { analyticsPath } from './view-params.ts';

const registerForm = (): Html =>
  postForm({
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
  });

/** The page shown while there is no site: how to begin. */
export function noSitesPage(origin: string, isAdmin: boolean): ConsolePage {
  const snippet = emptyState({
    text: 'For the site example.com:',
    call: `<script defer src="${origin}/svc.min.js" data-site="example.com"></script>`,
    link: { href: '/install', text: 'Other ways: pixel, server, app' },
  });
  return {
    section: 'analytics',
    title: 'Analytics',
    every: 3,
    body: (
      <section class="panel" aria-labelledby="begin-title">
        <h2 id="begin-title">Begin with a site</h2>
        {isAdmin ? registerForm() : undefined}
        <p>
          Or put this line into the head of your pages: the site appears here with its first event,
          by itself.
        </p>
        {snippet}
        <div id="begin" data-live>
          <p class="hint">No site has had an event yet.</p>
        </div>
      </section>
    ),
  };
}
