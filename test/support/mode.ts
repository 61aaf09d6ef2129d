/** Opens an app in another mode than that of the tests. */
export async function inMode<T>(mode: string | undefined, open: () => T | Promise<T>): Promise<T> {
  const before = process.env['NODE_ENV'];
  if (mode !== undefined) process.env['NODE_ENV'] = mode;
  try {
    return await open();
  } finally {
    process.env['NODE_ENV'] = before;
  }
}
