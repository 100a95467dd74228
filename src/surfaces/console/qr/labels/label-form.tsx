import { maxSheetCodes } from '../../../../areas/qr/drawing/sheet-layout.ts';
import type { Content, Html } from '../../../../lib/text/html.ts';
import { formatNumber } from '../../../../platform/i18n/numbers.ts';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { Choices } from '../../../../platform/ui/components/choices.tsx';
import { Field, Form, SelectField } from '../../../../platform/ui/components/form.tsx';
import { qrPath } from '../qr-paths.ts';
import { texts } from '../texts/en.ts';
import { sheetPicture } from './sheet-picture.tsx';

const words = texts.labels;

/** The page of labels, and where sheets are drawn. */
export const labelsPath = `${qrPath}/labels` as const;

/** Papers and layouts that go together. */
export const labelLayouts = {
  l7160: { paper: 'a4', layout: 'l7160', columns: 3 },
  5160: { paper: 'letter', layout: '5160', columns: 3 },
  'grid-a4-3': { paper: 'a4', layout: 'grid', columns: 3 },
  'grid-a4-4': { paper: 'a4', layout: 'grid', columns: 4 },
  'grid-letter-3': { paper: 'letter', layout: 'grid', columns: 3 },
  'grid-letter-4': { paper: 'letter', layout: 'grid', columns: 4 },
} as const;
export const labelLayoutNames = [
  'l7160',
  '5160',
  'grid-a4-3',
  'grid-a4-4',
  'grid-letter-3',
  'grid-letter-4',
] as const;

/** A document has some of the codes; `offset` is how many come before them. */
function partField(codes: number): Html | undefined {
  if (codes <= maxSheetCodes) return undefined;
  const offsets = Array.from(
    { length: Math.ceil(codes / maxSheetCodes) },
    (_, at) => at * maxSheetCodes,
  );
  return (
    <SelectField
      id="offset"
      label={words.part}
      options={offsets.map((offset) => [
        String(offset),
        words.partOf({
          first: formatNumber(offset + 1),
          last: formatNumber(Math.min(codes, offset + maxSheetCodes)),
        }),
      ])}
    />
  );
}

interface LabelForm {
  values?: Readonly<Record<string, string>>;
  /** The fields before the paper. */
  children?: Content;
}

/** A form that downloads a sheet of labels. */
export const labelForm = ({ values = {}, children }: LabelForm): Html => (
  <Form
    action={labelsPath}
    method="get"
    values={values}
    submit={{ label: words.submit, icon: 'download' }}
    note={words.hint}
  >
    {children}
    <Choices
      name="layout"
      legend={words.layout}
      look="cards"
      value="l7160"
      choices={labelLayoutNames.map((name) => ({
        value: name,
        label: words.layouts[name].name,
        hint: words.layouts[name].size,
        face: sheetPicture(labelLayouts[name]),
      }))}
    />
  </Form>
);

/** Labels with the codes of a file. */
export const labelsOfFile = ({ id, codes }: { id: string; codes: number }): Html => (
  <Card id="labels" title={words.title}>
    {labelForm({ values: { batch_id: id }, children: partField(codes) })}
  </Card>
);

/** Labels that all have the same code. */
export const labelsOfCode = (id: string): Html =>
  labelForm({
    values: { id },
    children: (
      <Field
        id="copies"
        label={words.copies}
        type="number"
        value="21"
        isRequired
        attributes={{ min: 1, max: maxSheetCodes }}
      />
    ),
  });
