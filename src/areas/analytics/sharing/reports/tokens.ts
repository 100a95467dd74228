import { hmacText, parseSignedId, formatSignedId } from '../../../../lib/secrets/signed-ids.ts';
import { equalSecrets } from '../../../../lib/secrets/secrets.ts';

/** What ends a report. */
export const createUnsubscribeTokens = (key: Buffer) => ({
  write: (id: string): string => formatSignedId({ id, proof: hmacText(key, id) }),
  /** The report's id; undefined for what was not written here. */
  read(token: string): string | undefined {
    const shown = parseSignedId(token);
    return shown !== undefined && equalSecrets(shown.proof, hmacText(key, shown.id))
      ? shown.id
      : undefined;
  },
});
