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
        {
          title: 'Send the phone number',
          text: 'Your app sends it. The response is immediate, and the same for every number.',
        },
        {
          title: 'Receive the code',
          text:
            'Six digits by SMS, valid for five minutes and for one sign-in. iOS and Chrome on ' +
            'Android suggest them.',
        },
        {
          title: 'Get the tokens',
          text:
            'Your app sends the code back and gets an access token for 15 minutes and a refresh ' +
            'token for 30 days.',
        },
      ],
    },
    sample: {
      title: 'Two calls',
      lead:
        'You need no sign-up form: the first sign-in creates the account. People with 2FA are ' +
        'asked for their second factor as well.',
    },
    included: {
      title: 'Protection included',
      items: [
        'Five attempts per code, and a <code>verification_id</code> that keeps strangers from ' +
          'using them up.',
        'Limits per phone number, network and country against SMS flooding.',
        'Refresh tokens that rotate, so that the use of a stolen one is noticed.',
      ],
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
