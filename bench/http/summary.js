import { spread } from '../numbers.js';

const titles = { bare: 'by hand', 'openid-connect': 'express-openid-connect' };

/**
 * What the rounds of all contenders come to: CPU by step and contender, by hand over pidgate round by round, and the
 * callback over that of express-openid-connect.
 */
export function summaryOf(found, names, bars, mostOfCallback) {
  const steps = names.map((step) => {
    const measured = Object.entries(found).filter(([, rounds]) => rounds[0][step] !== undefined);
    return {
      step,
      ...Object.fromEntries(
        measured.map(([name, rounds]) => [titles[name] ?? name, spread(rounds.map((it) => it[step].cpu))]),
      ),
    };
  });
  const ratios = Object.entries(bars).map(([step, bar]) => ({
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
  return { steps, ratios: [...ratios, callback] };
}
