import type { ImportedRow } from '../../../../platform/resource/entry-csv.ts';
import { maxBatchRows } from '../../../../areas/qr/batches/schemas.ts';
import { QrCodeBody } from '../../../../areas/qr/schemas.ts';
import { texts as areaTexts } from '../../../../areas/qr/texts/en.ts';
import type { Html } from '../../../../lib/text/html.ts';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { Field, SelectField } from '../../../../platform/ui/components/form.tsx';
import { ConsoleForm } from '../../components/console-form.tsx';
import {
  firstRows,
  formatCard,
  importFields,
  importSteps,
  rulesCard,
} from '../../components/import-parts.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { importColumns } from '../../resources/import-columns.ts';
import { texts } from '../texts/en.ts';
import { exampleFilePath, filesPath, newFilePath } from './file-paths.ts';
import { qrBreadcrumbs } from '../qr-paths.ts';

/** Rows that were read and checked, and what else is asked for. */
export interface FilePreview {
  text: string;
  rows: readonly ImportedRow[];
  name: string | undefined;
  /** The codes whose style the new ones may have. */
  styled: readonly { id: string; name: string; code: string }[];
  styleOf: string | undefined;
}

const words = texts.newFile;

/** The maximum length of a file in the form, in characters: 5,000 rows of 500. */
export const maxFileLength = 2_500_000;

const styleField = ({ styled, styleOf }: FilePreview): Html => (
  <SelectField
    id="style_of"
    label={words.style}
    hint={words.styleHint}
    options={[
      ['', words.plain],
      ...styled.map(({ id, name, code }) => [id, `${name} (${code})`] as const),
    ]}
    value={styleOf ?? ''}
  />
);

/** The first rows of a file, what its codes are called and look like, and the button for all. */
export const filePreviewPage = (view: FilePreview): ConsolePage => ({
  section: 'qr',
  title: words.title,
  breadcrumbs: [...qrBreadcrumbs, { href: filesPath, text: texts.files.title }],
  body: (
    <>
      {importSteps(1)}
      <Card id="preview" title={words.ready({ count: view.rows.length })} hint={words.background}>
        {firstRows(view.rows)}
        <ConsoleForm
          action={filesPath}
          values={{ rows: view.text, confirmed: 'yes' }}
          submit={{ label: words.submit({ count: view.rows.length }) }}
          otherButtons={<Button label={words.cancel} href={newFilePath} />}
        >
          <Field id="name" label={words.name} hint={words.nameHint} value={view.name} />
          {styleField(view)}
        </ConsoleForm>
      </Card>
    </>
  ),
});

/** A form to create codes: from a file, where scripts run, or pasted. */
export const newFilePage = ({ styleOf }: Pick<FilePreview, 'styleOf'>): ConsolePage => ({
  section: 'qr',
  title: words.title,
  breadcrumbs: [...qrBreadcrumbs, { href: filesPath, text: texts.files.title }],
  body: (
    <>
      {importSteps(0)}
      <div class="columns">
        <Card id="new-file" title={texts.files.columns.name}>
          <ConsoleForm
            action={filesPath}
            values={{ name: '', style_of: styleOf ?? '' }}
            submit={{ label: words.check }}
            cancel={filesPath}
          >
            {importFields({ maxLength: maxFileLength, names: 'name' })}
          </ConsoleForm>
        </Card>
        {rulesCard(maxBatchRows)}
      </div>
      {formatCard({
        columns: importColumns(QrCodeBody, { texts: areaTexts.codes, required: ['name', 'url'] }),
        examplePath: exampleFilePath,
      })}
    </>
  ),
});
