import { z } from 'zod';
import { CreateInvitationBody } from '../../../../areas/identity/invitations/schemas.ts';
import type { Invitations } from '../../../../areas/identity/invitations/service.ts';
import type { AuditActor } from '../../../../areas/audit/service.ts';
import { emailIdentity, emailKey } from '../../../../lib/identifiers.ts';
import { AppError } from '../../../../platform/errors/errors.ts';
import { texts } from '../texts/en.ts';

/** How many people one form invites. */
const maxInvited = 20;

const { errors } = texts.invitations.invite;

/** Addresses in one text, each once: one a line, or with commas between them. */
function addressesIn(text: string, context: z.RefinementCtx<string>): string[] {
  const all = [...new Set(text.split(/[\s,;]+/).filter((each) => each !== ''))];
  const unique = [...new Map(all.map((each) => [emailKey(each), each])).values()];
  const invalid = unique.filter((each) => emailIdentity(each) === undefined);
  const message =
    unique.length === 0
      ? errors.none
      : unique.length > maxInvited
        ? errors.tooMany({ max: maxInvited })
        : invalid.length > 0
          ? errors.invalid({ addresses: invalid.join(', ') })
          : undefined;
  if (message === undefined) return unique;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}

/** An invitation as the form sends it: to several people. */
export const InviteForm = CreateInvitationBody.omit({ email: true }).extend({
  email: z.string().max(10_000).transform(addressesIn),
});

/** Who was not invited, and why. */
export interface InviteResult {
  sent: number;
  refused: { email: string; detail: string }[];
}

/**
 * Invites people one by one. Throws the error of `create` if it is about the only one; else it is
 * in the result.
 */
export async function inviteAll(
  invitations: Pick<Invitations, 'create'>,
  { email: addresses, ...invitation }: z.output<typeof InviteForm>,
  by: AuditActor,
): Promise<InviteResult> {
  const result: InviteResult = { sent: 0, refused: [] };
  for (const email of addresses) {
    try {
      await invitations.create({ ...invitation, email }, by);
      result.sent += 1;
    } catch (error) {
      if (addresses.length === 1 || !(error instanceof AppError)) throw error;
      result.refused.push({ email, detail: error.message });
    }
  }
  return result;
}
