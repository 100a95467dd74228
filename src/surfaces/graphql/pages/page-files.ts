import { loadWebScript } from '../../../platform/ui/web-script.ts';
import { sha256Hex } from '../../../lib/secrets/secrets.ts';
import type { PageFiles } from './pages.tsx';
import { graphiqlStyle, voyagerStyle } from './styles.ts';

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
const inlineStyles = {
  'graphiql-page.css': graphiqlStyle,
  'voyager-page.css': voyagerStyle,
} as const;
const names = [...built, 'graphiql-page.css', 'voyager-page.css'] as const;
type Name = (typeof names)[number];

/** The pages and their files, by name. */
const pages: Readonly<Record<'graphiql' | 'voyager', readonly Name[]>> = {
  graphiql: ['graphiql.css', 'graphiql-page.css', 'graphiql.js'],
  voyager: ['voyager.standalone.css', 'voyager-page.css', 'voyager.standalone.js', 'voyager.js'],
};

export const assetPath = '/assets/graphql/';
const typeOf = (name: string): string => (name.endsWith('.js') ? script : style);
const isName = (name: string): name is Name => names.some((each) => each === name);

/** Reads the files of the pages on demand: two megabytes that most instances never send. */
export function createPageFiles(folder: URL) {
  const cache = new Map<Name, Promise<File>>();

  async function read(name: Name): Promise<File> {
    if (name === 'graphiql-page.css' || name === 'voyager-page.css') {
      const text = inlineStyles[name];
      return { text, type: style, version: sha256Hex(text).slice(0, 12) };
    }
    const { text, version } = await loadWebScript(folder, name);
    return { text, type: typeOf(name), version };
  }

  function load(name: Name): Promise<File> {
    const file = cache.get(name) ?? read(name);
    cache.set(name, file);
    return file;
  }

  return {
    /** Finds a file by its name; undefined for other names. */
    find: async (name: string): Promise<File | undefined> =>
      isName(name) ? load(name) : undefined,

    /** The URLs of a page's files. Each contains a hash of the content. */
    async urlsOf(page: keyof typeof pages): Promise<PageFiles> {
      const addresses = await Promise.all(
        pages[page].map(async (name) => `${assetPath}${name}?v=${(await load(name)).version}`),
      );
      return {
        scripts: addresses.filter((address) => address.includes('.js?')),
        styles: addresses.filter((address) => address.includes('.css?')),
      };
    },
  };
}
