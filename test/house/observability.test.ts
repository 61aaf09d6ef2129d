import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createBrowser } from '../support/browser.js';
import { root } from '../support/root.js';
import { type App, endAll, runNode } from '../support/run-app.js';
import { decide } from '../support/wallet.js';
import { transitions } from '../../lib/flow/transitions.js';
import { blocksOf, read } from './documents.js';

const blocks = blocksOf('docs/observability.md').filter(({ language }) => language === 'ts');

function blockWith(text: string): string {
  const [block, ...more] = blocks.filter(({ code }) => code.includes(text));
  if (block === undefined || more.length > 0) throw new Error(`The page has no one block with ${text}`);
  return block.code;
}

/** Before everything else, as OpenTelemetry asks for it. */
const setUp = `
  const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http');
  new HttpInstrumentation().enable();
  require('node:http');
`;

const providers = `
  import { metrics } from '@opentelemetry/api';
  import { AggregationTemporality, InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader }
    from '@opentelemetry/sdk-metrics';
  import { NodeTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
  import { withoutQueries } from './queries.js';

  const spanExporter = new InMemorySpanExporter();
  new NodeTracerProvider({ spanProcessors: [withoutQueries, new SimpleSpanProcessor(spanExporter)] }).register();
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: metricExporter });
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));

  export async function report() {
    await reader.forceFlush();
    const spans = spanExporter.getFinishedSpans().map((it) => ({
      name: it.name, kind: it.kind, id: it.spanContext().spanId, parent: it.parentSpanContext?.spanId,
      status: it.status, attributes: it.attributes, events: it.events,
    }));
    const measured = metricExporter.getMetrics().at(-1).scopeMetrics.flatMap(({ metrics }) => metrics)
      .map(({ descriptor, dataPoints }) => ({
        name: descriptor.name,
        points: dataPoints.map(({ attributes, value }) => ({ attributes, value: value.count ?? value })),
      }));
    return { spans, measured };
  }
`;

const server = `
  import { report } from './providers.js';
  import './spans.js';
  import './metrics.js';
  import express from 'express';
  import session from 'express-session';
  import { identityVerification } from 'pidgate';
  import { createSandbox } from 'pidgate/sandbox';

  const url = 'http://localhost:' + process.env.PORT;
  const sandbox = await createSandbox({ redirectUrl: url + '/identity/callback' });
  const app = express();
  app.get('/report', async (_req, res) => { res.json(await report()) });
  app.use(session({ secret: 'only for tests', resave: false, saveUninitialized: false }));
  app.use('/identity', identityVerification({
    ...sandbox.options,
    appUrl: url,
    reveal: ['given_name', 'birth_date'],
    keep: ({ attributes }) => ({ name: attributes.given_name }),
    onVerified: () => undefined,
    onSuccess: () => undefined,
  }));
  app.listen(process.env.PORT, () => console.log('listening'));
`;

interface ToldSpan {
  readonly name: string;
  readonly kind: number;
  readonly id: string;
  readonly parent?: string;
  readonly status: { readonly code: number };
  readonly attributes: Readonly<Record<string, unknown>>;
}

interface Told {
  readonly spans: readonly ToldSpan[];
  readonly measured: readonly {
    readonly name: string;
    readonly points: readonly { readonly attributes: Record<string, unknown>; readonly value: number }[];
  }[];
}

