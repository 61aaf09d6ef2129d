import { type HookResult, identityVerification } from '../../lib/index.js';
import { same } from './equal.js';

// What a hook may return. What it must not return is in test/house/hook-answers.test.ts, with the compiler's own words.

declare const isNew: boolean;
declare function sendMail(): Promise<void>;

identityVerification({
  reveal: ['given_name'],
  onVerified: () => {},
  onSuccess: () => console.log('verified'),
  onError: ({ error, step, flow, question, context }) => {
    same<typeof step, 'start' | 'callback' | 'return'>();
    same<typeof flow, string | undefined>();
    same<typeof context, undefined>();
    console.warn(step, error.status, error.code, flow, question);
  },
});
identityVerification({
  reveal: ['given_name'],
  onVerified: ({ result }) => (result.sandbox ? {} : { refuse: result.attributes.given_name }),
  onSuccess: async ({ result }) => {
    if (result.sandbox) return { refuse: 'too_young' };
    if (isNew) return { refuse: 'too_young', redirectTo: '/no' };
    return { redirectTo: '/yes' };
  },
  onError: async () => {
    if (isNew) return;
    return { redirectTo: '/sorry' };
  },
});
identityVerification({
  reveal: ['given_name'],
  onVerified: async () => {
    if (isNew) return { refuse: 'too_young' };
    await sendMail();
    return undefined;
  },
  onSuccess: async () => null,
  onError: () => (isNew ? {} : { redirectTo: '/sorry' }),
});

// A hook that stands alone, and a part of one.
const answerFor = (path: string | undefined): HookResult =>
  path === undefined ? undefined : { redirectTo: path };
identityVerification({
  reveal: ['given_name'],
  onVerified: async () => answerFor('/a'),
  onSuccess: () => answerFor('/b'),
});
