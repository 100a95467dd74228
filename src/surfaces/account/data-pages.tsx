import { escapeHtml, type Html } from '../../lib/text/html.ts';
import { rich } from '../../lib/text/rich.ts';
import { accountDataPath } from '../../lib/site-paths.ts';
import { Button } from '../../platform/ui/components/button.tsx';
import { Card } from '../../platform/ui/components/card.tsx';
import { Banner } from '../../platform/ui/components/feedback.tsx';
import { Form } from '../../platform/ui/components/form.tsx';
import type { Page } from '../../platform/ui/pages.tsx';
import { Time } from '../../platform/ui/time.tsx';
import type { AccountView } from './account.ts';
import { buttonForm } from './fields.tsx';
import { framed, framedForm } from './framed.tsx';
import { texts } from './texts/en.ts';

const startForm = (): Html => buttonForm('/account/export', texts.data.start);

/** The state of the copy of the data, and what can be done next. */
function exportState({ dataExport }: AccountView): Html {
  const { data } = texts;
  const { state, progress, expires_at: until } = dataExport;
  if (state === 'ready' && until !== null)
    return (
      <>
        <p>{rich(data.ready, { until: () => <Time at={until} /> })}</p>
        <Button label={data.download} icon="download" href="/account/export/file" />
      </>
    );
  if (state === 'queued' || state === 'running')
    return <p safe>{data.running(progress ?? { done: 0, total: 0 })}</p>;
  return (
    <>
      <p safe>{state === 'failed' ? data.failed : data.none}</p>
      {startForm()}
    </>
  );
}

/** The page of the copy of your data and of deleting the account. */
export const dataPage = (view: AccountView, done?: string): Page =>
  framed(view, 'data', done, {
    title: texts.data.title,
    body: (
      <>
        <Card id="copy" title={texts.data.copy}>
          {exportState(view)}
        </Card>
        {deletionPart(view)}
      </>
    ),
  });

/** Leads to the page that deletes the account. Empty while it is to be deleted. */
function deletionPart({ profile }: AccountView): Html {
  if (profile.deletion_due_at !== null) return <></>;
  const { deletion } = texts;
  return (
    <Card id="deletion" title={deletion.title}>
      <p safe>{deletion.text}</p>
      <Button label={deletion.open} icon="trash" href="/account/delete" />
    </Card>
  );
}

/** Says what happens, and asks whether the account is to be deleted. */
export function confirmDeletionPage(view: AccountView, { isLastAdmin = false } = {}): Page {
  const { confirmDeletion: text } = texts;
  const body = (
    <>
      {isLastAdmin ? <Banner text={text.lastAdmin} tone="bad" role="alert" /> : undefined}
      <ul>
        {text.steps.map((step) => (
          <li>{escapeHtml(step)}</li>
        ))}
      </ul>
      {buttonForm('/account/export', text.copyFirst)}
      <Form
        action="/account/delete"
        submit={{ label: text.confirm, kind: 'danger' }}
        cancel={accountDataPath}
      />
    </>
  );
  return framedForm(view, 'data', { title: text.title, isError: isLastAdmin, body });
}