describe('docs/observability.md, as it stands, around two verifications', () => {
  let app: App;
  let folder: string;
  let told: Told;
  let secret: string;

  beforeAll(async () => {
    mkdirSync(join(root, 'test-results'), { recursive: true });
    folder = mkdtempSync(join(root, 'test-results/observability-'));
    const files = {
      'set-up.cjs': setUp,
      'providers.ts': providers,
      'spans.ts': blockWith('tracer.startSpan'),
      'queries.ts': blockWith('withoutQueries'),
      'metrics.ts': blockWith('createHistogram'),
      'server.ts': server,
    };
    for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, name), code);
    app = await runNode(['--require', './set-up.cjs', '--import', 'tsx', 'server.ts'], folder, {
      NODE_ENV: 'development',
    });
    await app.says('listening');

    const browser = createBrowser();
    const approved = await browser.post(`${app.url}/identity/start?returnTo=/club`);
    const back = await decide(approved.location ?? '', 'approve');
    secret = new URL(back).searchParams.get('code') ?? '';
    await browser.visit(back);
    const declined = await browser.post(`${app.url}/identity/start`);
    await decide(declined.location ?? '', 'decline');
    told = (await (await fetch(`${app.url}/report`)).json()) as Told;
  });

  afterAll(async () => {
    await endAll();
    rmSync(folder, { recursive: true, force: true });
  });

  const named = (name: string): ToldSpan[] => told.spans.filter((it) => it.name === name);
  const above = ({ parent }: ToldSpan): ToldSpan | undefined => told.spans.find(({ id }) => id === parent);

  it('each step is a span below the one that it is a part of, and below the span of its HTTP request', () => {
    const tree = told.spans
      .filter(({ name }) => name.startsWith('pidgate '))
      .map((span) => `${above(span)?.name} > ${span.name}`);
    for (const branch of [
      'POST > pidgate start',
      'pidgate start > pidgate create',
      'pidgate start > pidgate prove',
      'POST > pidgate callback',
      'pidgate callback > pidgate read',
      'pidgate callback > pidgate verify',
      'pidgate callback > pidgate onVerified',
      'GET > pidgate return',
      'pidgate return > pidgate onSuccess',
      'pidgate return > pidgate keep',
    ]) {
      expect(tree).toContain(branch);
    }
  });

  it('a span has the flow, how it ended and why; a person who declines is no fault', () => {
    const [approved, declined] = named('pidgate callback');
    expect(approved?.attributes).toEqual({
      'pidgate.flow': expect.stringMatching(/^[\w-]+$/),
      'pidgate.outcome': 'verified',
    });
    expect(declined?.attributes['pidgate.outcome']).toBe('body_refused');
    expect(named('pidgate start').map(({ attributes }) => attributes['pidgate.question'])).toEqual([
      'default',
      'default',
    ]);
    expect(told.spans.filter(({ status }) => status.code === 2)).toEqual([]);
  });

  it('no span has the query of an address, nor anything of a person', () => {
    const http = told.spans.filter(({ kind }) => kind === 1 || kind === 2);
    expect(http.map(({ attributes }) => attributes['url.path'])).toContain('/identity/return');
    expect(secret).toMatch(/^[\w-]{43}\.[\w-]{43}$/);
    const all = JSON.stringify(told);
    for (const word of [secret, secret.split('.')[1] ?? '', 'returnTo', 'Erika', '1964-08-12']) {
      expect(all).not.toContain(word);
    }
  });

  it('metrics count the events and time the steps, without a flow', () => {
    const points = (name: string) => told.measured.find((it) => it.name === name)?.points ?? [];
    const counted = points('pidgate.events').map(({ attributes, value }) => [attributes['type'], value]);
    expect(counted).toEqual([
      ['flow.started', 2],
      ['flow.verified', 1],
      ['flow.confirmed', 1],
      ['callback.refused', 1],
    ]);
    const steps = points('pidgate.step.duration');
    expect(steps.find(({ attributes }) => attributes['step'] === 'prove')?.value).toBe(2);
    expect(steps.some(({ attributes }) => 'flow' in attributes)).toBe(false);
  });
});

it('the dashboard asks for what the example measures', () => {
  const { panels } = JSON.parse(read('docs/grafana.json')) as {
    panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
  };
  const selected = panels.flatMap(({ targets }) =>
    targets.flatMap(({ expr }) => [
      ...expr.matchAll(/(?<metric>pidgate_\w+)\{(?<label>\w+)(?:=~?|!=)"(?<values>[^"]*)"\}/g),
    ]),
  );
  const codes = [...read('docs/errors.md').matchAll(/^##+ `?(\w+)`?$/gm)].map(([, code = '']) => code);
  const known: Readonly<Record<string, readonly string[]>> = {
    'pidgate_events_total type': Object.values(transitions).flatMap((row) =>
      'event' in row ? [row.event] : [],
    ),
    'pidgate_events_total code': ['', ...codes],
    'pidgate_step_duration_seconds_bucket step': ['start', 'callback', 'return', 'prove', 'store', 'hook'],
  };
  expect(selected.length).toBeGreaterThanOrEqual(panels.length);
  for (const { groups: { metric, label, values = '' } = {} } of selected) {
    expect(known[`${metric} ${label}`]).toEqual(expect.arrayContaining(values.split('|')));
  }
});
