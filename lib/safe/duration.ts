const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** The milliseconds of a duration; undefined where it is not one. */
export function toMilliseconds(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value > 0 ? value : undefined;
  const [, amount, unit] = (typeof value === 'string' && /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(value)) || [];
  if (amount === undefined || unit === undefined) return undefined;
  const ms = Number(amount) * units[unit as keyof typeof units];
  return ms > 0 ? ms : undefined;
}
