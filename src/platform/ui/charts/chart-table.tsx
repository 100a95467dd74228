import { type Html } from '../../../lib/text/html.ts';
import { texts } from './texts/en.ts';

export interface ChartTableOptions {
  caption: string;
  /** The first is that of the steps; the others are of numbers. */
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

const numberClass = (at: number) => ({ class: at === 0 ? undefined : 'number-cell' });

/** The values of a chart. It scrolls on narrow screens, also by keyboard. */
export function chartTable({ caption, columns, rows }: ChartTableOptions): Html {
  const region = { 'aria-label': texts.chart.table({ caption }), tabindex: 0 };
  return (
    <section class="scroll" {...region}>
      <table>
        <caption class="visually-hidden" safe>
          {caption}
        </caption>
        <thead>
          <tr>
            {columns.map((name, at) => (
              <th scope="col" {...numberClass(at)} safe>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([step = '', ...values]) => (
            <tr>
              <th scope="row" safe>
                {step}
              </th>
              {values.map((value) => (
                <td class="number-cell" safe>
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
