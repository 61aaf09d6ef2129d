import { createApp } from './app.js';

const { IDENTITY_SANDBOX_URL, PORT = 3000 } = process.env;

// `pidgate dev` prints how each verification ends: a second line would say the same.
createApp(IDENTITY_SANDBOX_URL === undefined ? {} : { log: () => {} }).listen(PORT);
