import { escapeHtml, type Html } from '../../lib/text/html.ts';
import { rich } from '../../lib/text/rich.ts';
import { Button } from '../../platform/ui/components/button.tsx';
import { Banner } from '../../platform/ui/components/feedback.tsx';
import { Form } from '../../platform/ui/components/form.tsx';
import type { Page } from '../../platform/ui/pages.tsx';
import { Time } from '../../platform/ui/time.tsx';
import type { AccountView } from './account.ts';
import { buttonForm, cancelLink } from './fields.tsx';
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

/** A copy of your own data. */
export const dataPart = (view: AccountView): Html => (
  <>
    <h2 safe>{texts.data.title}</h2>
    {exportState(view)}
  </>
);

/** Says at the top of the page that the account will be deleted. */
export function deletionBanner({ profile: { deletion_due_at: due } }: AccountView): Html {
  if (due === null) return <></>;
  const { deletion } = texts;
  const content = <>{rich(deletion.due, { date: () => <Time at={due} /> })}</>;
  return (
    <Banner
      text={deletion.title}
      content={content}
      tone="warn"
      action={buttonForm('/account/keep', deletion.keep)}
    />
  );
}

/** Leads to the page that deletes the account. Empty while it is to be deleted. */
export function deletionPart({ profile }: AccountView): Html {
  if (profile.deletion_due_at !== null) return <></>;
  const { deletion } = texts;
  return (
    <>
      <h2 safe>{deletion.title}</h2>
      <p safe>{deletion.text}</p>
      <Button label={deletion.open} icon="trash" href="/account/delete" />
    </>
  );
}

/** Says what happens, and asks whether the account is to be deleted. */
export function confirmDeletionPage({ isLastAdmin = false } = {}): Page {
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
      <Form action="/account/delete" submit={{ label: text.confirm, kind: 'danger' }} />
      {cancelLink(text.cancel)}
    </>
  );
  return { title: text.title, isError: isLastAdmin, body };
}
