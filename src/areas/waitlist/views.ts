import type { RankingStore } from './ranking-store.ts';
import type { OwnEntryView } from './schemas.ts';
import { EntryView } from './schemas.entries.ts';
import type { EntryRow } from './store.ts';

interface OwnViewDeps {
  ranking: Pick<RankingStore, 'countAhead' | 'countByStatus'>;
  baseUrl: string;
}

/** The address that a person shares. */
const referralLink = (baseUrl: string, code: string): string => `${baseUrl}/waitlist?ref=${code}`;

/** Creates the function that shows an entry to its person, with its position now. */
export const createOwnView =
  ({ ranking, baseUrl }: OwnViewDeps) =>
  async (row: EntryRow): Promise<OwnEntryView> => {
    const { id, status, score, verified_at: verifiedAt } = row;
    const [counts, ahead] = await Promise.all([
      ranking.countByStatus(),
      status === 'verified' && verifiedAt !== null
        ? ranking.countAhead({ score, verifiedAt, id })
        : null,
    ]);
    return {
      id,
      status,
      position: ahead === null ? null : ahead + 1,
      ahead,
      total: counts.verified,
      referral_code: row.referral_code,
      referral_link: referralLink(baseUrl, row.referral_code),
      amount_referred: row.amount_referred,
      created_at: row.created_at.toISOString(),
    };
  };

/** An entry for admins. */
export const toEntryView = (row: Readonly<Record<string, unknown>>): EntryView =>
  EntryView.parse(
    Object.fromEntries(
      Object.keys(EntryView.shape).map((name) => {
        const value = row[name];
        return [name, value instanceof Date ? value.toISOString() : value];
      }),
    ),
  );

/** The first letter of a name: enough for its person, too little for others. */
export const maskedName = (name: string | null): string | null => {
  const [first] = name === null ? [] : new Intl.Segmenter('en').segment(name);
  return first === undefined ? null : `${first.segment}•••`;
};
