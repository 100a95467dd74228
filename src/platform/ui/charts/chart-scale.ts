/** Size of a chart in units of its `viewBox`. */
export const [chartWidth, chartHeight] = [1000, 260] as const;

const round = (value: number): number => Math.round(value * 10) / 10;

/** Maps steps and values to coordinates. `highest`: the value at the top. */
export function createScale(steps: number, highest: number) {
  const stepWidth = steps <= 1 ? 0 : chartWidth / (steps - 1);
  return {
    x: (step: number) => round(steps <= 1 ? chartWidth / 2 : step * stepWidth),
    y: (value: number) => round(chartHeight - (value / highest) * chartHeight),
    /** Half the distance between two steps. */
    half: steps <= 1 ? chartWidth / 2 : stepWidth / 2,
    round,
  };
}

export type Scale = ReturnType<typeof createScale>;
