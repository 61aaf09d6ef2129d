type Change = Readonly<Record<string, unknown>>;

/** What is wrong with a body of `POST /prove`, its status and code; strings and bytes are sent as they are. */
export type WrongRequest = readonly [what: string, status: number, code: string, body: unknown];

/** Every wrong body of the interface. `request` makes a good one, but for a change. */
export const wrongRequests = (request: (change: Change) => unknown): WrongRequest[] => [
  ['not JSON', 400, 'error_invalid_body', '{'],
  ['an empty body', 400, 'error_invalid_body', ''],
  ['a list', 400, 'error_invalid_body', []],
  ['no UTF-8', 400, 'error_invalid_body', Buffer.from([0x22, 0xff, 0x22])],
  ['too large', 400, 'error_invalid_body', request({ state: 'x'.repeat(70_000) })],
  ['an unknown field', 400, 'error_invalid_body', request({ colour: 'red' })],
  ['an empty revealed', 400, 'error_invalid_body', request({ revealed: [] })],
  ['same_device as text', 400, 'error_invalid_body', request({ same_device: 'yes' })],
  ['no issuer', 400, 'error_missing_parameter', request({ issuer: undefined })],
  ['no revealed', 400, 'error_missing_parameter', request({ revealed: undefined })],
  ['no state', 400, 'error_missing_state', request({ state: undefined })],
  ['an unknown attribute', 400, 'error_invalid_attribute', request({ revealed: ['shoe_size'] })],
  ['an unknown derived attribute', 400, 'error_invalid_attribute', request({ derived: { age: '18' } })],
  ['a country in words', 400, 'error_invalid_body', request({ derived: { nationality: 'Germany' } })],
  ['an unknown issuer', 400, 'error_wrong_issuer', request({ issuer: 'constructor' })],
];
