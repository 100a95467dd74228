import type { GetPromptResult } from '@modelcontextprotocol/server';
import type { Prompt } from './catalogue.ts';

const statuses = ['investigating', 'identified', 'monitoring', 'resolved'];

const userPrompt = (description: string, text: string): GetPromptResult => ({
  description,
  messages: [{ role: 'user', content: { type: 'text', text } }],
});
const startingWith = (all: readonly string[], value: string): string[] =>
  all.filter((each) => each.startsWith(value));

function incidentUpdate(): Prompt {
  const description = 'Drafts an update for the status page and publishes it after approval.';
  return {
    scope: 'admin',
    definition: {
      name: 'incident_update',
      title: 'Write an incident update',
      description,
      arguments: [
        {
          name: 'facts',
          description: 'What happened, who is affected, and what is being done.',
          required: true,
        },
        { name: 'status', description: `One of ${statuses.join(', ')}.`, required: false },
      ],
    },
    get: ({ facts = '', status = 'investigating' }) =>
      userPrompt(
        description,
        [
          'Write an update for our public status page.',
          `Status: ${status}`,
          `What is known: ${facts}`,
          '',
          'First call list_incidents with status "open". If one of them covers this, use ' +
            'update_incident; otherwise use create_incident, with ids from list_components.',
          'Write two to four plain sentences: what users notice, since when, what we are doing, ' +
            'and when the next update comes. No blame, no internal names, no guesses.',
          'Show me the text and the components. Publish only after I approve.',
        ].join('\n'),
      ),
    complete: (argument, value) => (argument === 'status' ? startingWith(statuses, value) : []),
  };
}

function weeklyReport(siteKeys: () => readonly string[]): Prompt {
  const description =
    'A report of the last seven days of a site, compared with the previous seven.';
  return {
    scope: 'analytics:read',
    definition: {
      name: 'weekly_analytics_report',
      title: 'Weekly analytics report',
      description,
      arguments: [
        { name: 'site_id', description: 'Site id from list_sites.', required: true },
        {
          name: 'timezone',
          description: 'IANA time zone, such as Europe/Berlin. Default: UTC.',
          required: false,
        },
      ],
    },
    get: ({ site_id: site = '', timezone = 'UTC' }) =>
      userPrompt(
        description,
        [
          `Write the weekly report of the site ${site}.`,
          `Call query_analytics with site_id "${site}", period "7d", compare "previous", ` +
            `interval "day", timezone "${timezone}", breakdowns ["sources", "countries", ` +
            '"devices"], and top_pages with the same period.',
          'Start with a one-sentence summary of the week. Then report visitors, visits and page ' +
            'views with their change in percent, the best and the weakest day, the top five ' +
            'pages, and the top sources.',
          'Quote the figures exactly, point out where data is scarce, and end with at most ' +
            'three observations worth following up.',
        ].join('\n'),
      ),
    complete: (argument, value) => (argument === 'site_id' ? startingWith(siteKeys(), value) : []),
  };
}

/** Creates the prompts. `siteKeys` lists the sites, for completion. */
export const createPrompts = (siteKeys: () => readonly string[]): Prompt[] => [
  incidentUpdate(),
  weeklyReport(siteKeys),
];
