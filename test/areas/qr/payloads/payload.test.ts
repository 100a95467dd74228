import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { QrContent } from '../../../../src/areas/qr/payloads/contents.ts';
import { payloadOf } from '../../../../src/areas/qr/payloads/payload.ts';

const textOf = (content: unknown): string => payloadOf(QrContent.parse(content));
const isAccepted = (content: unknown): boolean => QrContent.safeParse(content).success;

describe('a web address', () => {
  it('is in the code as it was given', () => {
    const url = 'https://example.com/menu?table=12#top';
    expect(textOf({ type: 'url', url })).toBe(url);
  });

  it('is refused with another scheme, spaces or lone surrogates', () => {
    for (const url of [
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://example.com/',
      'example.com',
      'https://example.com/a b',
      'https://example.com/a\r\nb',
      'https://example.com/\ud800',
      `https://example.com/${'a'.repeat(2048)}`,
    ])
      expect(isAccepted({ type: 'url', url }), url).toBe(false);
  });
});

describe('a wireless network', () => {
  const guests = { type: 'wifi', auth: 'WPA', ssid: 'Guests', password: 'correct horse' };

  it('has the members that phones know', () => {
    expect(textOf(guests)).toBe('WIFI:T:WPA;S:Guests;P:correct horse;;');
    const hidden = { ...guests, hidden: true };
    expect(textOf(hidden)).toBe('WIFI:T:WPA;S:Guests;P:correct horse;H:true;;');
    expect(textOf({ type: 'wifi', auth: 'nopass', ssid: 'Open' })).toBe('WIFI:T:nopass;S:Open;;');
    const campus = {
      type: 'wifi',
      auth: 'WPA2-EAP',
      ssid: 'Campus',
      eap_method: 'PEAP',
      phase2_method: 'MSCHAPV2',
      identity: 'ada',
      anonymous_identity: 'anonymous',
      password: 'secret',
    };
    expect(textOf(campus)).toBe(
      'WIFI:T:WPA2-EAP;S:Campus;E:PEAP;PH2:MSCHAPV2;A:anonymous;I:ada;P:secret;;',
    );
  });

  it('escapes what would end a member', () => {
    expect(textOf({ ...guests, ssid: String.raw`a;b,c:d"e\f`, password: 'p;H:true;;' })).toBe(
      String.raw`WIFI:T:WPA;S:a\;b\,c\:d\"e\\f;P:p\;H\:true\;\;;;`,
    );
  });

  it('quotes a name that could be taken for bytes, and no password', () => {
    expect(textOf({ ...guests, ssid: 'CAFE', password: '12345678' })).toBe(
      'WIFI:T:WPA;S:"CAFE";P:12345678;;',
    );
    expect(textOf({ ...guests, ssid: 'CAFE!' })).toContain('S:CAFE!;');
  });

  it('is refused with a name over 32 bytes, a short password or line breaks', () => {
    expect(isAccepted({ ...guests, ssid: 'é'.repeat(16) })).toBe(true);
    expect(isAccepted({ ...guests, ssid: 'é'.repeat(17) })).toBe(false);
    expect(isAccepted({ ...guests, password: '1234567' })).toBe(false);
    expect(isAccepted({ ...guests, password: 'g'.repeat(64) })).toBe(false);
    expect(isAccepted({ ...guests, password: 'a'.repeat(64) })).toBe(true);
    expect(isAccepted({ ...guests, ssid: 'a\nb' })).toBe(false);
    expect(isAccepted({ ...guests, auth: 'WPA9' })).toBe(false);
  });
});

describe('a contact', () => {
  it('is a vCard 3.0 with CRLF', () => {
    expect(
      textOf({
        type: 'vcard',
        first_name: 'Ada',
        last_name: 'Lovelace',
        organization: 'Engines, Ltd.',
        title: 'Analyst',
        phones: [{ kind: 'cell', number: '+44 (20) 7946-0000' }],
        emails: ['ada@example.com'],
        url: 'https://example.com/a,b;c',
        address: { street: '1 Main St; 2nd floor', city: 'London', country: 'UK' },
        note: 'First line\nSecond line',
      }).split('\r\n'),
    ).toEqual([
      'BEGIN:VCARD',
      'VERSION:3.0',
      'N:Lovelace;Ada;;;',
      'FN:Ada Lovelace',
      String.raw`ORG:Engines\, Ltd.`,
      'TITLE:Analyst',
      'TEL;TYPE=CELL:+442079460000',
      'EMAIL:ada@example.com',
      'URL:https://example.com/a,b;c',
      String.raw`ADR:;;1 Main St\; 2nd floor;London;;;UK`,
      String.raw`NOTE:First line\nSecond line`,
      'END:VCARD',
      '',
    ]);
  });

  it('needs a name, and is named after its organization if it has no other', () => {
    expect(isAccepted({ type: 'vcard', title: 'Analyst' })).toBe(false);
    const text = textOf({ type: 'vcard', organization: 'Engines' });
    expect(text).toContain('\r\nFN:Engines\r\n');
    expect(text).not.toContain('ADR');
    expect(text).not.toContain('undefined');
  });

  it('gets no lines from values, whatever they contain', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (note) => {
        const content = QrContent.safeParse({ type: 'vcard', first_name: 'Ada', note });
        if (!content.success) return;
        const names = payloadOf(content.data)
          .split(/\r\n|\r|\n/)
          .map((line) => line.split(/[:;]/)[0]);
        expect(names).toEqual(['BEGIN', 'VERSION', 'N', 'FN', 'NOTE', 'END', '']);
      }),
      { numRuns: 50 },
    );
    expect(isAccepted({ type: 'vcard', first_name: 'Ada\r\nTEL:1' })).toBe(false);
    const note = 'x\r\nTEL:1\rTEL:2\nEND:VCARD';
    expect(textOf({ type: 'vcard', first_name: 'Ada', note })).toContain(
      String.raw`NOTE:x\nTEL:1\nTEL:2\nEND:VCARD`,
    );
  });
});

