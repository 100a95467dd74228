import type { z } from 'zod';
import { escapeHtml } from '../../../lib/text/html.ts';
import { formatNumber } from '../../../platform/i18n/numbers.ts';
import type { BatchView } from '../../../platform/resource/batch.ts';
import { type ImportedRow, maxImportRows } from '../../../platform/resource/entry-csv.ts';
import type { Resource } from '../../../platform/resource/resource.ts';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { Table } from '../../../platform/ui/components/table.tsx';
import { ConsoleForm } from '../components/console-form.tsx';
import { Points } from '../components/form-about.tsx';
import {
  firstRows,
  formatCard,
  importFields,
  importSteps,
  rulesCard,
} from '../components/import-parts.tsx';
import type { ConsolePage } from '../layout.tsx';
import { importColumns } from './import-columns.ts';
import { aboveEntry } from './resource-links.ts';
import { examplePath, importPath, resourcePath, sectionOf } from './resource-paths.ts';
import { texts } from './texts/en.ts';

const words = texts.import;

/** The maximum length of an import, in characters: 2,000 rows of 500. */
export const maxImportLength = 1_000_000;

const frame = (resource: Resource): Omit<ConsolePage, 'body'> => ({
  section: sectionOf(resource),
  title: words.title(resource.texts),
  breadcrumbs: aboveEntry(resource),
});

/** A page to import entries: from a file, where scripts run, or pasted. */
export const importPage = (resource: Resource, body: z.ZodObject): ConsolePage => ({
  ...frame(resource),
  body: (
    <>
      {importSteps(0)}
      <div class="columns">
        <Card id="import" title={words.choose}>
          <ConsoleForm
            action={importPath(resource)}
            submit={{ label: words.check }}
            cancel={resourcePath(resource)}
          >
            {importFields({ maxLength: maxImportLength })}
          </ConsoleForm>
        </Card>
        {rulesCard(maxImportRows, resource.texts.points?.import)}
      </div>
      {formatCard({
        columns: importColumns(body, resource),
        examplePath: examplePath(resource),
      })}
    </>
  ),
});

/** The first rows of a file, and the button that imports all of them. */
export const importPreviewPage = (
  resource: Resource,
  { text, rows }: { text: string; rows: readonly ImportedRow[] },
): ConsolePage => ({
  ...frame(resource),
  body: (
    <>
      {importSteps(1)}
      <Card id="preview" title={words.checked({ count: rows.length })}>
        {firstRows(rows)}
        <Points items={resource.texts.points?.import ?? [words.existing]} />
        <ConsoleForm
          action={importPath(resource)}
          values={{ rows: text, confirmed: 'yes' }}
          submit={{ label: words.submit({ count: rows.length }) }}
          otherButtons={<Button label={words.cancel} href={importPath(resource)} />}
        />
      </Card>
    </>
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
        {importSteps(2)}
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
