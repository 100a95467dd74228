import { expect } from 'vitest';
import { it } from '../support/test.ts';
import { useGuideService } from './guide-service.ts';

const service = await useGuideService();

it('team.md works as written', async () => {
  expect(await service.follow('team.md')).toEqual({ ran: 4, compared: 4, notRun: [] });
  const { data } = await service.app.services.invitations.list({ limit: 10 });
  expect(data).toMatchObject([{ email: 'grace@example.com', status: 'revoked' }]);
});
