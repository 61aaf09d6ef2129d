export const ways = ['link', 'code'] as const;

/** How a wallet is reached and answers: by a link on the same device, or by a code that another device reads. */
export type Way = (typeof ways)[number];

export const isWay = (value: unknown): value is Way => (ways as readonly unknown[]).includes(value);
