import { z } from 'zod';
import { SignupView } from '../../../../areas/signup/schemas.ts';
import { page } from '../../routes.pages.ts';
import { signUpPage } from './sign-up-page.tsx';

/** The page of a sign-up. The list is made from the resource. */
export const signUpRoutes = [
  page({
    id: 'console.signups_entry',
    path: '/api/svc/console/users/sign-ups/:id',
    summary: 'Console: a sign-up',
    params: z.object({ id: z.uuid().toLowerCase() }),
    errors: ['signup.not_found'],
    async show({ signupList, users, plans }, { id }) {
      const signUp = SignupView.parse(await signupList.service.get(id));
      const user = await users.ownerOf({ kind: 'email', key: signUp.email });
      const plan = signUp.plan === null ? undefined : (plans.nameOf(signUp.plan) ?? signUp.plan);
      return signUpPage({ signUp, user, plan });
    },
  }),
];
