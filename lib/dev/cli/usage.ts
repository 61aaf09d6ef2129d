export const usage = `Usage: pidgate <command>

  pidgate dev [entry]   Run your app against a local sandbox of the identity service
  pidgate sandbox       Run the sandbox alone and print the environment that your app needs

Options
  --callback <url>      The app's callback route (default: http://localhost:3000/identity/callback)
  --variant <name>      The interface's variant, base or derived (default: derived)
  --port <number>       The port of the sandbox (pidgate sandbox only; default: 4747)
  --help, --version

Without an entry, dev looks for server, app or index (.ts or .js), here and in src, then for "main" of package.json.
`;
