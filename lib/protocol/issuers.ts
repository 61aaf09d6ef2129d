/** The issuers that the interface names. The service may add others: an issuer id is an open union. */
export type IssuerId = 'de-ausweis' | 'xx-sandbox' | (string & {});

/** The issuer of the test environment: it always returns the same PID and proves nothing about anyone. */
export const sandboxIssuer = 'xx-sandbox';
