/** How old a proof may be on a guarded page. */
export const maxAge = { club: 30 * 60_000, vault: 5 * 60_000 };
/** How long it is kept. */
export const keepFor = { club: 60 * 60_000, vault: 10 * 60_000 };
