import { type Html } from '../../../lib/text/html.ts';
import { BarList } from '../../../platform/ui/components/table.tsx';

interface RankingRow {
  text: string;
  href?: string | undefined;
  /** The length of the bar. */
  value: number;
  /** Cells after the bar. */
  cells: readonly Html[];
}

export interface RankingOptions {
  caption: string;
  /** Heading of the first column. */
  heading: string;
  columns: readonly string[];
  rows: readonly RankingRow[];
  /** Shown instead of a table without rows. */
  empty?: Html;
}

/** A table with bars in the first cells. */
export const ranking = ({ caption, heading, columns, rows, empty }: RankingOptions): Html => (
  <BarList caption={caption} columns={[heading, ...columns]} bars={rows} empty={empty} />
);
