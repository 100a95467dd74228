import { formatNumber } from '../../platform/i18n/numbers.ts';

/** A row that did not become a stored event. */
export interface Rejected {
  line: number;
  reason: string;
}

const maxExamples = 20;

/** Counts the results of rows. */
export function createTally() {
  const counts = { accepted: 0, duplicates: 0, repeated: 0, rejected: 0, skipped: 0 };
  const examples: Rejected[] = [];
  const omissions = new Map<string, number>();

  return {
    counts,
    omissions,

    reject(line: number, reason: string): void {
      counts.rejected += 1;
      examples.push({ line, reason });
      if (examples.length > 4 * maxExamples)
        examples.splice(0, examples.length, ...firstOf(examples));
    },

    omit(reason: string): void {
      omissions.set(reason, (omissions.get(reason) ?? 0) + 1);
    },

    /** The first 20 rejected rows by line. */
    examples: (): Rejected[] => firstOf(examples),
  };
}

const firstOf = (rejected: readonly Rejected[]) =>
  [...rejected].sort((a, b) => a.line - b.line).slice(0, maxExamples);

export type Tally = ReturnType<typeof createTally>;

/** `1,234 stored, 5 duplicates, 0 rejected`. */
export function formatCounts({ accepted, duplicates, rejected, skipped }: Tally['counts']): string {
  const left = skipped === 0 ? '' : `, ${formatNumber(skipped)} of other websites left out`;
  return (
    `${formatNumber(accepted)} stored, ${formatNumber(duplicates)} duplicates, ` +
    `${formatNumber(rejected)} rejected${left}`
  );
}
