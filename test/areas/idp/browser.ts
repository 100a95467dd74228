export interface Page {
  status: number;
  url: string;
  headers: Headers;
  body: string;
}

/** A browser as far as cookies and redirects go: a jar for each origin. */
export function createBrowser() {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (url: string) => {
    const { origin } = new URL(url);
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  };

  function keep(url: string, headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /max-age=0/i.test(line)) jarOf(url).delete(name);
      else jarOf(url).set(name, value);
    }
  }

  async function request(url: string, init: RequestInit = {}): Promise<Page> {
    const cookie = [...jarOf(url)].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: {
        ...(cookie === '' ? {} : { cookie }),
        ...Object.fromEntries(new Headers(init.headers)),
      },
    });
    keep(url, answer.headers);
    return { status: answer.status, url, headers: answer.headers, body: await answer.text() };
  }

  return {
    request,
    cookie: (url: string, name: string): string | undefined => jarOf(url).get(name),
    setCookie: (url: string, name: string, value: string) => jarOf(url).set(name, value),

    /** Opens a page and follows redirects until `stop`, or one that leads nowhere. */
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
