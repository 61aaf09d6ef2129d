/** Returns the certificates in a PEM text, each by itself. */
export const splitPem = (text: string): readonly string[] =>
  text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
