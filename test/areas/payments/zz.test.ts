import { it } from 'vitest';
import { addPerson, eventBody, openProvider, rowOf, sendSigned } from './provider.ts';
it('x', async () => {
  const p = await openProvider();
  await addPerson(p.app, 'a@example.com');
  await sendSigned(p, eventBody({ id: 'evt_1', type: 'checkout.session.completed', object: { payment_status: 'paid', customer: 'cus_9', subscription: 'sub_9', customer_email: 'a@example.com' } }));
  p.advance(61_000);
  await p.app.services.payments.sweep();
  console.log(p.app.log().split('\n').filter((l) => l.includes('evt_1')), (await rowOf(p.app, 'evt_1'))?.status);
  await p.app.close();
});
