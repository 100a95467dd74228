import { type Html } from '../../../lib/text/html.ts';
import { chartWidth, type Scale } from './chart-scale.ts';
import type { Tick } from './chart-ticks.ts';

/** Width of the narrowest chart and of a character in labels, in pixels. */
const [narrowestWidth, characterWidth] = [240, 7.5];

/** The `text-anchor` of a label, which keeps labels at the edges within the chart. */
const anchorOf = (share: number): 'start' | 'middle' | 'end' =>
  share < 0.04 ? 'start' : share > 0.96 ? 'end' : 'middle';

/** Start and end of a label in the narrowest chart, in pixels. */
function extentOf(text: string, share: number): { from: number; to: number } {
  const length = text.length * characterWidth;
  const offset = { start: 0, middle: length / 2, end: length }[anchorOf(share)];
  const from = share * narrowestWidth - offset;
  return { from, to: from + length };
}

/**
 * The labels below a chart, each below its step. Positions are percentages, so that the text keeps
 * its size at any width. If labels would overlap in a narrow chart, every second one is shown only
 * in wide charts.
 */
export function axis(ticks: readonly Tick[], { x, round }: Scale): Html {
  const labels = ticks.map(({ step, text }) => {
    const share = x(step) / chartWidth;
    return { text, share, ...extentOf(text, share) };
  });
  const overlaps = labels.some(({ from }, at) => from < (labels[at - 1]?.to ?? -Infinity));
  const texts = labels.map(({ text, share }, at) => {
    const label = {
      class: overlaps && at % 2 === 1 ? 'wide' : undefined,
      x: `${round(100 * share)}%`,
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
