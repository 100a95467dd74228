import type { InvitationParts } from './context.ts';
import type { Invitation } from './store.ts';

/** Creates the function that returns the name or else the address of who invited. */
export const createInviterName =
  ({ findUser }: Pick<InvitationParts, 'findUser'>) =>
  async ({ inviter_kind: kind, inviter_id: id }: Invitation): Promise<string | undefined> => {
    const user = kind === 'user' ? await findUser(id) : undefined;
    return user?.name ?? user?.identities.find((each) => each.kind === 'email')?.value;
  };
