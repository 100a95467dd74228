import { escapeHtml } from '../../../lib/text/html.ts';
import { Card } from '../../../platform/ui/components/card.tsx';
import { Field } from '../../../platform/ui/components/form.tsx';
import { Disclosure } from '../../../platform/ui/components/overlay.tsx';
import { ConsoleForm } from '../components/console-form.tsx';
import { textLink } from '../components/navigation.tsx';
import type { ConsolePage } from '../layout.tsx';
import { sectionPath } from '../sections.ts';
import { texts as shared } from '../texts/en.ts';
import { jobNumber, kindName } from './job-names.ts';
import { type JobsQuery, jobsUrl } from './jobs-url.ts';
import { texts } from './texts/en.ts';

const home = sectionPath('jobs');

export interface CancelView {
  query: JobsQuery;
  ids: readonly string[];
}

/** Asks for confirmation before jobs are removed. */
export function cancelPage({ query, ids }: CancelView): ConsolePage {
  const number = String(ids.length);
  const page = texts.cancelJobs;
  const isFailed = query.state === 'failed';
  const title = isFailed ? page.removeTitle : page.cancelTitle;
  const button = isFailed ? page.remove : page.cancel;
  return {
    section: 'jobs',
    title: title({ count: ids.length }),
    actions: textLink(jobsUrl(query), page.back),
    body: (
      <Card id="cancel" title={page.confirm}>
        <ConsoleForm
          action={`${home}/cancel`}
          values={{ state: query.state, name: query.name, 'job[]': ids }}
          submit={{ label: button({ count: ids.length }), kind: 'danger' }}
        >
          <Field
            id="confirm"
            label={shared.confirm.label({ word: number })}
            hint={page.hint}
            isRequired
            attributes={{ inputmode: 'numeric', pattern: number, title: number }}
          />
        </ConsoleForm>
        <Disclosure summary={page.selected} isOpen={ids.length <= 10}>
          <ul class="notes">
            {ids.map((id) => (
              <li>{escapeHtml(`${kindName(id.split(':', 1).join())}, ${jobNumber(id)}`)}</li>
            ))}
          </ul>
        </Disclosure>
      </Card>
    ),
  };
}
