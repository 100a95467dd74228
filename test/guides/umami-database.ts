import { PGlite } from '@electric-sql/pglite';

// The columns of Umami's migrations (prisma/migrations); only those that are imported are filled.
const tables = `
  CREATE TABLE session (
    session_id uuid PRIMARY KEY, website_id uuid NOT NULL,
    browser varchar(20), os varchar(20), device varchar(20),
    screen varchar(11), language varchar(35), country char(2), region varchar(20),
    city varchar(50), created_at timestamptz DEFAULT now(), distinct_id varchar(50));
  CREATE TABLE website_event (
    event_id uuid PRIMARY KEY, website_id uuid NOT NULL, session_id uuid NOT NULL,
    created_at timestamptz DEFAULT now(), url_path varchar(500) NOT NULL, url_query varchar(500),
    referrer_path varchar(500), referrer_query varchar(500), referrer_domain varchar(500),
    page_title varchar(500), event_type integer DEFAULT 1 NOT NULL, event_name varchar(50),
    visit_id uuid NOT NULL, tag varchar(50), fbclid varchar(255), gclid varchar(255),
    li_fat_id varchar(255), msclkid varchar(255), ttclid varchar(255), twclid varchar(255),
    utm_campaign varchar(255), utm_content varchar(255), utm_medium varchar(255),
    utm_source varchar(255), utm_term varchar(255), hostname varchar(100),
    cls decimal(10, 4), fcp decimal(10, 1), inp decimal(10, 1), lcp decimal(10, 1),
    ttfb decimal(10, 1));`;

const website = '0199a7a0-0000-7000-8000-000000000001';
const session = '0199a7a0-0000-7000-8000-000000000002';
const rows = `
  SET TIME ZONE 'Europe/Berlin';
  INSERT INTO session
    (session_id, website_id, browser, os, device, screen, language, country, distinct_id)
    VALUES ('${session}', '${website}', 'crios', 'iOS', 'mobile', '390x844', 'de-DE', 'DE', 'ana');
  INSERT INTO website_event
    (event_id, website_id, session_id, visit_id, created_at,
    hostname, url_path, referrer_domain, event_type, event_name)
    VALUES
    ('0199a7a0-0000-7000-8000-000000000003', '${website}', '${session}', '${session}',
      '2026-03-01T10:00:00.5Z', 'example.com', '/pricing', 'google.com', 1, NULL),
    ('0199a7a0-0000-7000-8000-000000000004', '${website}', '${session}', '${session}',
      '2026-03-01T10:01:00Z', 'example.com', '/pricing', NULL, 2, 'sign up');`;

/**
 * Returns what `sql` copies to standard output from an Umami database with one visitor, who viewed
 * a page and signed up.
 */
export async function copyFromUmami(sql: string): Promise<string> {
  const database = await PGlite.create();
  try {
    await database.exec(tables + rows);
    // PGlite's equivalent of standard output.
    const [copied] = await database.exec(sql.replace(' TO STDOUT ', " TO '/dev/blob' "));
    if (copied?.blob === undefined) throw new Error('nothing was copied');
    return await copied.blob.text();
  } finally {
    await database.close();
  }
}
