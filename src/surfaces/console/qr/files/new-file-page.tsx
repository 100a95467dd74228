import { importColumnsOf } from '../../../../platform/resource/entry-csv.ts';
import { maxBatchRows } from '../../../../areas/qr/batches/schemas.ts';
import { QrCodeBody } from '../../../../areas/qr/schemas.ts';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { formatNumber } from '../../../../platform/i18n/numbers.ts';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { Field, SelectField, TextField } from '../../../../platform/ui/components/form.tsx';
import { ConsoleForm } from '../../components/console-form.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { texts } from '../texts/en.ts';
import { exampleFilePath, filesPath } from './file-paths.ts';
import { qrBreadcrumbs } from '../qr-paths.ts';

export interface NewFileView {
  /** The codes whose style the new ones may have. */
  styled: readonly { id: string; name: string; code: string }[];
  styleOf: string | undefined;
}

const words = texts.newFile;

/** The maximum length of a file in the form, in characters: 5,000 rows of 500. */
export const maxFileLength = 2_500_000;

const columnList = (): Html => (
  <p>
    {escapeHtml(words.needed)}{' '}
    {importColumnsOf(QrCodeBody).map((name) => (
      <>
        <code safe>{name}</code>{' '}
      </>
    ))}
  </p>
);

/** The script shows the field for a file, whose text and name it puts into the other fields. */
const fileField = (): Html => (
  <div hidden>
    <Field
      id="file"
      label={words.file}
      type="file"
      attributes={{
        accept: '.csv,text/csv',
        name: undefined,
        'data-fills': 'rows',
        'data-names': 'name',
      }}
    />
  </div>
);

const styleField = ({ styled, styleOf }: NewFileView): Html => (
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

/** A form to create codes: from a file, where scripts run, or pasted. */
export const newFilePage = (view: NewFileView): ConsolePage => ({
  section: 'qr',
  title: words.title,
  breadcrumbs: [...qrBreadcrumbs, { href: filesPath, text: texts.files.title }],
  body: (
    <Card
      id="new-file"
      title={texts.files.columns.name}
      actions={<Button label={words.example} icon="download" size="small" href={exampleFilePath} />}
    >
      <p safe>{words.lead({ rows: formatNumber(maxBatchRows) })}</p>
      {columnList()}
      <ConsoleForm action={filesPath} submit={{ label: words.submit }}>
        {fileField()}
        <TextField
          id="rows"
          label={words.rows}
          hint={words.rowsHint}
          rows={10}
          maxLength={maxFileLength}
          isRequired
          attributes={{ spellcheck: 'false' }}
        />
        <Field id="name" label={words.name} hint={words.nameHint} />
        {styleField(view)}
      </ConsoleForm>
    </Card>
  ),
});
