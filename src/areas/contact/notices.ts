import { dayMs } from '../../lib/durations.ts';
import { consolePath } from '../../lib/site-paths.ts';
import { plainExtract } from '../../lib/text/without-links.ts';
import type { ContactParts } from './compose.ts';
import type { ContactMessage } from './store.ts';
import { texts } from './texts/en.ts';

const maxShown = 5;
const maxRecipients = 20;
const extractLength = 120;
const nameLength = 60;

/** Creates the function that sends a notice about all messages that there was none about. */
export function createSendNotice({
  brand,
  clock,
  logger,
  baseUrl,
  store,
  messages,
  channels,
  users,
}: ContactParts) {
  return send;

  /** Sends one email to each recipient. Messages stay without notice if that fails. */
  async function send(): Promise<void> {
    const to = channels.email ? await recipients() : [];
    const found = await store.takeUnnoticed(new Date(clock.now()));
    if (found.length === 0) return;
    try {
      await sendTo(to, found);
    } catch (error) {
      await store.returnUnnoticed(found.map(({ id }) => id));
      throw error;
    }
    if (to.length === 0)
      logger.info({ count: found.length }, 'new contact messages, and no address for a notice');
  }

  async function recipients(): Promise<string[]> {
    const { contactEmail } = brand();
    if (contactEmail !== undefined) return [contactEmail];
    const admins = { limit: maxRecipients, role: 'admin', disabled: false } as const;
    const { data } = await users.list(admins);
    return data.flatMap(({ identities }) => {
      const email = identities.find(({ kind }) => kind === 'email')?.value;
      return email === undefined ? [] : [email];
    });
  }

  function entryOf({ name, message }: ContactMessage) {
    return {
      label: plainExtract(name, nameLength, texts.linkRemoved) || texts.notice.nameless,
      value: plainExtract(message, extractLength, texts.linkRemoved) || texts.notice.empty,
    };
  }

  function paramsOf(found: readonly ContactMessage[]) {
    const more = found.length - maxShown;
    return {
      headline: texts.notice.headline({ count: found.length }),
      messages: found.slice(0, maxShown).map(entryOf),
      ...(more > 0 ? { more: texts.notice.more({ count: more }) } : {}),
      url: `${baseUrl}${consolePath}contact`,
    };
  }

  async function sendTo(to: readonly string[], found: readonly ContactMessage[]): Promise<void> {
    const params = paramsOf(found);
    for (const each of to)
      await messages.send({
        channel: 'email',
        to: each,
        template: 'contact_notice',
        params,
        key: `contact-notice:${found[0]?.id ?? ''}:${each}`,
        expiresAt: clock.now() + dayMs,
      });
  }
}
