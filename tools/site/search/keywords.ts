/**
 * What people look for in other words than a document has: by its path, and in it by the anchor of a section, or ''
 * for the beginning.
 */
export const keywords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'docs/existing-app.md': {
    '': 'install installation npm setup start express 4 commonjs require csrf middleware order trust proxy reverse prefix',
    'without-the-router': 'Next.js nextjs koa hono bun deno graphql other framework own routes',
    'your-own-button-and-helmet': 'csp content security policy',
  },
  'docs/cookbook.md': {
    '': 'recipe recipes how to',
    'age-check-keep-one-boolean': 'age check checks age gate 18 adult',
    'account-opening-with-the-login-in': 'users table database prisma drizzle sql store the name sign up kyc',
    'step-up-a-fresh-proof-before-something-important': 'step-up fresh again payment',
    'single-page-app': 'spa fetch react vue',
    'htmx-turbo-and-pjax': 'htmx hotwire fragment ajax',
  },
  'docs/scaling.md': {
    '': 'redis postgres mysql mariadb store cluster several processes kubernetes docker pm2 load balancer capacity',
  },
  'docs/pages.md': {
    '': 'translate translation language locale german french text logo colour theme template ejs accessibility wcag screen reader',
  },
  'docs/privacy.md': {
    '': 'gdpr dsgvo data protection personal data privacy notice policy',
    'expiry-and-erasure': 'delete erase remove forget retention',
  },
  'docs/sessions.md': {
    '': 'login cookie session subject samesite cookie-session jwt session store prisma drizzle mongo iframe cross-site',
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
    'which-wallets-work': 'which wallets countries country supported',
    'can-i-ask-again-only-after-a-year': 'another device next login remembered second device',
    'can-it-run-on-serverless-or-at-the-edge': 'lambda vercel cloudflare workers bun deno',
  },
  'docs/stacks.md': {
    '': 'next nextjs next.js react graphql apollo prisma drizzle orm bun deno pm2 docker container read-only kubernetes bullmq queue',
  },
  'docs/going-live.md': { '': 'production deploy real service portal checklist' },
  'docs/bridge.md': {
    '': 'price pricing cost per request fee money sign up service provider',
  },
  'docs/hooks.md': { '': 'hook callback onSuccess onError onVerified' },
  'docs/testing.md': {
    '': 'jest vitest supertest mock test ci continuous integration github actions pipeline',
  },
  'docs/observability.md': {
    '': 'debug debugging log logs logging why it failed in production troubleshooting monitoring alert prometheus grafana',
  },
  'docs/presentations.md': { '': 'attributes fields which data trust anchor' },
  'SECURITY.md': { '': 'rate limit limiter brute force attack threat vulnerability report' },
  'CHANGELOG.md': { '': 'upgrade upgrading update migrate migration breaking version' },
};
