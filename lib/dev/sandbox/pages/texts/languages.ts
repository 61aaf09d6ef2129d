import { germanTexts } from './de.js';
import { englishTexts, type SandboxTexts } from './en.js';

export type { Notice, SandboxTexts } from './en.js';
export { englishTexts } from './en.js';

/** The languages of service and wallet, English first. Developers read these pages: a browser in another language gets English. */
export const languages: readonly SandboxTexts[] = [englishTexts, germanTexts];
