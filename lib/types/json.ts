/** The kit's only source of time. */
export type Clock = () => Date;

/** Any value that survives JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
