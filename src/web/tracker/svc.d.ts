/** What a call may say of its event, beside its name. */
interface SvcDetails {
  /** Up to 30 values. */
  props?: Record<string, string | number | boolean>;
  /** `amount` with up to four decimal places, `currency` by ISO 4217. */
  revenue?: { amount: number | string; currency: string };
  /** In place of the page's own address. */
  url?: string;
  /** false: a visit with nothing else is still a bounce. */
  interactive?: boolean;
  /** Other fields of an event, such as `user_id` or `tag`. */
  [field: string]: unknown;
}

interface Svc {
  /** Sends an event. */
  (event: string, details?: SvcDetails): void;
  /** Nothing is counted in this browser anymore; with `false`, again. */
  ignore: (isOn?: boolean) => void;
}

/** The script of the service, once it is loaded. */
declare const svc: Svc;
