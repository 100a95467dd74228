/** What is drawn: `whole` things such as people, `number`s with fractions, or `seconds`. */
export type ValueUnit = 'whole' | 'number' | 'seconds';

export interface ValueAxis {
  /** The value at the upper edge: a tick, or just above the highest value. */
  top: number;
  /** From 0 on, lowest first. */
  ticks: readonly number[];
}

/** How far above its highest value a plot may reach. */
const room = 1.1;
const idealTicks = 4.7;

const daySeconds = 86_400;
const secondSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600];

/** Steps of 1, 2, 2.5 and 5. Whole things take those without a fraction. */
function stepsFor(highest: number, unit: ValueUnit): number[] {
  if (unit === 'seconds' && highest <= daySeconds) return secondSteps;
  const power = 10 ** (Math.floor(Math.log10(highest)) - 1);
  const steps = [1, 2, 2.5, 5, 10, 20, 25, 50].map((each) => each * power);
  return unit === 'number' ? steps : steps.filter((step) => Number.isInteger(step));
}

function axisOf(highest: number, step: number): ValueAxis {
  const last = Math.ceil(highest / step);
  const isNear = last * step <= highest * room;
  const count = isNear ? last : last - 1;
  return {
    top: isNear ? last * step : highest * 1.05,
    ticks: Array.from({ length: count + 1 }, (_, at) => Number((at * step).toPrecision(12))),
  };
}

/** An axis from 0 to just above `highest`, with four or five ticks at round values. */
export function valueAxis(highest: number, unit: ValueUnit = 'whole'): ValueAxis {
  if (highest <= 0) return { top: 1, ticks: [0, 1] };
  const distance = ({ ticks }: ValueAxis) => Math.abs(ticks.length - idealTicks);
  const axes = stepsFor(highest, unit).map((step) => axisOf(highest, step));
  return axes.reduce((best, axis) => (distance(axis) < distance(best) ? axis : best));
}
