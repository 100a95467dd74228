import { sql } from 'kysely';
import { z } from 'zod';
import type { RequestActor } from '../../../platform/http/requests/request-actor.ts';
import type { QrParts } from '../compose.ts';
import { qrErrors } from '../errors.ts';
import { type QrCodeView, TargetRule } from '../schemas.ts';
import type { FormerTargetView } from './schemas.ts';
import type { Codes } from './service.ts';

const Rules = z.array(TargetRule);
const maxListed = 100;

/** The targets that codes had, and the way back to them. */
export function createFormerTargets({ db, codes }: QrParts & { codes: Codes }) {
  return { list, restore };

  /** The last hundred, newest first. Throws `qr.not_found`, `qr.not_dynamic`. */
  async function list(id: string): Promise<FormerTargetView[]> {
    await requireDynamic(id);
    return (await select(id, maxListed)).map((row) => ({
      id: row.id,
      url: row.url,
      rules: Rules.parse(row.rules),
      replaced_at: row.replaced_at.toISOString(),
    }));
  }

  /**
   * Makes a former target the present one again; without `targetId`, the last one. Returns the
   * code. Throws `qr.not_found`, `qr.not_dynamic`, `qr.target_not_found`.
   */
  async function restore(
    id: string,
    targetId: string | undefined,
    by: RequestActor,
  ): Promise<QrCodeView> {
    await requireDynamic(id);
    const [former] = await select(id, 1, targetId);
    if (former === undefined) throw qrErrors.target_not_found();
    return codes.update(id, { url: former.url, rules: Rules.parse(former.rules) }, by);
  }

  async function requireDynamic(id: string): Promise<void> {
    if (!(await codes.get(id)).dynamic) throw qrErrors.not_dynamic();
  }

  function select(codeId: string, limit: number, targetId?: string) {
    const query = db
      .selectFrom('qr_targets')
      .select([sql<string>`id::text`.as('id'), 'url', 'rules', 'replaced_at'])
      .where('code_id', '=', codeId)
      .orderBy('qr_targets.id', 'desc')
      .limit(limit);
    return (targetId === undefined ? query : query.where('id', '=', targetId)).execute();
  }
}
