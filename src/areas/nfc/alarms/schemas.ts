import { z } from 'zod';
import { alarmKinds } from '../tables.ts';

const time = z.iso.datetime();
const kind = z
  .enum(alarmKinds)
  .describe(
    '`forged`: a message that no key verifies. `replayed`: a message that was already ' +
      'counted, or an older one. `cloned`: the last message again, from another network. ' +
      '`unknown_uid`: a genuine message from another chip. `opened`: the tamper loop is or ' +
      'was open. `unknown_code`: no tag has it.',
  );

export const NfcAlarmView = z
  .object({
    id: z.uuid(),
    kind,
    tag_id: z.uuid().nullable().describe('Null for codes that no tag has.'),
    hour: time.describe('The hour in which it happened.'),
    count: z.int().describe('How often it happened within this hour.'),
    resolved: z.boolean().describe('Set to true by an admin; false again when it happens again.'),
    last_at: time,
    created_at: time,
    tag_name: z
      .string()
      .nullable()
      .describe('The name of the tag. Null without a tag.')
      .meta({ examples: ['Front door'] }),
  })
  .meta({ id: 'NfcAlarm', description: 'Taps that were refused, or that need attention.' });
export type NfcAlarmView = z.output<typeof NfcAlarmView>;

export const NfcAlarmChangeBody = z
  .strictObject({ resolved: z.boolean() })
  .partial()
  .meta({ id: 'UpdateNfcAlarm', examples: [{ resolved: true }] });
export type NfcAlarmChangeBody = z.output<typeof NfcAlarmChangeBody>;

export const nfcAlarmFilters = {
  kind,
  tag_id: z.uuid().toLowerCase().describe('Only alarms of this tag.'),
  resolved: z.boolean(),
};
