import type { Audit } from '../../areas/audit/service.ts';
import type {
  BrowserCompletion,
  BrowserSignIn,
} from '../../areas/identity/sign-in/browser-sign-in.ts';
import type { Sessions } from '../../areas/identity/sessions/service.ts';
import type { MfaDue, SignIn } from '../../areas/identity/sign-in/service.ts';
import type { CodeSignIn } from '../../areas/identity/sign-in/codes/service.ts';
import type { FactorRemoval } from '../../areas/identity/resets/access-ending.ts';
import type { Passkeys } from '../../areas/identity/factors/passkeys/service.ts';
import type { FactorResets } from '../../areas/identity/resets/service.ts';
import type { SecondFactor } from '../../areas/identity/factors/service.ts';
import type { OwnAccountServices } from '../../areas/identity/account/compose.ts';
import type { Resources } from '../../platform/resources.ts';
import type { Assets } from '../../platform/ui/assets.ts';
import { createLayout } from '../../platform/ui/pages.tsx';
import { createAccount } from './account.ts';
import { footerLinks } from './footer.ts';
import { createSignInPageFlow } from './flow.ts';
import { secondFactorPage } from './login-pages.tsx';

export interface AccountNeeds {
  audit: Audit;
  sessions: Sessions;
  secondFactor: SecondFactor;
  passkeys: Passkeys;
  factorRemoval: FactorRemoval;
  codeSignIn: CodeSignIn;
  signIn: SignIn;
  browserSignIn: BrowserSignIn;
  browserCompletion: BrowserCompletion;
  ownAccount: OwnAccountServices;
  factorResets: FactorResets;
  assets: Assets;
}

/** Makes the services of the pages for signing in and for the own account. */
export function composeAccount({ config, baseOrigin }: Resources, needs: AccountNeeds) {
  const { passkeys } = needs;
  const layout = createLayout(config.APP_NAME, needs.assets, footerLinks);
  return {
    account: createAccount(needs),
    layout,
    contactEmail: config.CONTACT_EMAIL,
    /** The form for the second factor, for sign-ins that began at another page. */
    secondFactorPage: ({ mfaToken, methods }: MfaDue, next: string) =>
      layout(
        secondFactorPage(
          { at: 'second-factor', mfaToken, methods, next },
          { passkeyOrigin: passkeys.origin, contactEmail: config.CONTACT_EMAIL },
        ),
      ),
    signInPageFlow: createSignInPageFlow({ ...needs, baseOrigin }),
  };
}
