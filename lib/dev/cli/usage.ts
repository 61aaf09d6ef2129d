import { nearMiss } from '../../internal/validate.js';

export const commands = ['dev', 'sandbox', 'simulate', 'inspect', 'doctor', 'explain'] as const;

type CommandName = (typeof commands)[number];

export function isCommand(name: string | undefined): name is CommandName {
  return commands.some((known) => known === name);
}

const usage = `Usage: pidgate <command> [options]

  dev         Run your app against a local sandbox of the identity service
  sandbox     Run the sandbox alone and print the environment for your app
  simulate    Play scenarios against your running app
  inspect     Decode a presentation and check it
  doctor      Look for mistakes in a running app and its environment
  explain     Say what an error code means, and what to do

  pidgate <command> --help    Options and examples of a command
  pidgate --version
`;

const shared = `  --issuer <id>             xx-sandbox (default), or de-ausweis, simulated
  --person <name>           Who is at the wallet, such as minor (default: erika)
  --callback <url>          The app's callback route
                            (default: http://localhost:3000/identity/callback)
  --variant <name>          The interface's variant, base or derived (default)`;

/** Each at most 80 columns wide. */
const helps: Readonly<Record<CommandName, string>> = {
  dev: `Usage: pidgate dev [entry] [options]

Runs your app against a local sandbox of the identity service. Without an
entry it looks for server, app or index (.ts or .js), here and in src, then for
"main" in package.json. PORT and APP_URL of the environment count.

${shared}
  --wallets                 Your app asks wallets itself, and the sandbox is the
                            wallet, with the German card
  --watch                   Restart the app when a file changes

Examples
  pidgate dev server.ts
  pidgate dev server.ts --wallets
  pidgate dev bin/www --issuer de-ausweis --person minor
`,
  sandbox: `Usage: pidgate sandbox [options]

Runs the sandbox alone and prints the environment for your app.

${shared}
  --port <number>           The sandbox's port (default: 4747)

Example
  pidgate sandbox --callback http://localhost:8080/identity/callback
`,
  simulate: `Usage: pidgate simulate --url <address> (--all | <scenario>...)

Drives your running app through scenarios and says what went wrong.

  --url <address>  A page of your app that only verified people may see. With
                   the home page or the start, the guard is not tried. For an
                   app on another machine, give it twice
  --all            Every scenario; docs/sandbox.md explains them.
                   If the app asks for the date of birth, Leon comes too, who
                   is 17: whether the page opens for him is noted
  --expect-minor refused
                   It is a failure if the page opens for Leon
  --json           The rows as JSON

Exit codes: 0 all passed, 1 something failed, 2 wrong command.

Examples
  pidgate simulate --all --url http://localhost:3000/club
  pidgate simulate declined callback_twice --url http://localhost:3000/club
`,
  inspect: `Usage: pidgate inspect [file] [options]

Decodes a presentation and says which checks it passes. Without a file, or with
-, it reads from standard input.

  --trust <file>   JSON or a module with your trust; file#issuer chooses one of
                   several entries
  --state <state>  The state of the flow that it belongs to
  --at <time>      Check as of this time (default: now)
  --show-values    Show the values, which are hidden by default
  --all            List every check, not only those that failed
  --json           The report as JSON

Exit codes: 0 not refused, 1 refused, 2 wrong command.

Examples
  pidgate inspect presentation.txt
  pidgate inspect presentation.txt --trust trust.json --at 2027-01-31T12:00:00Z
`,
  doctor: `Usage: pidgate doctor [options]

Looks for mistakes in a running app and its environment
(docs/going-live.md; docs/errors.md lists what it finds).

  --url <address>  The app's public address (default: APP_URL)
  --path <path>    Where the router is mounted (default: /identity)
  --page <path>    A page that only verified people may see: is it closed, and
                   its data too
  --entry <file>   Start the app in this process, so stop it first: only this
                   checks the session cookie, trust proxy, trust entries and
                   stores
  --json           The report as JSON

Exit codes: 0 nothing wrong, 1 something found, 2 nothing found but not
everything could be checked, or wrong command.

Examples
  pidgate doctor --url https://shop.example --page /club
  pidgate doctor --entry server.ts
`,
  explain: `Usage: pidgate explain <code>

Says what an error code means, its likely causes and the fix, as docs/errors.md
does; what a check of presentations demands, by its number; or how to find the
verification of a support code that somebody reads out.

Examples
  pidgate explain presentation_invalid
  pidgate explain C04
  pidgate explain 7F3K-9Q2M
`,
};

/** The help of one command; of all, where none is named. */
export function helpOf(name: string | undefined): string {
  return isCommand(name) ? helps[name] : usage;
}

/** What stands above the sentence about a mistake: how the command is called, and where to read on. */
export function hintOf(name: string | undefined): string {
  const command = isCommand(name) ? `pidgate ${name}` : 'pidgate';
  return `${helpOf(name).split('\n', 1)[0]}\nMore:  ${command} --help\n\n`;
}

export function didYouMean(name: string, known: readonly string[]): string {
  const meant = nearMiss(name, known);
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
}
