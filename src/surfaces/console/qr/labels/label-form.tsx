import { maxSheetCodes } from '../../../../areas/qr/drawing/sheet-layout.ts';
import type { Html } from '../../../../lib/text/html.ts';
import { formatNumber } from '../../../../platform/i18n/numbers.ts';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { Field, Form, SelectField } from '../../../../platform/ui/components/form.tsx';
import { qrPath } from '../qr-view.ts';
import { texts } from '../texts/en.ts';

const words = texts.labels;

/** Papers and layouts that go together. */
export const labelLayouts = {
  l7160: { paper: 'a4', layout: 'l7160' },
  5160: { paper: 'letter', layout: '5160' },
  'grid-a4': { paper: 'a4', layout: 'grid' },
  'grid-letter': { paper: 'letter', layout: 'grid' },
} as const;
export const labelLayoutNames = ['l7160', '5160', 'grid-a4', 'grid-letter'] as const;

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
  values: Readonly<Record<string, string>>;
  /** The field before the others, if there is one. */
  first: Html | undefined;
}

const labelCard = ({ values, first }: LabelForm): Html => (
  <Card id="labels" title={words.title} hint={words.hint}>
    <Form
      action={`${qrPath}/labels`}
      method="get"
      isInline
      values={values}
      submit={{ label: words.submit, icon: 'download', kind: 'secondary' }}
    >
      {first}
      <SelectField
        id="layout"
        label={words.layout}
        options={labelLayoutNames.map((name) => [name, words.layouts[name]])}
      />
      <Field
        id="columns"
        label={words.columns}
        type="number"
        value="3"
        isRequired
        attributes={{ min: 1, max: 8 }}
      />
    </Form>
  </Card>
);

/** Labels with the codes of a file. */
export const labelsOfFile = ({ id, codes }: { id: string; codes: number }): Html =>
  labelCard({ values: { batch_id: id }, first: partField(codes) });

/** Labels that all have the same code. */
export const labelsOfCode = (id: string): Html =>
  labelCard({
    values: { id },
    first: (
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
