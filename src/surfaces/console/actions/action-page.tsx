import { z } from 'zod';
import { consolePath } from '../../../lib/site-paths.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { BoundOperation } from '../../../platform/operations/bound.ts';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { Toast } from '../../../platform/ui/components/feedback.tsx';
import { Facts } from '../../../platform/ui/components/table.tsx';
import { ConfirmForm, ConsoleForm } from '../components/console-form.tsx';
import type { ConsolePage } from '../layout.tsx';
import type { ConsolePath } from '../sections.ts';
import { allFields } from '../forms/schema-fields.tsx';
import { labelOf, memberHtml } from '../resources/entry-values.tsx';
import { recordsPath } from '../resources/resource-paths.ts';
import { texts as resourceTexts } from '../resources/texts/en.ts';
import { describedBy, inputOf } from './operation-resource.ts';
import { texts } from './texts/en.ts';
import { textLink } from '../components/navigation.tsx';

type Values = Readonly<Record<string, unknown>>;

/** The page of an operation: `/api/svc/console/actions/approve-entry`. */
export const actionPath = ({ name }: BoundOperation): ConsolePath =>
  `${consolePath}actions/${name.replaceAll('_', '-')}`;

export const isDeletion = ({ operation: { path } }: BoundOperation): boolean =>
  path.startsWith('DELETE ');

/** The form of an operation, filled with `values`. */
function actionForm(bound: BoundOperation, values: Values): Html {
  const input = inputOf(bound);
  const { summary } = bound.operation;
  const entry = Object.keys(values).length === 0 ? {} : { entry: { id: '', ...values } };
  const fields = allFields(input, {
    texts: describedBy(input).texts,
    ...entry,
    idPrefix: 'action',
    rows: 8,
  });
  return isDeletion(bound) ? (
    <ConfirmForm
      id="confirm"
      action={actionPath(bound)}
      open={summary}
      word={texts.word}
      warning={texts.warning}
      submit={summary}
    >
      {fields}
    </ConfirmForm>
  ) : (
    <ConsoleForm action={actionPath(bound)} submit={{ label: summary }}>
      {fields}
    </ConsoleForm>
  );
}

/** A page with the form of an operation. `values` fill it in. */
export const actionPage = (bound: BoundOperation, values: Values): ConsolePage => ({
  section: 'records',
  title: bound.operation.summary,
  breadcrumbs: [{ href: recordsPath, text: resourceTexts.index.title }],
  body: (
    <Card id="action" title={bound.operation.summary}>
      <p>{escapeHtml(bound.operation.description ?? '')}</p>
      {actionForm(bound, values)}
    </Card>
  ),
});

function resultFacts({ operation: { output } }: BoundOperation, result: Values): Html | undefined {
  if (!(output instanceof z.ZodObject)) return undefined;
  const described = describedBy(output);
  return (
    <Facts
      facts={Object.keys(output.shape).map((member) => ({
        name: labelOf(described, member),
        value: memberHtml(described, result, member),
      }))}
    />
  );
}

/** The page that a form leads to: what the operation returned. */
export const resultPage = (bound: BoundOperation, result: Values): ConsolePage => ({
  section: 'records',
  title: bound.operation.summary,
  breadcrumbs: [{ href: recordsPath, text: resourceTexts.index.title }],
  notice: <Toast text={texts.noResult} />,
  body: (
    <Card
      id="result"
      title={texts.result}
      actions={<Button label={texts.again} href={actionPath(bound)} size="small" />}
    >
      {resultFacts(bound, result)}
    </Card>
  ),
});

/** The list of operations, for the page of all records. */
export const actionList = (operations: readonly BoundOperation[]): Html => (
  <Card id="actions" title={texts.title}>
    <p>{escapeHtml(texts.lead)}</p>
    <ul>
      {operations.map((bound) => (
        <li>{textLink(actionPath(bound), bound.operation.summary)}</li>
      ))}
    </ul>
  </Card>
);
