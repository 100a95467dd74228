import type { Asker } from '../../platform/http/request-origin.ts';
import type { AuditEntry } from '../audit/service.ts';

/** Who does something, and from where: for the audit log. */
export interface By extends Partial<Asker> {
  actor: AuditEntry['actor'];
}

/** The service by itself. */
export const system: By = { actor: { kind: 'system' } };
