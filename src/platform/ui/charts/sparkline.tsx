import type { Html } from '../../../lib/text/html.ts';

const width = 96;
const height = 24;
const maxPoints = 32;

export interface SparklineOptions {
  /** Oldest first. Fewer than two values draw nothing. */
  values: readonly number[];
  /** What the line shows, for screen readers. Without it, they skip the line. */
  label?: string | undefined;
}

/** At most so many values: neighbours become their mean. */
function thinned(values: readonly number[]): number[] {
  const size = Math.ceil(values.length / maxPoints);
  return Array.from({ length: Math.ceil(values.length / size) }, (_, at) => {
    const part = values.slice(at * size, (at + 1) * size);
    return part.reduce((sum, value) => sum + value, 0) / part.length;
  });
}

/** A line without axes, from zero to the largest value. It stretches to the width it is given. */
export function Sparkline({ values, label }: SparklineOptions): Html {
  if (values.length < 2) return <></>;
  const shown = thinned(values);
  const max = Math.max(...shown) || 1;
  const points = shown.map((value, at) => {
    const x = Math.round((at * width) / (shown.length - 1));
    return `${x} ${Math.round(height - 1 - (value * (height - 2)) / max)}`;
  });
  const role =
    label === undefined ? { 'aria-hidden': 'true' } : { role: 'img', 'aria-label': label };
  return (
    <svg class="sparkline" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" {...role}>
      <path d={`M${points.join('L')}`} />
    </svg>
  );
}
