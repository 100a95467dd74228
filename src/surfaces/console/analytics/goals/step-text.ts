import { readablePath } from '../../../../lib/text/readable-path.ts';
import { texts } from '../texts/en.ts';
import { formatFilter } from '../view-controls.tsx';

const words = texts.goals;

interface Step {
  kind: string;
  value: string;
  filters: readonly string[];
}

/** A step in words: `Page /orders/*, Plan is pro`. */
export const stepText = ({ kind, value, filters }: Step): string =>
  words.step({
    kind: kind === 'page' ? words.stepKinds.page : words.stepKinds.event,
    value: kind === 'page' ? readablePath(value) : value,
    filters: filters.map(formatFilter),
  });
