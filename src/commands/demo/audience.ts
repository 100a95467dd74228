import type { Random } from './random.ts';

/** A visitor's location, language and client. */
export interface Traits {
  country: string;
  language: string;
  browser: string;
  browser_version?: string;
  os?: string;
  os_version?: string;
  device: 'desktop' | 'mobile' | 'tablet';
  screen: string;
}

type Weighted<T> = readonly (readonly [T, number])[];

/** Countries of each site's visitors, with their weights. */
export const countries: Readonly<Record<'shop.example' | 'blog.example', Weighted<string>>> = {
  'shop.example': [
    ['DE', 46],
    ['AT', 9],
    ['CH', 8],
    ['FR', 7],
    ['NL', 6],
    ['GB', 6],
    ['US', 6],
    ['PL', 4],
    ['IT', 3],
    ['ES', 3],
    ['SE', 1],
    ['DK', 1],
  ],
  'blog.example': [
    ['US', 38],
    ['GB', 13],
    ['DE', 9],
    ['CA', 8],
    ['IN', 7],
    ['AU', 5],
    ['FR', 4],
    ['BR', 4],
    ['NL', 3],
    ['JP', 3],
    ['SE', 2],
    ['ZA', 2],
    ['MX', 2],
  ],
};

const languages: Readonly<Record<string, Weighted<string>>> = {
  DE: [
    ['de-DE', 90],
    ['en-US', 10],
  ],
  AT: [
    ['de-AT', 92],
    ['en-GB', 8],
  ],
  CH: [
    ['de-CH', 68],
    ['fr-CH', 24],
    ['it-CH', 8],
  ],
  FR: [['fr-FR', 100]],
  NL: [['nl-NL', 100]],
  GB: [['en-GB', 100]],
  PL: [['pl-PL', 100]],
  IT: [['it-IT', 100]],
  ES: [['es-ES', 100]],
  SE: [['sv-SE', 100]],
  DK: [['da-DK', 100]],
  CA: [
    ['en-CA', 76],
    ['fr-CA', 24],
  ],
  BR: [['pt-BR', 100]],
  JP: [['ja-JP', 100]],
  IN: [
    ['en-IN', 82],
    ['hi-IN', 18],
  ],
  MX: [['es-MX', 100]],
  AU: [['en-AU', 100]],
  ZA: [['en-ZA', 100]],
};

type Machine = Omit<Traits, 'country' | 'language'>;

function machine(
  device: Traits['device'],
  os: string,
  osVersion: string,
  browser: string,
  browserVersion: string,
  screen: string,
): Machine {
  return {
    device,
    os,
    ...(osVersion === '' ? {} : { os_version: osVersion }),
    browser,
    browser_version: browserVersion,
    screen,
  };
}

const machines: Weighted<Machine> = [
  [machine('mobile', 'iOS', '18.5', 'Safari', '18', '393x852'), 19],
  [machine('mobile', 'iOS', '17.6', 'Safari', '17', '390x844'), 6],
  [machine('mobile', 'Android', '15', 'Chrome', '138', '412x915'), 15],
  [machine('mobile', 'Android', '14', 'Samsung Internet', '28', '360x780'), 5],
  [machine('mobile', 'iOS', '18.5', 'Instagram', '386', '393x852'), 3],
  [machine('mobile', 'Android', '15', 'Firefox', '140', '412x915'), 2],
  [machine('desktop', 'Windows', '10', 'Chrome', '138', '1920x1080'), 17],
  [machine('desktop', 'Windows', '10', 'Edge', '138', '1536x864'), 7],
  [machine('desktop', 'Windows', '10', 'Firefox', '140', '1920x1080'), 3],
  [machine('desktop', 'macOS', '15', 'Safari', '18', '1728x1117'), 7],
  [machine('desktop', 'macOS', '15', 'Chrome', '138', '1512x982'), 7],
  [machine('desktop', 'Linux', '', 'Firefox', '140', '2560x1440'), 3],
  [machine('desktop', 'Chrome OS', '', 'Chrome', '137', '1366x768'), 1],
  [machine('tablet', 'iOS', '18.5', 'Safari', '18', '820x1180'), 4],
  [machine('tablet', 'Android', '14', 'Chrome', '137', '800x1280'), 1],
];

/** Returns random traits of a visitor to the site. */
export function randomTraits(random: Random, site: keyof typeof countries): Traits {
  const country = random.weighted(countries[site]);
  return {
    country,
    language: random.weighted(languages[country] ?? [['en-US', 1]]),
    ...random.weighted(machines),
  };
}
