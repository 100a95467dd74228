/** Size of a chart in units of its `viewBox`. */
export const [chartWidth, chartHeight] = [1000, 260] as const;

/** Maps steps and values to whole coordinates. `top`: the value at the upper edge. */
export function createScale(steps: number, top: number) {
  const last = steps - 1;
  return {
    x: (step: number) =>
      steps <= 1 ? chartWidth / 2 : Math.round((step * chartWidth) / Math.max(1, last)),
    y: (value: number) => Math.round(chartHeight - (value / top) * chartHeight),
  };
}

export type Scale = ReturnType<typeof createScale>;

/** A coordinate as a percentage of the length of its side, for text that keeps its size. */
export const percentOf = (coordinate: number, side: number): string =>
  `${Math.round((1000 * coordinate) / side) / 10}%`;
