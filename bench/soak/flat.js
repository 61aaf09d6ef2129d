import { median } from '../numbers.js';

/**
 * How much a figure grew from the first sample to the last, by the median of the slopes between all pairs (Theil and
 * Sen): single peaks do not move it. Flat is what grew by at most so large a share of its median, or by so little.
 */
export function growth(samples, figure, { share, least }) {
  if (samples.length < 3) return { median: NaN, grown: NaN, flat: false };
  const points = samples.map((sample) => [sample.seconds, figure(sample)]);
  const slopes = points.flatMap(([x, y], index) =>
    points.slice(index + 1).map(([laterX, laterY]) => (laterY - y) / (laterX - x)),
  );
  const typical = median(points.map(([, y]) => y));
  const grown = median(slopes) * (points.at(-1)[0] - points[0][0]);
  return { median: typical, grown, flat: grown <= Math.max(share * typical, least) };
}
