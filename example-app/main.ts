import { createApp } from './app.js';

const port = Number(process.env['PORT'] ?? 3000);
const appUrl = process.env['APP_URL'] ?? `http://localhost:${port}`;

// IDENTITY_BASE_URL, IDENTITY_API_KEY and IDENTITY_ISSUER name the service; `pidgate dev` sets them.
createApp({ service: { appUrl }, log: console.log }).listen(port);
