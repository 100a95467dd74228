import { emailIdentifier } from '../../lib/identifiers.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { truncateAddress } from '../../lib/net/ip.ts';
import { storableText } from '../../lib/text/storable-text.ts';
import { retryAfter } from '../../platform/errors/errors.ts';
import type { Principal } from '../../platform/identity/identity.ts';
import { hasScope } from '../../lib/access.ts';
import { RequestValidationError, valueError } from '../../platform/validation/validation-error.ts';
import { contactErrors } from './errors.ts';
import type { ContactParts } from './compose.ts';
import { createFormTimes } from './form-times.ts';
import { createProofs, type SolvedProof } from './proofs.ts';
import type { ContactBody, ContactReceived } from './schemas.ts';
import type { ContactStore } from './store.ts';
import type { ContactProof, SpamReason } from './statuses.ts';

interface Sender {
  address: string;
  principal: Principal | undefined;
}

/** How a sender is verified. */
interface Proof {
  proof: ContactProof;
  solved?: SolvedProof;
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

/** Receives messages. Nothing is sent to the entered address: it may be a stranger's. */
export function createContact(parts: ContactParts, requestNotice: () => Promise<unknown>) {
  const { clock, bus, logger, store, limits } = parts;
  const proofs = createProofs(parts);
  const formTimes = createFormTimes(parts);

  return {
    challenge: proofs.challenge,
    issueFormTime: formTimes.issue,
    keepFormTime: (value: string): string => formTimes.keep(value),
    receive,
  };

  /**
   * Receives a message. Spam gets the same answer as other messages. Throws `contact.too_many`,
   * `contact.proof_invalid`, `contact.proof_expired`, `contact.proof_used`,
   * `contact.form_expired`, `contact.too_fast`, a RequestValidationError for the address, and
   * `request.unavailable` without Redis.
   */
  async function receive(
    body: ContactBody,
    sender: Sender,
    { isForm = false } = {},
  ): Promise<ContactReceived> {
    const email = readEmail(body);
    if (isForm || body.form !== undefined) formTimes.check(body.form ?? '');
    const proof = await acceptSender(body, sender);
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
      proof: proof.proof,
      spam_reason: spamReason,
      network: truncateAddress(sender.address) ?? null,
      created_at: at,
      updated_at: at,
      noticed_at: null,
    };
    await add(row, proof, sender.address);
    if (spamReason === null) announce(id);
    return received;
  }

  /** Throws what refuses the message. A refused one does not use up its proof. */
  async function acceptSender(body: ContactBody, sender: Sender): Promise<Proof> {
    const verified = await proofOf(body, sender);
    const waitMs = await limits.ofSender(verified.proof, sender.address, verified.solved);
    if (waitMs > 0) throw contactErrors.too_many(retryAfter(Math.ceil(waitMs / 1000)));
    return verified;
  }

  async function proofOf({ altcha = '' }: ContactBody, sender: Sender): Promise<Proof> {
    if (hasKey(sender)) return { proof: 'key' };
    if (altcha === '') return { proof: 'none' };
    return { proof: 'solved', solved: await proofs.verify(altcha) };
  }

  async function spamReasonOf(body: ContactBody, email: string): Promise<SpamReason | null> {
    if (body.website !== undefined && body.website !== '') return 'hidden_field';
    return (await limits.ofEmail(email)) ? null : 'too_many_from_address';
  }

  /** Stores a message. If that fails, the sender can send it again. */
  async function add(
    row: Parameters<ContactStore['add']>[0],
    { proof, solved }: Proof,
    address: string,
  ): Promise<void> {
    const counted = row.spam_reason === null ? row.email : undefined;
    await store.add(row).catch(async (error: unknown) => {
      await Promise.allSettled([limits.giveBack(proof, address, counted, solved)]);
      throw error;
    });
  }

  // The message is stored: a notice that fails now is sent by the job that runs every minute.
  function announce(id: string): void {
    const published = bus.publish('contact', { type: 'contact.received', data: { id } });
    void Promise.allSettled([published, requestNotice()]).then((results) => {
      for (const result of results)
        if (result.status === 'rejected')
          logger.warn({ err: result.reason }, 'a new contact message could not be announced');
    });
  }
}
