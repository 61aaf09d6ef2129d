/** The rejections that nobody has handled while this ran. */
export async function unhandledIn(work: () => Promise<unknown>): Promise<unknown[]> {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  await work().finally(() => process.off('unhandledRejection', note));
  return unhandled;
}
