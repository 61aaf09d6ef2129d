import { germanTexts } from './de.js';
import { englishTexts, type SandboxTexts } from './en.js';
import { frenchTexts } from './fr.js';

export type { Notice, SandboxTexts } from './en.js';
export { englishTexts } from './en.js';

/** The languages of service and wallet, English first. A further one is a file beside these and a row here. */
export const languages: readonly SandboxTexts[] = [englishTexts, germanTexts, frenchTexts];
