/** A named value. */
export interface Fact {
  label: string;
  value: string;
}

export interface Stat extends Fact {
  /** Against the period before. */
  change?: { text: string; tone: 'good' | 'bad' | 'neutral' } | undefined;
}

export interface Bar extends Fact {
  /** A second value, which has no bar. */
  detail?: string | undefined;
  /** Length of the bar: 0 to 1. */
  size: number;
}

export interface MailLink {
  label: string;
  url: string;
}

export type Block =
  /** Paragraphs, separated by blank lines. */
  | { kind: 'text'; text: string }
  | { kind: 'code'; code: string }
  | { kind: 'facts'; facts: readonly Fact[] }
  | { kind: 'stats'; stats: readonly Stat[] }
  /** Upright bars: a series over time. */
  | { kind: 'columns'; title: string; bars: readonly Bar[] }
  /** Bars from left to right: a ranking. */
  | { kind: 'rows'; title: string; bars: readonly Bar[] }
  | { kind: 'button'; label: string; url: string };

/** A mail, from which both of its parts are rendered. */
export interface MailContent {
  subject: string;
  /** What email clients show next to the subject. Only in the HTML part. */
  preheader: string;
  title: string;
  blocks: readonly Block[];
  footer: {
    /** Why the recipient gets the email. */
    reason: string;
    link?: MailLink | undefined;
  };
}
