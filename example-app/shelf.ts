/** What only adults may borrow; the texts of every language describe it. The price is in euros a day. */
export const machines = [
  { id: 'chainsaw', price: 18 },
  { id: 'hammer', price: 24 },
  { id: 'sander', price: 30 },
  { id: 'chipper', price: 36 },
] as const;

export type MachineId = (typeof machines)[number]['id'];
