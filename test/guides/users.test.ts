import { expect } from 'vitest';
import { it } from '../support/test.ts';
import { useGuideService } from './guide-service.ts';

const service = await useGuideService();

it('users.md works as written', async () => {
  expect(await service.follow('users.md')).toEqual({ ran: 4, compared: 4, notRun: [] });
});
