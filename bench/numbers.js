export const median = (values) => quantile(values, 0.5);

/** The value that this share of all is not above; of an even count the upper middle. */
export function quantile(values, share) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

/** The median, and the two values between which half of all are. */
export const spread = (values) => ({
  median: median(values),
  low: quantile(values, 0.25),
  high: quantile(values, 0.75),
});
