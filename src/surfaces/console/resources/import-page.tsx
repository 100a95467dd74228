import { z } from 'zod';
import { capitalized } from '../../../lib/text/case.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { formatNumber } from '../../../platform/i18n/numbers.ts';
import type { BatchView } from '../../../platform/resource/batch.ts';
import { importColumnsOf, maxImportRows } from '../../../platform/resource/entry-csv.ts';
import type { Resource } from '../../../platform/resource/resource.ts';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { Field, TextField } from '../../../platform/ui/components/form.tsx';
import { Table } from '../../../platform/ui/components/table.tsx';
import { unwrapSchema } from '../../../platform/validation/zod-inspection.ts';
import { ConsoleForm } from '../components/console-form.tsx';
import type { ConsolePage } from '../layout.tsx';
import { importPath, resourcePath, sectionOf } from './resource-paths.ts';
import { texts } from './texts/en.ts';

const words = texts.import;

/** The maximum length of an import, in characters: 2,000 rows of 500. */
export const maxImportLength = 1_000_000;

const frame = (resource: Resource): Omit<ConsolePage, 'body'> => ({
  section: sectionOf(resource),
  title: words.title(resource.texts),
  breadcrumbs: [{ href: resourcePath(resource), text: capitalized(resource.texts.many) }],
});

function columnItem(body: z.ZodObject, name: string): Html {
  const shape: Readonly<Record<string, z.core.$ZodType>> = body.shape;
  const schema = shape[name];
  const notes = [
    schema !== undefined && !z.safeParse(schema, undefined).success ? words.required : [],
    schema !== undefined && unwrapSchema(schema) instanceof z.ZodArray ? words.lists : [],
  ].flat();
  return (
    <li>
      <code safe>{name}</code>
      {escapeHtml(notes.length === 0 ? '' : ` (${notes.join(', ')})`)}
    </li>
  );
}

/** A page to import entries: from a file, where scripts run, or pasted. */
export const importPage = (resource: Resource, body: z.ZodObject): ConsolePage => ({
  ...frame(resource),
  body: (
    <Card id="import" title={words.title(resource.texts)}>
      <p safe>{words.lead({ rows: formatNumber(maxImportRows) })}</p>
      <p safe>{words.columns}</p>
      <ul>{importColumnsOf(body).map((name) => columnItem(body, name))}</ul>
      <ConsoleForm action={importPath(resource)} submit={{ label: words.submit }}>
        <div hidden>
          <Field
            id="file"
            label={words.file}
            type="file"
            attributes={{ accept: '.csv,text/csv', name: undefined, 'data-fills': 'rows' }}
          />
        </div>
        <TextField
          id="rows"
          label={words.rows}
          hint={words.rowsHint}
          rows={12}
          maxLength={maxImportLength}
          isRequired
          attributes={{ spellcheck: 'false' }}
        />
      </ConsoleForm>
    </Card>
  ),
});

/** The page that an import leads to: how many entries were added, and which rows were skipped. */
export function importResultPage(
  resource: Resource,
  { succeeded, failed }: BatchView,
): ConsolePage {
  const skipped = words.skipped({ count: formatNumber(failed.length) });
  return {
    ...frame(resource),
    actions: (
      <>
        <Button label={words.again} href={importPath(resource)} />
        <Button label={words.back(resource.texts)} href={resourcePath(resource)} kind="primary" />
      </>
    ),
    body: (
      <>
        <p safe>{words.result({ count: formatNumber(succeeded) })}</p>
        {failed.length > 0 && (
          <Card id="skipped" title={skipped}>
            <Table
              caption={skipped}
              columns={[
                { title: words.line, cell: ({ line }) => escapeHtml(String(line ?? '–')) },
                { title: words.reason, cell: ({ detail }) => escapeHtml(detail) },
              ]}
              rows={failed}
              rowId={({ line }) => `line-${line ?? 0}`}
            />
          </Card>
        )}
      </>
    ),
  };
}
