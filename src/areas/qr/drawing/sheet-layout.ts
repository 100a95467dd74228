import { z } from 'zod';

const papers = ['a4', 'letter'] as const;
const sheetLayouts = ['l7160', '5160', 'grid'] as const;

/** The most codes on the sheets of one document. */
export const maxSheetCodes = 500;

const sheetMembers = {
  paper: z
    .enum(papers)
    .describe('Size of the paper.')
    .meta({ examples: ['a4'] }),
  layout: z
    .enum(sheetLayouts)
    .describe(
      '`l7160`: 21 labels of 63.5 × 38.1 mm on A4. `5160`: 30 labels of 2⅝ × 1 inches on Letter. ' +
        '`grid`: the number of columns in `columns`.',
    )
    .meta({ examples: ['l7160'] }),
  columns: z
    .int()
    .min(1)
    .max(8)
    .describe('Columns of the layout `grid`, 1 to 8. Other layouts ignore it.')
    .meta({ examples: [3] }),
};

const paperOfLabels = { l7160: 'a4', 5160: 'letter' } as const;

interface PaperAndLayout {
  paper: (typeof papers)[number];
  layout: (typeof sheetLayouts)[number];
}

/** Whether the labels come on this paper. */
export const fitsPaper = ({ paper, layout }: PaperAndLayout): boolean =>
  layout === 'grid' || paperOfLabels[layout] === paper;
export const wrongPaper = {
  path: ['paper'],
  message: 'must be `a4` for the labels `l7160`, and `letter` for `5160`',
};

/** How codes are printed on sheets. */
export const SheetOptions = z
  .object({
    paper: sheetMembers.paper.default('a4'),
    layout: sheetMembers.layout.default('grid'),
    columns: sheetMembers.columns.default(3),
  })
  .refine(fitsPaper, wrongPaper)
  .meta({ id: 'QrSheetOptions', examples: [{ paper: 'a4', layout: 'l7160' }] });
export type SheetOptions = z.output<typeof SheetOptions>;

/** Cells of a page, in millimeters. */
export interface SheetLayout {
  columns: number;
  rows: number;
  left: number;
  top: number;
  /** Distances between the left and between the top edges of neighbors. */
  pitchX: number;
  pitchY: number;
  width: number;
  height: number;
}

const inch = 25.4;
const gridMargin = 12;
/** Height of the two lines below a code, relative to the width of its cell. */
const captionShare = 0.2;

const labels: Record<keyof typeof paperOfLabels, SheetLayout> = {
  l7160: {
    columns: 3,
    rows: 7,
    left: 7.21,
    top: 15.15,
    pitchX: 66.04,
    pitchY: 38.1,
    width: 63.5,
    height: 38.1,
  },
  5160: {
    columns: 3,
    rows: 10,
    left: 0.1875 * inch,
    top: 0.5 * inch,
    pitchX: 2.75 * inch,
    pitchY: inch,
    width: 2.625 * inch,
    height: inch,
  },
};

/** Width and height of the papers, in millimeters. */
export const paperSizes: Record<SheetOptions['paper'], { width: number; height: number }> = {
  a4: { width: 210, height: 297 },
  letter: { width: 8.5 * inch, height: 11 * inch },
};

/** Returns where the cells of a page are. */
export function layoutOf({ paper, layout, columns }: SheetOptions): SheetLayout {
  if (layout !== 'grid') return labels[layout];
  const { width, height } = paperSizes[paper];
  const cell = (width - 2 * gridMargin) / columns;
  const pitchY = cell * (1 + captionShare);
  return {
    columns,
    rows: Math.floor((height - 2 * gridMargin) / pitchY),
    left: gridMargin,
    top: gridMargin,
    pitchX: cell,
    pitchY,
    width: cell,
    height: pitchY,
  };
}
