/** The texts of the page on the data of visitors. */
export const texts = {
  title: 'Data policy',
  description: (p: { appName: string }) =>
    `What data ${p.appName} analytics stores about a site’s visitors: no cookies, no IP ` +
    'addresses, and new visitor IDs every day.',
  lead:
    'Sites and apps send us events so that we can count them. This page describes the data ' +
    'stored about their visitors. For people with an account, see <link>Privacy</link>.',
  events: {
    title: 'What an event contains',
    caption: 'Event data and its source',
    columns: ['Data', 'Source'],
    rows: [
      ['Time, event name and site', 'The site'],
      [
        'Host, path and query of the page. Parameters that look like secrets are removed',
        'The site',
      ],
      ['Title, and the referring page or campaign', 'The site'],
      [
        'Properties, revenue, scroll depth, time on page and loading times, if the site sends them',
        'The site',
      ],
      [
        'Browser, operating system and device type, with versions',
        'The browser’s User-Agent header',
      ],
      ['Screen size and language', 'The browser'],
      ['Country', 'The IP address, looked up on our own server'],
      ['A visitor ID and a visit ID', 'See below'],
    ],
  },
  visitors: {
    title: 'How visitors are counted',
    paragraphs: [
      'We set and read no cookies, and store nothing in the browser. The visitor ID is a ' +
        'hash of the IP address (for IPv6, its first half), the User-Agent, the site and a ' +
        'random number that changes every day. The address itself is never written to ' +
        'disk. Each random number is destroyed within 48 hours. After that, no one, ' +
        'including us, can tell which address a visitor ID came from. The same person has ' +
        'a different visitor ID on every site and every day.',
      'A site can identify its own users with an ID of its choice. They are recognized ' +
        'across all days and devices on that site. The site must inform its visitors, and ' +
        'must not use names, email addresses or phone numbers as IDs.',
      'Events from a browser that sends Global Privacy Control (<code>Sec-GPC: 1</code>) ' +
        'are counted without a visitor ID and without the ID that the site assigned, unless ' +
        'the operator has turned this off for the site. The operator can also turn this on ' +
        'for Do Not Track.',
    ],
  },
  retention: {
    title: 'Storage and retention',
    text:
      'Events are kept as long as the operator of this server decides, for each site. They ' +
      'are stored in files on this server and are not shared with any ' +
      'other company. Event IDs, which keep events from being counted twice, are ' +
      'remembered for a period set by the operator, one day by default.',
  },
  access: {
    title: 'Who has access',
    text:
      'Members of the operator’s team who may view analytics and use an approved device, ' +
      'and programs with an API key that allows it. They can also export the data, event ' +
      'by event.',
  },
  contact: {
    title: 'Questions and requests',
    text:
      'Events that the site sent without an ID for you cannot be traced to a person, so ' +
      'we cannot look them up. For events with an ID, ask the site; it knows which ID is ' +
      'yours.',
  },
};
