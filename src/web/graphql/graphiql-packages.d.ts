// The parts in use of packages whose own types need those of React, which nothing else here needs.

declare module 'react' {
  export interface Element {
    readonly type: unknown;
  }
  export function createElement(type: unknown, properties: object): Element;
}

declare module 'react-dom/client' {
  import type { Element } from 'react';

  export function createRoot(container: HTMLElement): { render: (element: Element) => void };
}

declare module 'graphiql' {
  export const GraphiQL: unknown;
}

declare module '*.css';
