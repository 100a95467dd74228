import type { WaitlistParts } from './compose.ts';
import { referralPoints } from './referral-rules.ts';
import type { OwnEntryView } from './schemas.ts';
import type { EntryRow } from './store.ts';

/** Creates the function that shows an entry to its person, with its position now. */
export const createOwnView =
  ({ ranking, baseUrl }: WaitlistParts) =>
  async (row: EntryRow): Promise<OwnEntryView> => {
    const { id, status, score, verified_at: verifiedAt } = row;
    const aheadAt = (points: number) =>
      status === 'verified' && verifiedAt !== null
        ? ranking.countAhead({ score: points, verifiedAt, id })
        : null;
    const [waiting, ahead, aheadThen] = await Promise.all([
      ranking.countWaiting(),
      aheadAt(score),
      aheadAt(score + referralPoints),
    ]);
    return {
      id,
      status,
      position: ahead === null ? null : ahead + 1,
      ahead,
      // Whoever is not invited in turn counts at their own place, which the total then holds.
      total: status === 'verified' && row.is_disposable ? waiting + 1 : waiting,
      next_referral_gain: ahead === null || aheadThen === null ? null : ahead - aheadThen,
      referral_code: row.referral_code,
      referral_link: `${baseUrl}/waitlist?ref=${row.referral_code}`,
      amount_referred: row.amount_referred,
      created_at: row.created_at.toISOString(),
    };
  };

/** The first letter of a name: enough for its person, too little for others. */
export const maskedName = (name: string | null): string | null => {
  const [first] = name === null ? [] : new Intl.Segmenter('en').segment(name);
  return first === undefined ? null : `${first.segment}•••`;
};
