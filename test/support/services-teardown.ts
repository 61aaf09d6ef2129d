/** Ends what services.ts has started. */
export default async function teardown(): Promise<void> {
  const { pidgateServices = [] } = globalThis as { pidgateServices?: readonly { stop(): Promise<void> }[] };
  await Promise.all(pidgateServices.map(async (service) => await service.stop()));
}
