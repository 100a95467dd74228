import { type Html } from '../../../lib/text/html.ts';
import type { ConsolePage } from '../layout.tsx';
import { emptyState } from '../components/elements.tsx';
import { field, postForm } from '../components/forms.tsx';
import { texts } from './texts/en.ts';
import { analyticsPath } from './view-params.ts';

const registerForm = (): Html =>
  postForm({
    action: `${analyticsPath}/site/register`,
    inputs: field({
      id: 'new-site',
      name: 'name',
      label: texts.noSites.name,
      hint: texts.noSites.nameHint,
      maxLength: 64,
      attributes: { required: true },
    }),
    button: texts.noSites.add,
    kind: 'first',
  });

/** The page shown while there is no site: how to begin. */
export function noSitesPage(origin: string, isAdmin: boolean): ConsolePage {
  const snippet = emptyState({
    text: texts.noSites.example,
    call: `<script defer src="${origin}/svc.min.js" data-site="example.com"></script>`,
    link: { href: '/install', text: texts.noSites.otherWays },
  });
  return {
    section: 'analytics',
    title: texts.noSites.title,
    every: 3,
    body: (
      <section class="panel" aria-labelledby="begin-title">
        <h2 id="begin-title" safe>
          {texts.noSites.heading}
        </h2>
        {isAdmin ? registerForm() : undefined}
        <p safe>{isAdmin ? texts.noSites.script : texts.noSites.scriptOnly}</p>
        {snippet}
        <div id="begin" data-live>
          <p class="hint" safe>
            {texts.noSites.waiting}
          </p>
        </div>
      </section>
    ),
  };
}
