/** True only for the very same type: `any` equals nothing but itself. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only where the two types are the same. */
export function same<A, B>(..._proof: Equal<A, B> extends true ? [] : [never]): void {}
