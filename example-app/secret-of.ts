/** A secret of the environment. Only in development there is another one, which everybody knows. */
export function secretOf(name: string): string {
  const { NODE_ENV, [name]: secret } = process.env;
  if (secret) return secret;
  if (NODE_ENV === 'development') return `only for development: ${name}`;
  throw new Error(`${name} is not set`);
}
