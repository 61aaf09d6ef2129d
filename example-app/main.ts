import { createApp } from './app.js';

const { PORT = 3000 } = process.env;

createApp().listen(PORT);
