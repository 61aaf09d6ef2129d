import { spread } from '../numbers.js';

/** What is measured against a bar, round by round: CPU by hand over pidgate's, and over that of express-openid-connect. */
export function ratiosOf(found, bars, mostOfCallback) {
  const byHand = Object.entries(bars).map(([step, bar]) => ({
    what: `${step}: CPU by hand over pidgate`,
    ...spread(found.bare.map((round, index) => round[step].cpu / found.pidgate[index][step].cpu)),
    atLeast: bar,
  }));
  const callback = {
    what: 'callback: CPU of pidgate over express-openid-connect',
    ...spread(
      found.pidgate.map((round, index) => round.callback.cpu / found['openid-connect'][index].callback.cpu),
    ),
    atMost: mostOfCallback,
  };
  return [...byHand, callback];
}
