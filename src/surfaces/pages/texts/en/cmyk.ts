/** The texts of the pages of the sub-product. */
export const texts = {
  product: {
    title: 'cmyk',
    description: (p: { appName: string }) =>
      `cmyk is the part of ${p.appName} that signs people in to mobile apps, by phone number or ` +
      'through an identity provider.',
    heading: 'cmyk: sign-in for mobile apps',
    lead: (p: { appName: string }) =>
      `The part of ${p.appName} that signs people in to your app, by phone number or through an ` +
      'identity provider.',
    readDocs: 'Read the docs',
    openSignIn: 'Open the sign-in page',
    how: {
      title: 'How it works',
      steps: [
        'Your app sends the phone number. The service responds immediately, with the same ' +
          'response for every number.',
        'A six-digit code arrives by SMS. It is valid for five minutes and works once. iOS and ' +
          'Chrome on Android suggest it automatically.',
        'Your app sends the code back and receives an access token, valid for 15 minutes, and a ' +
          'refresh token, valid for 30 days.',
      ],
      account:
        'No sign-up is needed: the first sign-in creates the account. People with 2FA are asked ' +
        'for their second factor here too.',
    },
    included: {
      title: 'Built-in protection',
      attempts:
        'Five attempts per code, and a <code>verification_id</code> that keeps strangers from ' +
        'using them up.',
      limits: 'Limits per phone number, network and country to prevent SMS flooding.',
      tokens: 'Refresh token rotation that detects when a stolen token is used.',
    },
  },
  docs: {
    title: 'cmyk documentation',
    description: (p: { appName: string }) =>
      `The API for cmyk, mobile sign-in for ${p.appName}: send a code by SMS, verify it, ` +
      'or sign in through an identity provider.',
    lead: 'Sign a person in with two calls. All bodies are JSON.',
    send: {
      title: 'Send a code',
      notes:
        'Store the <code>verification_id</code>: it prevents others from using up your attempts.',
    },
    verify: {
      title: 'Sign in with the code',
      notes:
        'The response contains <code>access_token</code>, <code>refresh_token</code> and ' +
        '<code>user</code>. A code that is wrong, expired or used, or that was never ' +
        'sent, always returns 400 <code>otp.invalid</code>. If <code>status</code> is ' +
        '<code>mfa_required</code>, ask for the second factor: see the <link>2FA ' +
        'guide</link>.',
    },
    calls: {
      title: 'All operations',
      signInPage: 'The sign-in page, for apps that open a browser. No parameters.',
      phone: 'Sends a code by SMS. Parameter: phone.',
      verify: 'Signs in. Parameters: phone, code, verification_id (optional).',
      phoneOnly: 'Handles both steps. Parameters: phone, then phone and code.',
      idpInitiate:
        'Starts a sign-in through the identity provider. Parameters: redirect_uri and ' +
        'code_challenge, for native apps.',
      idpCallback:
        'Completes a sign-in through the identity provider. Query parameters: code and state.',
      send: 'Sends a code by SMS, for the mobile client. Parameter: phone.',
      mobileVerify:
        'Signs in, for the mobile client. Parameters: phone, code, verification_id (optional).',
      alias:
        'Every path under <code>/api/auth/</code> is also available under <code>/auth/</code>.',
    },
    more: {
      title: 'Next steps',
      codes: '<link>One-time codes</link>: limits, text messages, an example in TypeScript',
      sessions: '<link>Sign-in and sessions</link>: refreshing tokens, signing out',
      reference: '<link>API reference</link>: every field and every error',
    },
  },
};
