import { type IndexEvent, type Reflection, ReflectionKind } from 'typedoc';

/** What people look for in other words than a document has, by its path. */
const keywords: Readonly<Record<string, string>> = {
  'docs/existing-app.md':
    'install installation npm setup start express 4 commonjs require csrf helmet middleware order trust proxy reverse prefix',
  'docs/stacks.md':
    'next nextjs next.js react graphql apollo prisma drizzle orm sql users table bun deno pm2 docker container read-only kubernetes bullmq queue htmx better-auth auth.js nextauth lambda serverless deep link native app universal links',
  'docs/cookbook.md':
    'age check ages checks age gate 18 adult login step-up price single-page app spa account recipe htmx turbo hotwire pjax fragment',
  'docs/scaling.md': 'redis postgres mysql store cluster several processes kubernetes capacity',
  'docs/pages.md':
    'translate translation language locale german french text logo colour theme template ejs no wallet',
  'docs/privacy.md': 'gdpr dsgvo delete erase data protection retention personal data',
  'docs/sessions.md': 'log out logout login cookie session subject samesite',
  'docs/errors.md': 'declined not shared error code failure reason',
  'docs/faq.md': 'which wallets work question answer',
  'docs/going-live.md': 'production deploy real service portal checklist',
  'docs/hooks.md': 'hook callback onSuccess onError onVerified',
  'docs/testing.md': 'jest vitest supertest mock test',
  'SECURITY.md': 'rate limit limiter brute force attack threat vulnerability report',
};

/** Documents come before the reference, which names every type; those of the project itself come last. */
const sectionBoosts: Readonly<Record<string, number>> = { Project: 0.2 };

/** Gives each document the words that people look for, and its weight. `pathOf` is undefined for the reference. */
export function prepareSearch(
  event: IndexEvent,
  pathOf: (reflection: Reflection) => string | undefined,
): void {
  event.searchFieldWeights['keywords' as 'name'] = 100;
  for (const [index, reflection] of event.searchResults.entries()) {
    const path = pathOf(reflection);
    if (path === undefined) {
      // TypeDoc counts an exact name ten times: `delete` is a method of every store, and a question about privacy.
      if (reflection.parent?.kindOf(ReflectionKind.SomeModule) === false) reflection.relevanceBoost = 0.1;
      continue;
    }
    event.searchFields[index] = { ...event.searchFields[index], keywords: keywords[path] ?? '' };
    const section = reflection.isDocument() ? String(reflection.frontmatter['group']) : '';
    reflection.relevanceBoost = 10 * (sectionBoosts[section] ?? 1);
  }
}
