import type { Assets } from '../../../platform/ui/assets.ts';
import { loadWebScript } from '../../../platform/ui/web-script.ts';
import type { PageFiles } from './pages.tsx';

interface File {
  text: string;
  type: string;
  version: string;
}

const script = 'text/javascript; charset=utf-8';
const style = 'text/css; charset=utf-8';
const built = [
  'graphiql.js',
  'graphiql.css',
  'voyager.standalone.js',
  'voyager.standalone.css',
  'voyager.js',
] as const;
type Name = (typeof built)[number];

/** The pages and their files, by name. */
const pages: Readonly<Record<'graphiql' | 'voyager', readonly Name[]>> = {
  graphiql: ['graphiql.css', 'graphiql.js'],
  voyager: ['voyager.js'],
};

export const assetPath = '/assets/graphql/';
const typeOf = (name: string): string => (name.endsWith('.js') ? script : style);
const isName = (name: string): name is Name => built.some((each) => each === name);

/** Reads the files of the pages on demand: two megabytes that most instances never send. */
export function createPageFiles(folder: URL, assets: Assets) {
  const cache = new Map<Name, Promise<File>>();

  async function read(name: Name): Promise<File> {
    const { text, version } = await loadWebScript(folder, name);
    return { text, type: typeOf(name), version };
  }

  function load(name: Name): Promise<File> {
    const file = cache.get(name) ?? read(name);
    cache.set(name, file);
    return file;
  }

  const addressOf = async (name: Name) => `${assetPath}${name}?v=${(await load(name)).version}`;

  return {
    /** Finds a file by its name; undefined for other names. */
    find: async (name: string): Promise<File | undefined> =>
      isName(name) ? load(name) : undefined,

    /** The URLs of a page's files. Each contains a hash of the content. */
    async urlsOf(page: keyof typeof pages): Promise<PageFiles> {
      const addresses = await Promise.all(pages[page].map(addressOf));
      return {
        scripts: addresses.filter((address) => address.includes('.js?')),
        styles: [
          ...addresses.filter((address) => address.includes('.css?')),
          assets.path(`${page}.css`),
        ],
      };
    },

    /** The URLs of what draws the graph: a megabyte, which the page loads when it is asked for. */
    graphUrls: async () => ({
      script: await addressOf('voyager.standalone.js'),
      sheet: await addressOf('voyager.standalone.css'),
    }),
  };
}
