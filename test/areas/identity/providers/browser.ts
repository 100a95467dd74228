export interface Page {
  status: number;
  url: string;
  headers: Headers;
  body: string;
}

/** A minimal browser: redirects, and a cookie jar per origin. */
export function createBrowser() {
  const jars = new Map<string, Map<string, string>>();
  const jarFor = (url: string) => {
    const { origin } = new URL(url);
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  };

  function storeCookies(url: string, headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /max-age=0/i.test(line)) jarFor(url).delete(name);
      else jarFor(url).set(name, value);
    }
  }

  async function request(url: string, init: RequestInit = {}): Promise<Page> {
    const cookie = [...jarFor(url)].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: {
        ...(cookie === '' ? {} : { cookie }),
        ...Object.fromEntries(new Headers(init.headers)),
      },
    });
    storeCookies(url, response.headers);
    return { status: response.status, url, headers: response.headers, body: await response.text() };
  }

  return {
    request,
    cookie: (url: string, name: string): string | undefined => jarFor(url).get(name),
    setCookie: (url: string, name: string, value: string) => jarFor(url).set(name, value),

    /** Opens a page and follows redirects until `stop`, or a response without a redirect. */
    async open(url: string, stop: (url: string) => boolean = () => false): Promise<Page> {
      let page: Page = { status: 0, url, headers: new Headers(), body: '' };
      let at = url;
      for (let hop = 0; hop < 15; hop += 1) {
        if (stop(at)) return { ...page, url: at };
        page = await request(at, {
          headers: { accept: 'text/html', 'sec-fetch-mode': 'navigate' },
        });
        const location = page.headers.get('location');
        if (page.status < 300 || page.status >= 400 || location === null) return page;
        at = new URL(location, at).href;
      }
      throw new Error('too many redirects');
    },
  };
}
