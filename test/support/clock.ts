/** A clock that stands still until it is told to move. */
export interface TestClock {
  (): Date;
  forward(ms: number): void;
}

export function testClock(start = Date.now()): TestClock {
  let now = start;
  const clock = (): Date => new Date(now);
  return Object.assign(clock, {
    forward(ms: number) {
      now += ms;
    },
  });
}
