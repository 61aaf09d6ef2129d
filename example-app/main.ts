import { createApp } from './app.js';

const { IDENTITY_ISSUER, IDENTITY_SANDBOX_URL, PORT = 3000 } = process.env;

createApp().listen(PORT, () => {
  // In the sandbox's wallet for the German identity card, one chooses who one is.
  if (IDENTITY_SANDBOX_URL === undefined || IDENTITY_ISSUER !== 'de-ausweis') return;
  console.log(
    '\n  Whom to try, in the wallet: Erika borrows a machine, and Leon, who is 17, is refused. PIN 123456.',
  );
});
