import { z } from 'zod';
import { httpPost } from './http-post.ts';
import type { Provider } from './provider.ts';

export interface TwilioOptions {
  accountSid: string;
  authToken: string;
  /** An E.164 number, or the id of a messaging service (`MG…`). */
  from: string;
  baseUrl?: string;
}

const MessageResource = z.object({ sid: z.string().max(64) });

/** SMS by Twilio Programmable Messaging (Message resource, API version 2010-04-01). */
export function createTwilio({
  accountSid,
  authToken,
  from,
  baseUrl = 'https://api.twilio.com',
}: TwilioOptions): Provider {
  const url = `${baseUrl}/2010-04-01/Accounts/${accountSid}/Messages.json`;
  const sender: Record<string, string> = from.startsWith('MG')
    ? { MessagingServiceSid: from }
    : { From: from };
  const headers = {
    authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
  };

  return {
    name: 'twilio',
    async send({ to, text }) {
      const result = MessageResource.safeParse(
        await httpPost({
          url,
          headers,
          body: new URLSearchParams({ To: to, ...sender, Body: text }).toString(),
        }),
      );
      return result.success ? { reference: result.data.sid } : {};
    },
  };
}
