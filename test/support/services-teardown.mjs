export { teardown as default } from './services.mjs';
