import { type Html } from '../../../lib/text/html.ts';
import { scrollRegion } from './tables.tsx';

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

function bar(value: number, longest: number): Html {
  const width = Math.round(((100 * value) / longest) * 10) / 10;
  const rect = <rect width={width} height="1" />;
  return (
    <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      {rect}
    </svg>
  );
}

/** A table with bars in the first cells. */
export function ranking({ caption, heading, columns, rows, empty }: RankingOptions): Html {
  if (empty !== undefined && rows.length === 0) return empty;
  const longest = Math.max(1, ...rows.map(({ value }) => value));
  const headings = columns.map((name) => (
    <th scope="col" class="number-cell" safe>
      {name}
    </th>
  ));
  const items = rows.map(({ text, href, value, cells }) => {
    const name =
      href === undefined ? (
        <span safe>{text}</span>
      ) : (
        <a href={href} safe>
          {text}
        </a>
      );
    const numbers = cells.map((cell) => <td class="number-cell">{cell}</td>);
    return (
      <tr>
        <th scope="row">
          {bar(value, longest)}
          {name}
        </th>
        {numbers}
      </tr>
    );
  });
  return scrollRegion(
    `${caption}, table`,
    <table class="bars">
      <caption class="visually-hidden" safe>
        {caption}
      </caption>
      <thead>
        <tr>
          <th scope="col" safe>
            {heading}
          </th>
          {headings}
        </tr>
      </thead>
      <tbody>{items}</tbody>
    </table>,
  );
}
