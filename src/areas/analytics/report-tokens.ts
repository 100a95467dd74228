import { createHmac } from 'node:crypto';
import { equalSecrets } from '../../lib/secrets.ts';

const form = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.([\w-]{43})$/;

/** What ends a report: `id.proof`, where the proof is an HMAC-SHA-256 that is made again whenever it is needed. */
export function createReportTokens(key: Buffer) {
  const proof = (id: string) => createHmac('sha256', key).update(id).digest('base64url');
  return {
    write: (id: string): string => `${id}.${proof(id)}`,
    /** The report's id; undefined for what was not written here. */
    read(token: string): string | undefined {
      const [, id, shown] = form.exec(token) ?? [];
      return id !== undefined && shown !== undefined && equalSecrets(shown, proof(id)) ? id : undefined;
    },
  };
}
