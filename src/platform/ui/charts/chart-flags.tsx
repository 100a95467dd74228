import { type Html } from '../../../lib/text/html.ts';
import { chartHeight, chartWidth, percentOf, type Scale } from './chart-scale.ts';

/** A text that belongs to a step, such as a launch. */
export interface Mark {
  step: number;
  text: string;
}

const maxLength = 32;
/** Width of a chart that texts are laid out for, and of a character; in pixels. */
const [room, characterWidth, flagWidth] = [640, 6.5, 18];

const shortened = (text: string): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).trimEnd()}…`;

interface Flag {
  at: number;
  text: string;
  isLeft: boolean;
  hasText: boolean;
}

/** The flags of a chart. A text that would run into the next flag is left out. */
function flagsOf(marks: readonly Mark[], { x }: Scale): Flag[] {
  const places = marks.map(({ step }) => (x(step) / chartWidth) * room);
  let taken = -Infinity;
  return marks.map(({ step, text: whole }, order) => {
    const text = shortened(whole);
    const place = places[order] ?? 0;
    const length = text.length * characterWidth + flagWidth;
    const isLeft = place + length > room;
    const next = places[order + 1] ?? Infinity;
    const hasText = isLeft ? place - length >= taken : place + length <= next;
    taken = Math.max(place + flagWidth, isLeft || !hasText ? 0 : place + length);
    return { at: x(step), text, isLeft, hasText };
  });
}

/** Hairlines in the plot at the steps of marks. */
export const markLines = (marks: readonly Mark[], { x }: Scale): Html[] =>
  marks.map(({ step }) => (
    <line {...{ class: 'mark', x1: x(step), x2: x(step), y1: 0, y2: chartHeight }} />
  ));

/** Marks below the axis: a flag each, with its text where there is room. */
export function flags(marks: readonly Mark[], scale: Scale): Html | undefined {
  if (marks.length === 0) return undefined;
  return (
    <svg class="flags" aria-hidden="true">
      {flagsOf(marks, scale).map(({ at, text, isLeft, hasText }) => (
        <svg x={percentOf(at, chartWidth)} class="chart-flag">
          <path d="M0 15V2h9L7 5.5 9 9H0" />
          {hasText && (
            <text {...{ x: isLeft ? -6 : 14, y: 12, 'text-anchor': isLeft ? 'end' : 'start' }} safe>
              {text}
            </text>
          )}
        </svg>
      ))}
    </svg>
  );
}
