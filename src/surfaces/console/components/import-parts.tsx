import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { formatNumber } from '../../../platform/i18n/numbers.ts';
import { Badge } from '../../../platform/ui/components/badge.tsx';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { FileDrop } from '../../../platform/ui/components/file-drop.tsx';
import { TextField } from '../../../platform/ui/components/form.tsx';
import { Disclosure } from '../../../platform/ui/components/overlay.tsx';
import { Stepper } from '../../../platform/ui/components/stepper.tsx';
import { type Column, Table } from '../../../platform/ui/components/table.tsx';
import { type ImportedRow, toCell } from '../../../platform/resource/entry-csv.ts';
import type { ImportColumn } from '../resources/import-columns.ts';
import { texts } from '../texts/en.ts';
import { Points } from './form-about.tsx';

const words = texts.imports;

/** How many rows are shown before they are imported. */
const shownRows = 5;

/**
 * Where a CSV file is dropped or chosen, or its rows are pasted. The script shows the place for the
 * file, whose name goes into the field that `names` names.
 */
export const importFields = ({ maxLength, names }: { maxLength: number; names?: string }): Html => (
  <>
    <div hidden>
      <FileDrop
        id="file"
        label={words.drop}
        accept=".csv,text/csv"
        fills="rows"
        {...(names !== undefined && { names })}
      />
    </div>
    <TextField
      id="rows"
      label={words.rows}
      hint={words.rowsHint}
      rows={6}
      maxLength={maxLength}
      attributes={{ spellcheck: 'false' }}
    />
  </>
);

const needTones = { required: 'info', oneOf: 'info', optional: 'neutral' } as const;

const tableColumns: readonly Column<ImportColumn>[] = [
  {
    title: words.column,
    cell: ({ name, label }) => (
      <>
        <code safe>{name}</code>
        {label !== undefined && <span class="hint">{escapeHtml(label)}</span>}
      </>
    ),
  },
  {
    title: words.need,
    cell: ({ need }) => <Badge text={words.needs[need]} tone={needTones[need]} />,
  },
  { title: words.holds, text: ({ about }) => about.join(' ') },
  {
    title: words.exampleValue,
    cell: ({ example }) => (example === '' ? escapeHtml('–') : <code safe>{example}</code>),
  },
];

const columnTable = (columns: readonly ImportColumn[], caption = words.columns): Html => (
  <Table
    caption={caption}
    columns={tableColumns}
    rows={columns}
    rowId={({ name }) => `column-${name}`}
  />
);

export interface FileFormat {
  columns: readonly ImportColumn[];
  examplePath: string;
}

/** More columns that may be left out than this are behind a line that opens. */
const maxOptional = 5;

/** What a file has to look like: each column, what it holds, and an example. */
export function formatCard({ columns, examplePath }: FileFormat): Html {
  const optional = columns.filter(({ need }) => need === 'optional');
  const isLong = optional.length > maxOptional;
  return (
    <Card
      id="columns"
      title={words.columns}
      hint={words.columnsHint}
      actions={<Button label={words.example} icon="download" size="small" href={examplePath} />}
    >
      {columnTable(isLong ? columns.filter(({ need }) => need !== 'optional') : columns)}
      {isLong && (
        <Disclosure id="more-columns" summary={words.optional({ count: optional.length })}>
          {columnTable(optional, words.optional({ count: optional.length }))}
        </Disclosure>
      )}
    </Card>
  );
}

/** What an import does and refuses, in sentences. */
export const rulesCard = (rows: number, points: readonly string[] = []): Html => (
  <Card id="rules" title={words.rules}>
    <Points items={[...points, words.limit({ rows: formatNumber(rows) }), ...words.ruleList]} />
  </Card>
);

/** Which step of an import a page is, from 0 on. */
export const importSteps = (current: 0 | 1 | 2): Html => (
  <Stepper
    label={words.stepsLabel}
    current={current}
    steps={words.steps.map((text) => ({ text }))}
  />
);

/** The first rows of a file as they will be imported, and how many more there are. */
export function firstRows(rows: readonly ImportedRow[]): Html {
  const shown = rows.slice(0, shownRows);
  const names = [...new Set(shown.flatMap(({ values }) => Object.keys(values)))];
  const columns: Column<ImportedRow>[] = names.map((name) => ({
    title: name,
    text: ({ values }) => String(toCell(values[name]) ?? ''),
  }));
  const more = rows.length - shown.length;
  return (
    <>
      <Table
        caption={words.preview}
        columns={columns}
        rows={shown}
        rowId={({ line }) => `row-${line}`}
      />
      {more > 0 && <p class="hint">{escapeHtml(words.more({ count: more }))}</p>}
    </>
  );
}
