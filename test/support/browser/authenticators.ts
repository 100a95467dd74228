import type { CDPSession, Page } from 'playwright-core';

export interface Authenticators {
  devtools: CDPSession;
  /**
   * Adds an authenticator whose user agrees at once, and returns its id. `isSynced` ones keep
   * passkeys in an account, not on the device only.
   */
  add: (options?: { isSynced?: boolean }) => Promise<string>;
}

/** Gives the page authenticators in place of the machine's; at first none. */
export async function useAuthenticators(page: Page): Promise<Authenticators> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  return {
    devtools,
    async add({ isSynced = false } = {}) {
      const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          ctap2Version: 'ctap2_1',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
          defaultBackupEligibility: isSynced,
          defaultBackupState: isSynced,
        },
      });
      return authenticatorId;
    },
  };
}
