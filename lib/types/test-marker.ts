/** The member of a factory that holds the symbol under which a test marks a request as verified. */
export const testMark = Symbol('pidgate test mark');

/** A factory, as far as `asVerified` sees it. */
export interface Markable {
  readonly [testMark]: symbol;
}

/** A verification that a test made up. */
export interface MarkedAsVerified {
  readonly request: string;
  readonly kept: unknown;
  readonly verifiedAt: Date;
}

/** Marks a request for the guards of one factory. Nothing from outside can: a symbol is no header. */
export function markAsVerified(req: object, { [testMark]: mark }: Markable, as: MarkedAsVerified): void {
  const before = marksOn(req, mark) ?? [];
  Object.defineProperty(req, mark, { value: [...before, as], configurable: true });
}

/** The verification that a test has marked this request with; undefined outside of tests. */
export function markedAsVerified(req: object, mark: symbol, request: string): MarkedAsVerified | undefined {
  return marksOn(req, mark)?.findLast((it) => it.request === request);
}

function marksOn(req: object, mark: symbol): readonly MarkedAsVerified[] | undefined {
  return (req as Readonly<Record<symbol, readonly MarkedAsVerified[] | undefined>>)[mark];
}
