import type { BrowserSignIn } from '../../areas/identity/sign-in/browser-sign-in.ts';
import type { Sessions } from '../../areas/identity/sessions/service.ts';
import type { MfaDue, SignIn } from '../../areas/identity/sign-in/service.ts';
import type { CodeSignIn } from '../../areas/identity/sign-in/codes/service.ts';
import type { FactorRemoval } from '../../areas/identity/resets/access-ending.ts';
import type { Passkeys } from '../../areas/identity/factors/passkeys/service.ts';
import type { FactorResets } from '../../areas/identity/resets/service.ts';
import type { SecondFactor } from '../../areas/identity/factors/service.ts';
import type { Idp } from '../../areas/identity/providers/service.ts';
import type { Devices } from '../../areas/identity/devices/service.ts';
import type { OwnAccountServices } from '../../areas/identity/account/compose.ts';
import type { Signups } from '../../areas/signup/service.ts';
import type { Resources } from '../../platform/resources.ts';
import type { Assets } from '../../platform/ui/assets.ts';
import { createLayout } from '../../platform/ui/pages.tsx';
import { createAccountService } from './account.ts';
import { footerLinks } from './footer.ts';
import { createSignInPageFlow } from './flow.ts';
import type { Channels } from './identifier-texts.ts';
import { type LoginPageOptions, secondFactorPage } from './login-pages.tsx';

export interface AccountNeeds {
  sessions: Sessions;
  secondFactor: SecondFactor;
  passkeys: Passkeys;
  factorRemoval: FactorRemoval;
  codeSignIn: CodeSignIn;
  signIn: SignIn;
  browserSignIn: BrowserSignIn;
  ownAccount: OwnAccountServices;
  devices: Pick<Devices, 'management'>;
  factorResets: FactorResets;
  idp: Pick<Idp, 'isConfigured'>;
  signups: Pick<Signups, 'isOpen'>;
  channels: Channels;
  /** Lifetime of a code, in ms. */
  codeLifetimeMs: number;
  assets: Assets;
}

/** Makes the services of the pages for signing in and for your own account. */
export function composeAccount({ brand, baseOrigin }: Resources, needs: AccountNeeds) {
  const layout = createLayout(brand, needs.assets, footerLinks);
  const loginPageOptions: Omit<LoginPageOptions, 'bypass'> = {
    brand,
    hasSignup: needs.signups.isOpen,
    hasProvider: needs.idp.isConfigured,
    channels: needs.channels,
    codeMinutes: Math.round(needs.codeLifetimeMs / 60_000),
    passkeyOrigin: needs.passkeys.origin,
  };
  return {
    account: createAccountService(needs),
    layout,
    contactEmail: () => brand().contactEmail,
    loginPageOptions,
    /** The form for the second factor, for sign-ins that began at another page. */
    secondFactorPage: ({ mfaToken, methods }: MfaDue, next: string) =>
      layout(secondFactorPage({ at: 'second-factor', mfaToken, methods, next }, loginPageOptions)),
    signInPageFlow: createSignInPageFlow({ ...needs, baseOrigin }),
  };
}
