import { type Html } from '../../../lib/text/html.ts';
import { chartHeight, chartWidth, percentOf, type Scale } from './chart-scale.ts';
import type { Tick } from './chart-ticks.ts';

/** Room for labels where all are shown, and in the narrowest chart; in pixels. */
const [wideRoom, narrowRoom] = [420, 220];
/** Width of a character in labels and the gap between two labels, in pixels. */
const [characterWidth, gap] = [7, 8];

/** The `text-anchor` of a label, which keeps labels at the edges within the chart. */
const anchorOf = (share: number): 'start' | 'middle' | 'end' =>
  share < 0.04 ? 'start' : share > 0.96 ? 'end' : 'middle';

interface Label {
  text: string;
  /** Of the chart's width. */
  share: number;
}

/** Start and end of a label in a chart of that width, in pixels. */
function extentOf({ text, share }: Label, width: number): { from: number; to: number } {
  const length = text.length * characterWidth;
  const offset = { start: 0, middle: length / 2, end: length }[anchorOf(share)];
  const from = share * width - offset;
  return { from, to: from + length };
}

/** Which labels are shown: one of every `stride`, from `first` on. */
interface Part {
  first: number;
  stride: number;
}

const isIn = (at: number, { first, stride }: Part): boolean => at % stride === first;

/** Whether no two labels overlap, or say the same: `12:00` without the day between. */
function fits(labels: readonly Label[], width: number): boolean {
  const extents = labels.map((each) => extentOf(each, width));
  return labels.every(
    ({ text }, at) =>
      at === 0 ||
      (text !== labels[at - 1]?.text &&
        (extents[at]?.from ?? 0) >= (extents[at - 1]?.to ?? 0) + gap),
  );
}

/** As many labels as can be shown in a chart of that width. */
function partIn(labels: readonly Label[], width: number): Part {
  for (let stride = 1; stride < labels.length; stride += 1)
    for (let first = 0; first < stride; first += 1) {
      const part = { first, stride };
      if (
        fits(
          labels.filter((_, at) => isIn(at, part)),
          width,
        )
      )
        return part;
    }
  return { first: 0, stride: Math.max(1, labels.length) };
}

/**
 * The labels below a chart, each below its step. Positions are percentages, so that the text keeps
 * its size at any width. Labels that would overlap are left out, in narrow charts more of them.
 */
export function stepAxis(ticks: readonly Tick[], { x }: Scale): Html {
  const all = ticks.map(({ step, text }) => ({ text, at: x(step), share: x(step) / chartWidth }));
  const wide = partIn(all, wideRoom);
  const labels = all.filter((_, at) => isIn(at, wide));
  const narrow = partIn(labels, narrowRoom);
  const texts = labels.map(({ text, at, share }, order) => {
    const label = {
      class: isIn(order, narrow) ? undefined : 'wide',
      x: percentOf(at, chartWidth),
      y: 12,
      'text-anchor': anchorOf(share),
    };
    return (
      <text {...label} safe>
        {text}
      </text>
    );
  });
  return (
    <svg class="steps" aria-hidden="true">
      {texts}
    </svg>
  );
}

/** The labels left of a chart, each at the height of its value. It is as wide as the longest. */
export function valueLabels(
  ticks: readonly number[],
  { y }: Scale,
  format: (value: number) => string,
): Html {
  const labels = ticks.map((value) => ({ text: format(value), at: y(value) }));
  const longest = Math.max(...labels.map(({ text }) => text.length));
  return (
    <svg class="scale" width={longest * characterWidth + 2} aria-hidden="true">
      {labels.map(({ text, at }) => (
        <text x="100%" y={percentOf(at, chartHeight)} safe>
          {text}
        </text>
      ))}
    </svg>
  );
}
