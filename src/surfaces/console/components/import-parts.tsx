import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { formatList } from '../../../platform/i18n/lists.ts';
import { formatNumber } from '../../../platform/i18n/numbers.ts';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { FileDrop } from '../../../platform/ui/components/file-drop.tsx';
import { TextField } from '../../../platform/ui/components/form.tsx';
import { Disclosure } from '../../../platform/ui/components/overlay.tsx';
import { type Column, Table } from '../../../platform/ui/components/table.tsx';
import { type ImportedRow, toCell } from '../../../platform/resource/entry-csv.ts';
import { texts } from '../texts/en.ts';

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

export interface ImportColumns {
  /** Without these, nothing can be imported. */
  required: readonly string[];
  /** At least one of these is needed in each row. */
  oneOf?: readonly string[];
  /** Those that may be left out. */
  optional: readonly string[];
  /** Which of them are lists. */
  lists: readonly string[];
  examplePath: string;
}

const nameList = (names: readonly string[], { lists }: ImportColumns): Html => (
  <ul class="import-columns">
    {names.map((name) => (
      <li>
        <code safe>{name}</code>
        {lists.includes(name) && <span class="hint">{escapeHtml(words.list)}</span>}
      </li>
    ))}
  </ul>
);

/** What a file has to look like, with an example of one. */
export const columnsCard = ({ oneOf = [], ...columns }: ImportColumns, maxRows: number): Html => (
  <Card id="columns" title={words.columns}>
    <p safe>{words.lead({ rows: formatNumber(maxRows) })}</p>
    {columns.required.length > 0 && (
      <>
        <p class="copy-label">{escapeHtml(words.required)}</p>
        {nameList(columns.required, columns)}
      </>
    )}
    {oneOf.length > 0 && <p safe>{words.oneOf({ columns: formatList(oneOf, { or: true }) })}</p>}
    {columns.optional.length > 0 && (
      <Disclosure id="more-columns" summary={words.optional({ count: columns.optional.length })}>
        {nameList(columns.optional, columns)}
      </Disclosure>
    )}
    <Button label={words.example} icon="download" size="small" href={columns.examplePath} />
  </Card>
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
