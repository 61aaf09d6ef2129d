/** One screen: what the bridge is, and what it needs to start. */
export const whatIsNeeded = (problems: readonly string[]): string => `
The bridge is the identity service for an app with pidgate. It stands in front of a verifier
that you run: the EU reference verifier, or EUDIPLO.

It does not start yet:

${problems.map((problem) => `  ${problem}`).join('\n')}

Put the variables into a file .env where it starts, or into the environment. These have a value:

  PORT                       4700; 0 takes a free one
  BRIDGE_HOST                the address to listen on: all of this machine
  BRIDGE_PUBLIC_URL          where browsers and wallets find the bridge: http://localhost:PORT
  BRIDGE_HOOK_URL            where EUDIPLO finds it: BRIDGE_PUBLIC_URL
  BRIDGE_ISSUER              the issuer that the app names: de-ausweis
  BRIDGE_VCT                 types of credentials: urn:eudi:pid:de:1,urn:eudi:pid:1
  BRIDGE_VERIFIER_OPTIONS    JSON that is passed on to the verifier: {}
  BRIDGE_STORE               memory; or redis://…, with BRIDGE_SECRET, for several processes

To try it without a verifier and without a wallet: npm --prefix bridge run try
All of it is explained in bridge/README.md.

`;
