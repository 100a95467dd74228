import { proofOf, readProvedId, writeProvedId } from '../../../../lib/secrets/proved-ids.ts';
import { equalSecrets } from '../../../../lib/secrets/secrets.ts';

/** What ends a report. */
export const createUnsubscribeTokens = (key: Buffer) => ({
  write: (id: string): string => writeProvedId({ id, proof: proofOf(key, id) }),
  /** The report's id; undefined for what was not written here. */
  read(token: string): string | undefined {
    const shown = readProvedId(token);
    return shown !== undefined && equalSecrets(shown.proof, proofOf(key, shown.id))
      ? shown.id
      : undefined;
  },
});
