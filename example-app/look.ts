import type { PagesOptions } from 'pidgate';
import { languages } from './texts/index.js';

/** Our name, colour, links and texts on pidgate's pages. */
export const look: PagesOptions = {
  name: 'Drehmoment',
  logo: '/logo.svg',
  colors: {
    accent: { light: '#9a3f0c', dark: '#f3a36f' },
    background: { light: '#f7f4f0', dark: '#171412' },
    surface: { light: '#ffffff', dark: '#211d1a' },
  },
  homeUrl: '/',
  privacyUrl: '/kept',
  otherWay: { url: '/counter' },
  texts: Object.fromEntries(Object.entries(languages).map(([tag, { pidgate }]) => [tag, pidgate])),
};
