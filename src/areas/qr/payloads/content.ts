import { z } from 'zod';
export const QrContent = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('text'), text: z.string().min(1).max(2000) }),
    z.strictObject({ type: z.literal('url'), url: z.string() }),
  ])
  .meta({ id: 'QrContent' });
export type QrContent = z.output<typeof QrContent>;
