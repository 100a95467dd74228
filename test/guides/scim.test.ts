import { expect } from 'vitest';
import { signInByEmail } from '../support/sign-in.ts';
import { it } from '../support/test.ts';
import { useGuideService } from './guide-service.ts';

const service = await useGuideService();

it('scim.md works as written', async () => {
  const provesTheAddress = {
    before: /^SCIM_ID/,
    act: async () => void (await signInByEmail(service.app, 'ana@example.com')),
  };
  const reading = await service.follow('scim.md', { steps: [provesTheAddress] });
  expect(reading).toEqual({ ran: 5, compared: 5, notRun: [] });
});
