import type { Clock } from '../../lib/clock.ts';
import { emailIdentifier } from '../../lib/identifiers.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { truncateAddress } from '../../lib/net/ip.ts';
import { storableText } from '../../lib/text/storable-text.ts';
import type { AppError } from '../../platform/errors/errors.ts';
import type { Principal } from '../../platform/identity/identity.ts';
import { hasScope } from '../../lib/access.ts';
import { RequestValidationError, valueError } from '../../platform/validation/validation-error.ts';
import { contactErrors } from './errors.ts';
import type { FormTimes } from './form-times.ts';
import type { ContactLimits } from './limits.ts';
import type { Proofs, SolvedProof } from './proofs.ts';
import type { ContactBody, ContactReceived } from './schemas.ts';
import type { ContactStore } from './store.ts';
import type { ContactProof, SpamReason } from './statuses.ts';

export interface ContactOptions {
  store: Pick<ContactStore, 'add'>;
  proofs: Proofs;
  formTimes: FormTimes;
  limits: ContactLimits;
  clock: Clock;
  /** Called after a message has arrived in the inbox. Does not throw. */
  onReceived: (id: string) => void;
}

interface Sender {
  address: string;
  principal: Principal | undefined;
}

/** How a sender proves itself. */
interface Proof {
  proof: ContactProof;
  solved?: SolvedProof;
}

function tooMany(ms: number): AppError {
  const seconds = Math.ceil(ms / 1000);
  return contactErrors.too_many({
    headers: { 'retry-after': String(seconds) },
    extra: { retry_after: seconds },
  });
}

/** Returns the address as entered. Throws a RequestValidationError. */
function readEmail({ email }: ContactBody): string {
  const identifier = emailIdentifier(email);
  if (identifier !== undefined) return identifier.value;
  const message = 'must be an email address, such as name@example.com';
  throw new RequestValidationError([valueError(['body', 'email'], message)]);
}

/** Programs that may read or change the operator's data need no proof. */
const hasKey = ({ principal }: Sender): boolean =>
  principal?.kind === 'api_key' && hasScope(principal, 'analytics:read');

function createAdmission({ proofs, limits }: ContactOptions) {
  async function proofOf({ altcha = '' }: ContactBody, sender: Sender): Promise<Proof> {
    if (hasKey(sender)) return { proof: 'key' };
    if (altcha === '') return { proof: 'none' };
    return { proof: 'solved', solved: await proofs.verify(altcha) };
  }

  /** Throws what refuses the message. A refused one does not use up its proof. */
  return async (body: ContactBody, sender: Sender): Promise<Proof> => {
    const admitted = await proofOf(body, sender);
    const waitMs = await limits.ofSender(admitted.proof, sender.address, admitted.solved);
    if (waitMs > 0) throw tooMany(waitMs);
    return admitted;
  };
}

/** Creates the function that stores a message. If that fails, the sender can send it again. */
const createStoring =
  ({ store, limits }: ContactOptions) =>
  async (row: Parameters<ContactStore['add']>[0], { solved }: Proof, address: string) => {
    const counted = row.spam_reason === null ? row.email : undefined;
    await store.add(row).catch(async (error: unknown) => {
      await Promise.allSettled([limits.giveBack(row.proof, address, counted, solved)]);
      throw error;
    });
  };

/** Receives messages. Nothing is sent to the entered address: it may be a stranger's. */
export function createContact(options: ContactOptions) {
  const { proofs, formTimes, limits, clock, onReceived } = options;
  const admit = createAdmission(options);
  const keep = createStoring(options);

  async function spamReasonOf(body: ContactBody, email: string): Promise<SpamReason | null> {
    if (body.website !== undefined && body.website !== '') return 'hidden_field';
    return (await limits.ofEmail(email)) ? null : 'too_many_from_address';
  }

  return {
    challenge: () => proofs.challenge(),
    issueFormTime: (): string => formTimes.issue(),
    keepFormTime: (value: string): string => formTimes.keep(value),

    /**
     * Receives a message. Spam gets the same answer as other messages. Throws `contact.too_many`,
     * `contact.proof_invalid`, `contact.proof_expired`, `contact.proof_used`,
     * `contact.form_expired`, `contact.too_fast`, a RequestValidationError for the address, and
     * `request.unavailable` without Redis.
     */
    async receive(
      body: ContactBody,
      sender: Sender,
      { isForm = false } = {},
    ): Promise<ContactReceived> {
      const email = readEmail(body);
      if (isForm || body.form !== undefined) formTimes.check(body.form ?? '');
      const admitted = await admit(body, sender);
      const spamReason = await spamReasonOf(body, email);
      const at = new Date(clock.now());
      const id = uuidv7(at.getTime());
      const received: ContactReceived = { id, status: 'received' };
      if (spamReason !== null && !(await limits.ofSpam())) return received;
      const row = {
        id,
        name: storableText(body.name),
        email,
        subject: storableText(body.subject ?? ''),
        message: storableText(body.message),
        topic: storableText(body.topic ?? ''),
        status: spamReason === null ? ('new' as const) : ('spam' as const),
        status_at: at,
        assignee_id: null,
        proof: admitted.proof,
        spam_reason: spamReason,
        network: truncateAddress(sender.address) ?? null,
        created_at: at,
        updated_at: at,
        noticed_at: null,
      };
      await keep(row, admitted, sender.address);
      if (spamReason === null) onReceived(id);
      return received;
    },
  };
}

export type Contact = ReturnType<typeof createContact>;