describe('an email', () => {
  it('is a mailto address with everything encoded', () => {
    expect(textOf({ type: 'email', to: 'hello@example.com' })).toBe('mailto:hello@example.com');
    expect(
      textOf({
        type: 'email',
        to: 'a+b@example.com',
        cc: 'c@example.com',
        subject: 'Café & bar?',
        body: 'One\nTwo=2',
      }),
    ).toBe(
      'mailto:a%2Bb@example.com?cc=c@example.com&subject=Caf%C3%A9%20%26%20bar%3F' +
        '&body=One%0D%0ATwo%3D2',
    );
  });

  it('gets no fields from values', () => {
    const text = textOf({ type: 'email', to: 'a@example.com', body: 'x&bcc=evil@example.com' });
    expect([...new URL(text).searchParams.keys()]).toEqual(['body']);
    expect(isAccepted({ type: 'email', to: 'a@example.com?bcc=b@example.com' })).toBe(false);
    expect(isAccepted({ type: 'email', to: 'a@example.com', subject: 'a\nb' })).toBe(false);
  });
});

it('a text message has its number without punctuation', () => {
  const number = '+44 (20) 7946-0000';
  expect(textOf({ type: 'sms', number, text: 'Table: 12' })).toBe('SMSTO:+442079460000:Table: 12');
  expect(textOf({ type: 'sms', number })).toBe('SMSTO:+442079460000:');
  for (const bad of ['12', '+44:20', '1;2;3;4', 'call me', '1'.repeat(16)])
    expect(isAccepted({ type: 'sms', number: bad }), bad).toBe(false);
});

it('a place has decimal degrees, within the ranges', () => {
  const place = (latitude: number, longitude: number) => ({ type: 'geo', latitude, longitude });
  expect(textOf(place(51.5007, -0.1246))).toBe('geo:51.5007,-0.1246');
  expect(textOf(place(1e-9, -1e-9))).toBe('geo:0,0');
  expect(textOf(place(-90, 180))).toBe('geo:-90,180');
  expect(isAccepted(place(90.001, 0))).toBe(false);
  expect(isAccepted(place(0, -180.001))).toBe(false);
  expect(isAccepted(place(Number.NaN, 0))).toBe(false);
});

describe('an event', () => {
  const party = { type: 'event', title: 'Party, outside', starts_at: '2026-05-04T14:34:56+02:00' };

  it('is in UTC', () => {
    expect(
      textOf({ ...party, ends_at: '2026-05-04T15:00:00Z', location: 'Garden' }).split('\r\n'),
    ).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'BEGIN:VEVENT',
      String.raw`SUMMARY:Party\, outside`,
      'DTSTART:20260504T123456Z',
      'DTEND:20260504T150000Z',
      'LOCATION:Garden',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ]);
  });

  it('ends after it starts, in years that the format can write', () => {
    expect(isAccepted({ ...party, ends_at: party.starts_at })).toBe(false);
    expect(isAccepted({ ...party, starts_at: '9999-12-31T23:59:59-05:00' })).toBe(false);
    expect(isAccepted({ ...party, starts_at: '2026-02-30T00:00:00Z' })).toBe(false);
  });
});

it('every type is described in OpenAPI, and needs no transformation', () => {
  const schema = z.toJSONSchema(QrContent, { io: 'input' });
  expect(JSON.stringify(schema)).toContain('QrVcardContent');
  expect(z.toJSONSchema(QrContent, { io: 'output' })).toBeDefined();
});

it('plain text keeps its line breaks, and no control characters', () => {
  expect(textOf({ type: 'text', text: 'One\r\nTwo' })).toBe('One\r\nTwo');
  expect(isAccepted({ type: 'text', text: 'a\u0000b' })).toBe(false);
  expect(isAccepted({ type: 'text', text: '' })).toBe(false);
  expect(isAccepted({ type: 'text', text: '\udc00' })).toBe(false);
});
