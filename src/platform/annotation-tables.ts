/** What happened at a time, beside the figures of a site. */
export interface AnnotationsTable {
  /** UUID version 7. */
  id: string;
  /** The number of the site. */
  site: number;
  at: Date;
  /** 1 to 200 characters. */
  text: string;
  /** The person or API key that made it. */
  created_by: string;
  created_at: Date;
  updated_at: Date;
}
