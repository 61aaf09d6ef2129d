export const usage = `Usage: pidgate <command>

  pidgate dev [entry]       Run your app against a local sandbox of the identity service
  pidgate sandbox           Run the sandbox alone and print the environment that your app needs
  pidgate simulate          Drive your running app through scenarios and say what went wrong
  pidgate inspect [file]    Decode a presentation (a file, or - for the standard input) and run the checks on it
  pidgate doctor            Look for mistakes in your running app and its environment (docs/doctor.md)

Options of dev and sandbox
  --issuer <id>             xx-sandbox (the default), or de-ausweis, simulated
  --person <name>           Who is at the wallet, such as minor or french (default: erika)
  --callback <url>          The app's callback route (default: http://localhost:3000/identity/callback)
  --variant <name>          The interface's variant, base or derived (default: derived)
  --request-uri-method <m>  How links ask a wallet to fetch the request, get or post (default: post)
  --watch                   Start the app again when a file changes (dev only)
  --port <number>           The port of the sandbox (sandbox only; default: 4747)

Options of sandbox for a wallet on a real phone; --host needs the four after it
  --host <name[:port]>      Let wallets in at this name of your machine (port: 4748)
  --tls-cert, --tls-key     Certificate and key for https there, in PEM
  --access-certificate, --access-key
                            Who may ask a wallet, certified by a test environment, in PEM
  --registration-certificate <file>
                            What the service may ask for, as a registrar signed it

Options of simulate
  --url <address>           A page of your app that only verified people may see, or its start
  --all | scenario...       Which scenarios; the sandbox's page /scenarios lists them
  --json                    The table as JSON; the exit code is 1 where something went wrong

Options of inspect
  --trust <file>            JSON or a module with your trust; file#issuer if it has several entries
  --state <state>           The state of the flow that it was made for
  --at <time>               Check as of this time (default: now)
  --show-values             Show the values too; without it they are hidden
  --json                    The report as JSON; the exit code is 1 if the presentation is refused

Options of doctor
  --url <address>           Your app (default: APP_URL)
  --path <path>             Where the router is mounted (default: /identity)
  --entry <file>            Load the app too, in this process, and look at its options
  --json                    The findings as JSON; the exit code is 1 if there is one

  --help, --version

Without an entry, dev looks for server, app or index (.ts or .js), here and in src, then for "main" of package.json.
`;
