/** Returns the certificates in a PEM text, each by itself. */
export function splitPem(text: string): readonly string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
}
