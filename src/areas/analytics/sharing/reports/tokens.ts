import { hmacText, parseSignedId, formatSignedId } from '../../../../lib/secrets/signed-ids.ts';
import { equalSecrets } from '../../../../lib/secrets/secrets.ts';

/** Creates and verifies the tokens in unsubscribe links. */
export const createUnsubscribeTokens = (key: Buffer) => ({
  write: (id: string): string => formatSignedId({ id, proof: hmacText(key, id) }),
  /** Returns the id of the report; undefined for an invalid token. */
  read(token: string): string | undefined {
    const parsed = parseSignedId(token);
    return parsed !== undefined && equalSecrets(parsed.proof, hmacText(key, parsed.id))
      ? parsed.id
      : undefined;
  },
});
