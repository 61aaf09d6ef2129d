import type { Request } from 'express';
import { ask, identityVerification } from '../../lib/index.js';
import type { IdentityPage, PagesOptions } from '../../lib/index.js';
import { same } from './equal.js';

// The texts are a closed list, beside the purposes of questions.
identityVerification({
  reveal: ['given_name'],
  questions: { age: ask({ reveal: ['birth_date'] }) },
  pages: { texts: { en: { cancel: 'No', purpose: 'Why', 'purpose.age': 'Why' }, de: { home: 'Zurück' } } },
});
identityVerification({
  reveal: ['given_name'],
  // @ts-expect-error a mistyped key
  pages: { texts: { en: { cancle: 'No' } } },
});
identityVerification({
  reveal: ['given_name'],
  // @ts-expect-error no such member
  pages: { colour: '#000000' },
});

// render gets the page as data, and returns HTML or a promise of it.
export const pages: PagesOptions = {
  locale: (req) => {
    same<typeof req.path, Request['path']>();
    return 'de';
  },
  render: async (page, { req, res }) => {
    same<typeof page, IdentityPage>();
    same<typeof page.code, string | undefined>();
    same<
      keyof typeof page,
      | ('name' | 'status' | 'code' | 'lang' | 'texts' | 'form' | 'links')
      | ('link' | 'qrCode' | 'browser' | 'pollAddress' | 'until' | 'notice')
    >();
    res.set('X-Own', req.path);
    // @ts-expect-error it is not there on every page
    void page.form.action;
    return await Promise.resolve(page.texts.title);
  },
};
// @ts-expect-error no string
export const nothing: PagesOptions = { render: () => undefined };
// @ts-expect-error a Promise is no language
export const late: PagesOptions = { locale: async () => await Promise.resolve('de') };
// @ts-expect-error a list is no function
export const listed: PagesOptions = { locale: ['de'] };
