/**
 * What people look for in other words than a document has: by its path, and in it by the anchor of a section, or ''
 * for the beginning.
 */
export const keywords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'docs/existing-app.md': {
    '': 'install installation npm setup start express 4 commonjs require csrf middleware order trust proxy reverse prefix',
    'without-the-router': 'koa hono other framework own routes',
    'your-own-button-and-helmet': 'csp content security policy',
  },
  'docs/cookbook.md': {
    '': 'recipe recipes how to',
    'age-check-keep-one-boolean': 'age check checks age gate over 18 adult only people route',
    'account-opening-with-the-login-in': 'users table database sql store the name sign up kyc',
    'step-up-a-fresh-proof-before-something-important': 'step-up fresh again payment',
    'single-page-app': 'spa fetch react vue',
    'htmx-turbo-and-pjax': 'htmx hotwire fragment ajax',
  },
  'docs/scaling.md': {
    '': 'redis postgres mysql mariadb store cluster several processes kubernetes docker pm2 load balancer capacity',
    health: 'health check liveness readiness probe',
  },
  'docs/pages.md': {
    '': 'translate translation language locale german french text logo colour theme template ejs accessibility wcag screen reader',
  },
  'docs/privacy.md': {
    '': 'gdpr dsgvo data protection personal data policy',
    'expiry-and-erasure': 'delete a user data erase remove forget retention',
  },
  'docs/sessions.md': {
    '': 'login cookie session subject samesite cookie-session jwt session store mongo cross-site',
    'how-pidgate-writes-the-session': 'double click two tabs race',
    'who-is-logged-in': 'passport better-auth auth.js',
    'logging-out': 'log out logout',
  },
  'docs/errors.md': {
    '': 'error code failure reason',
    not_shared: 'declined cancelled refused said no wrong pin',
  },
  'docs/faq.md': {
    '': 'question answer',
    'what-if-the-person-has-no-wallet-or-declines': 'no wallet',
    'which-countries-can-i-ask': 'which countries country supported germany france italy',
    'which-wallets-work': 'which wallets supported tried credential formats protocol versions',
    'what-can-i-ask-for':
      'which attributes fields data address document number photo portrait place of birth age_over_18',
    'what-do-i-write-into-my-privacy-notice': 'privacy notice policy model text',
    'can-i-put-it-into-an-iframe-or-a-web-view': 'iframe embed webview frame',
    'do-i-need-redis-or-a-database': 'one process memory',
    'does-a-verification-count-on-another-device': 'another device next login remembered second device',
    'does-it-prove-who-is-at-the-screen': 'same person twice two accounts lend share unique',
    'what-if-the-service-or-the-wallet-does-not-answer': 'crash restart outage',
    'how-do-i-make-people-verify-again': 'again now re-verify invalidate',
    'can-it-run-on-serverless-or-at-the-edge': 'lambda vercel cloudflare workers bun deno',
  },
  'docs/stacks.md': {
    nextjs: 'next react server components',
    graphql: 'apollo yoga resolver',
    'prisma-and-drizzle': 'prisma drizzle orm migration',
    'bun-and-deno': 'bun deno runtime',
    'a-read-only-container': 'docker container kubernetes',
    'bullmq-and-other-queues': 'job queue',
    '': 'stack framework',
  },
  'docs/going-live.md': {
    '': 'production deploy real service portal checklist',
    '4-before-the-first-visitor': 'checklist firewall proxy rate limit limiter',
    'it-failed-what-now': 'why it failed in production support code debug debugging troubleshooting',
    upgrading:
      'upgrade update migrate migration breaking version rolling deploy deployment rotate rotation secret zero downtime',
    'what-it-costs': 'price pricing cost per request fee money cpu memory disk storage license',
  },
  'docs/bridge.md': {
    '': 'sign up service provider certificate registration apply',
    '2-the-verifier': 'where access certificate and its key relying party',
  },
  'docs/hooks.md': { '': 'hook callback onSuccess onError onVerified' },
  'docs/sandbox.md': {
    '': 'try it locally laptop without a real wallet',
    people: 'test persons people made-up names minor',
  },
  'docs/testing.md': {
    '': 'jest vitest supertest mock test ci continuous integration github actions pipeline',
  },
  'docs/observability.md': {
    '': 'log logs logging monitoring alert prometheus grafana',
  },
  'docs/presentations.md': {
    '': 'trust anchor proof',
    'renewing-the-access-certificate': 'certificate expire expires replace rollover downtime',
    'what-you-and-the-service-owe-the-wallet': 'encryption encrypted decrypt algorithm',
  },
  'SECURITY.md': { '': 'brute force attack threat vulnerability report' },
  'CHANGELOG.md': { '': 'changes release notes' },
};
