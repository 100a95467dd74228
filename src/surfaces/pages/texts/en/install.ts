/** The texts of the page with snippets. */
export const texts = {
  title: 'Install',
  description: (p: { appName: string }) =>
    `Add ${p.appName} to your site or app: count page views, send events, sign people in with ` +
    'one-time codes, and receive realtime updates.',
  heading: (p: { appName: string }) => `Add ${p.appName} to your site or app`,
  lead:
    'Copy the snippets you need. They already contain this server’s address. Replace ' +
    '<code>my-site</code> with the name of your site.',
  pixel: {
    title: 'Count page views',
    script:
      'Add this tag to the <code>head</code> of every page. The script is 1.5 KB. It ' +
      'also measures reading time, outbound links and downloads, and can send ' +
      '<link>custom events</link>.',
    pixel: 'For pages without JavaScript, add this pixel to the end of every page instead:',
    notes:
      'Your site is registered with its first event, unless the operator has closed ' +
      'registration. No cookies are read or set. If your pages have a content security policy, ' +
      'allow this server in <code>script-src</code> and <code>connect-src</code>, and in ' +
      '<code>img-src</code> for the pixel.',
  },
  events: {
    title: 'Send events',
    one: 'From a server or an app:',
    batch: 'In batches:',
    notes:
      'Create an API key in the console, so that events from your server count. Without a key, ' +
      'events from programs such as <code>curl</code> are stored as bot traffic. To retry ' +
      'safely, give each event an <code>id</code> (a UUID), so that it is counted only once. ' +
      'The <link>analytics guide</link> lists all fields.',
  },
  signIn: {
    title: 'Sign people in',
    send: 'Request a one-time code. The response is the same for known and unknown addresses:',
    verify: 'Send the code back with the <code>verification_id</code> from the response:',
    token:
      'The response contains an <code>access_token</code>, valid for 15 minutes, and a ' +
      '<code>refresh_token</code>, valid for 30 days. Get the signed-in user:',
    phone:
      'For SMS, send <code>phone</code> to <code>/api/auth/mobile/initiate</code> and ' +
      '<code>/api/auth/mobile/verify</code>. Limits and error codes are in the ' +
      '<link>guide to one-time codes</link>.',
  },
  realtime: {
    title: 'Receive updates',
    lead:
      'With this tag, your page gets the service status whenever it changes. The script ' +
      'reconnects automatically, and <code>integrity</code> makes the browser reject a modified ' +
      'script:',
    more: 'The <link>realtime guide</link> covers other channels and clients for apps.',
  },
  ownServer: {
    title: 'Run your own server',
    lead: 'You need Node.js 20.19 or newer. In the service’s folder, run:',
    after: 'This sets up all required data stores and prints the service’s addresses.',
  },
};
