// What each chart shows, of the JSON of the same name.

const range = { low: { field: 'low', type: 'quantitative' }, high: { field: 'high' } };

/** The half of all rounds in the middle, as a thin line on a bar. */
const whiskers = (encoding) => ({
  mark: { type: 'rule', color: '#1f2a3a', strokeWidth: 1.5 },
  encoding: { ...encoding, y: { ...range.low, title: null }, y2: range.high },
});

export const charts = {
  http({ steps }) {
    const values = steps.flatMap(({ step, ...contenders }) =>
      Object.entries(contenders).map(([contender, cpu]) => ({ step, contender, ...cpu })),
    );
    const x = { field: 'step', type: 'nominal', sort: null, title: null, axis: { labelAngle: 0 } };
    const xOffset = { field: 'contender', sort: null };
    return {
      title: 'CPU of one request, µs (line: half of all rounds)',
      data: { values },
      width: 460,
      height: 220,
      layer: [
        {
          mark: 'bar',
          encoding: {
            x,
            xOffset,
            y: { field: 'median', type: 'quantitative', title: null },
            color: { field: 'contender', sort: null },
          },
        },
        whiskers({ x, xOffset }),
      ],
    };
  },

  soak({ samples, settlingSeconds, rate }) {
    const sum = (processes, figure) => Math.max(...processes.map((process) => process[figure]));
    const figures = {
      'heap after a collection, MB': (it) => sum(it.processes, 'heap') / 1e6,
      handles: (it) => sum(it.processes, 'handles'),
      sockets: (it) => sum(it.processes, 'sockets'),
      'Redis, MB': (it) => it.engine.bytes / 1e6,
    };
    const values = Object.entries(figures).flatMap(([figure, of]) =>
      samples.map((it) => ({ figure, minute: it.seconds / 60, value: of(it) })),
    );
    return {
      title: `The larger of two processes, ${rate} flows a second, 1 % faults (grey: not judged)`,
      data: { values },
      facet: {
        field: 'figure',
        sort: null,
        title: null,
        header: { labelColor: '#1f2a3a', labelFontSize: 12 },
      },
      columns: 2,
      spec: {
        width: 270,
        height: 110,
        layer: [
          {
            data: { values: [{ from: 0, to: settlingSeconds / 60 }] },
            mark: { type: 'rect', color: '#e3e8ef', opacity: 0.7 },
            encoding: { x: { field: 'from', type: 'quantitative' }, x2: { field: 'to' } },
          },
          {
            mark: { type: 'line', strokeWidth: 1.2, color: '#2f4f7f' },
            encoding: {
              x: { field: 'minute', type: 'quantitative', title: 'minutes' },
              y: { field: 'value', type: 'quantitative', title: null, scale: { zero: true } },
            },
          },
        ],
      },
      resolve: { scale: { y: 'independent' } },
    };
  },

  overload({ loads }) {
    const x = {
      field: 'times',
      type: 'ordinal',
      title: 'starts, times what can be done',
      axis: { labelAngle: 0 },
    };
    const starts = loads.flatMap(({ times, starts: all }) =>
      ['taken', 'busy', 'unsent'].map((end) => ({
        times,
        end: { taken: 'taken', busy: 'refused as busy', unsent: 'no free connection' }[end],
        value: all?.[end] ?? 0,
      })),
    );
    const waits = loads.flatMap(({ times, ...it }) =>
      ['callback', 'return'].map((step) => ({
        times,
        step: `${step}, p99`,
        median: it[step].p99.median,
        low: it[step].p99.from,
        high: it[step].p99.to,
      })),
    );
    return {
      title: 'Starts beyond what can be done, and the people who started before',
      hconcat: [
        {
          title: 'Starts in a second',
          data: { values: starts },
          width: 250,
          height: 200,
          mark: 'bar',
          encoding: {
            x,
            y: { field: 'value', type: 'quantitative', title: null },
            color: { field: 'end', sort: null, legend: { direction: 'vertical' } },
          },
        },
        {
          title: 'Who started before waits, ms',
          data: { values: waits },
          width: 250,
          height: 200,
          layer: [
            {
              mark: { type: 'line', point: true },
              encoding: {
                x,
                y: { field: 'median', type: 'quantitative', title: null },
                color: { field: 'step', sort: null, legend: { direction: 'vertical' } },
              },
            },
            whiskers({ x }),
          ],
        },
      ],
      resolve: { scale: { color: 'independent' } },
    };
  },

  processes({ loads }) {
    const values = loads.flatMap(({ processes, app, engine }) => [
      { processes, who: 'the app', ...app },
      { processes, who: 'Redis', ...engine },
    ]);
    const x = { field: 'processes', type: 'ordinal', axis: { labelAngle: 0 } };
    const xOffset = { field: 'who', sort: null };
    return {
      title: 'CPU of one flow, ms, by the number of processes',
      data: { values },
      width: 320,
      height: 200,
      layer: [
        {
          mark: 'bar',
          encoding: {
            x,
            xOffset,
            y: { field: 'median', type: 'quantitative', title: null },
            color: { field: 'who', sort: null },
          },
        },
        whiskers({ x, xOffset }),
      ],
    };
  },
};
