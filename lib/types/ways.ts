export const ways = ['link', 'code', 'browser'] as const;

/**
 * How a wallet is reached and answers: by a link on the same device, by a code that another device reads, or by the browser
 * itself (W3C Digital Credentials).
 */
export type Way = (typeof ways)[number];

export const isWay = (value: unknown): value is Way => (ways as readonly unknown[]).includes(value);
