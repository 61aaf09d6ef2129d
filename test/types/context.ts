import type { Request, Response } from 'express';
import { identityVerification } from '../../lib/index.js';
import { same } from './equal.js';

declare const req: Request;
declare const res: Response;

interface Order {
  readonly id: number;
  readonly placedAt: Date;
}
declare const order: Order;

/** The context as it comes out of the sealed record. */
interface Sealed {
  readonly id: number;
  readonly placedAt: string;
}

// `context` stands before the hooks: its parameter needs no annotation.
const before = identityVerification({
  reveal: ['given_name'],
  context: (request) => {
    same<typeof request.path, string>();
    return { order: request.get('x-order') ?? 'none' };
  },
  onVerified: ({ context, presentation }) => {
    same<typeof context, { order: string }>();
    same<typeof presentation, string>();
  },
  onSuccess: ({ context }) => {
    same<typeof context, { order: string }>();
  },
  onError: ({ context }) => {
    same<typeof context, { order: string } | undefined>();
  },
});

// Or it annotates its parameter, and stands where it likes.
identityVerification({
  reveal: ['given_name'],
  onSuccess: ({ context }) => {
    same<typeof context, { order: string }>();
    // @ts-expect-error not part of the context
    void context.total;
  },
  context: (request: Request) => ({ order: request.get('x-order') ?? 'none' }),
});

// It travels as JSON.
identityVerification({
  reveal: ['given_name'],
  context: () => order,
  onSuccess: ({ context }) => {
    same<typeof context, Sealed>();
  },
});

void before.start(req, res, { context: { order: '7' } });
// @ts-expect-error the hooks expect another context
void before.start(req, res, { context: { total: 7 } });
