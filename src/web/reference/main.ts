// Puts Swagger UI, which another script has loaded, in the place of the list of resources.

import { at, resolved } from './resolve.ts';

type Render = (props: Record<string, unknown>) => unknown;
type Component = string | Render;

interface React {
  createElement: (type: unknown, props?: object | null, ...children: unknown[]) => unknown;
  Fragment: unknown;
}

type Wrap = (original: Component, system: { React: React }) => Render;

interface SpecSystem {
  specActions: {
    updateJsonSpec: (document: unknown) => unknown;
    updateResolvedSubtree: (path: readonly string[], value: unknown) => unknown;
  };
  specSelectors: { specJson: () => { toJS: () => unknown } };
}

interface Swagger {
  (options: object): unknown;
  presets: { apis: unknown };
}

declare global {
  interface Window {
    SwaggerUIBundle?: Swagger;
  }
}

interface Group {
  title: string;
  /** The tags, and their names for people. */
  tags: readonly (readonly [tag: string, name: string])[];
}

const isGroups = (value: unknown): value is readonly Group[] => Array.isArray(value);

/** Names tags for people, and writes the title of each group above its first tag. */
function houseNames(groups: readonly Group[]) {
  const names = new Map(groups.flatMap(({ tags }) => tags));
  const titles = new Map(groups.map(({ title, tags }) => [tags[0]?.[0], title]));
  const deepLink: Wrap =
    (original, { React }) =>
    (props) =>
      React.createElement(original, {
        ...props,
        text: names.get(String(props.text)) ?? props.text,
      });
  const tag: Wrap =
    (original, { React }) =>
    (props) =>
      React.createElement(
        React.Fragment,
        null,
        titles.has(String(props.tag)) &&
          React.createElement('h2', { className: 'tag-group' }, titles.get(String(props.tag))),
        React.createElement(original, props),
      );
  const order = [...names.keys()];
  return {
    plugin: { wrapComponents: { DeepLink: deepLink, OperationTag: tag } },
    tagsSorter: (a: string, b: string): number => order.indexOf(a) - order.indexOf(b),
  };
}

/**
 * Reads and resolves the document itself: Swagger UI reads JSON as YAML, and resolves all of it for
 * each operation that is opened, which takes seconds.
 */
const quickDocument = {
  statePlugins: {
    spec: {
      wrapActions: {
        parseToJson:
          (_original: unknown, { specActions }: SpecSystem) =>
          (text: string) =>
            specActions.updateJsonSpec(JSON.parse(text)),
        requestResolvedSubtree:
          (_original: unknown, { specActions, specSelectors }: SpecSystem) =>
          (path: readonly string[]) => {
            const document = specSelectors.specJson().toJS();
            specActions.updateResolvedSubtree(path, resolved(at(document, path), document));
          },
      },
    },
  },
};

type Layout = (props: {
  getComponent: (name: string, isContainer?: boolean) => unknown;
}) => unknown;

/** What Swagger UI shows besides its operations. Its own layout is a second main part. */
function houseLayout(system: { React: React }): { components: { HouseLayout: Layout } } {
  const { React } = system;
  const parts = ['SvgAssets', 'errors', 'AuthorizeBtnContainer', 'operations'];
  return {
    components: {
      HouseLayout: ({ getComponent }) =>
        React.createElement(
          'div',
          { className: 'swagger-ui' },
          ...parts.map((name) => React.createElement(getComponent(name, name !== 'SvgAssets'))),
        ),
    },
  };
}

function start(list: HTMLElement, place: HTMLElement, swagger: Swagger): void {
  const groups: unknown = JSON.parse(place.dataset.groups ?? '[]');
  const { plugin, tagsSorter } = houseNames(isGroups(groups) ? groups : []);
  swagger({
    domNode: place,
    url: '/api/openapi.json',
    layout: 'HouseLayout',
    presets: [swagger.presets.apis],
    plugins: [plugin, quickDocument, houseLayout],
    tagsSorter,
    deepLinking: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: -1,
    validatorUrl: null,
  });
  const watcher = new MutationObserver(() => {
    if (place.querySelector('.opblock-tag') === null) return;
    watcher.disconnect();
    list.remove();
    place.hidden = false;
  });
  watcher.observe(place, { childList: true, subtree: true });
}

document.addEventListener('DOMContentLoaded', () => {
  const list = document.querySelector<HTMLElement>('#resources');
  const place = document.querySelector<HTMLElement>('#swagger-ui');
  const swagger = window.SwaggerUIBundle;
  if (list !== null && place !== null && swagger !== undefined) start(list, place, swagger);
});

export {};
