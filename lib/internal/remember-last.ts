/** Sets a value; with one more than `max`, the one that was set longest ago is forgotten. */
export function rememberLast<T>(all: Map<string, T>, name: string, value: T, max: number): void {
  all.delete(name);
  all.set(name, value);
  const [oldest] = all.keys();
  if (all.size > max && oldest !== undefined) all.delete(oldest);
}
