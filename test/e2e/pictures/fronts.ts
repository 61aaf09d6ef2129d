import type { Express } from 'express';
import session from 'express-session';
import { identityVerification } from 'pidgate';
import type { Sandbox } from 'pidgate/sandbox';

// Routes that stand in front of the example app, for pages that it does not have.

const withSession = session({ secret: 'only for tests', resave: false, saveUninitialized: false });

/** Two apps in development, where pages speak to the developer too; the one has forgotten its session. */
export function inDevelopment(app: Express, { options }: Sandbox): void {
  const mode = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'development';
  const pages = { otherWay: { url: '/counter' } };
  const identity = identityVerification({ ...options, path: '/dev', reveal: ['given_name'], pages });
  app.use('/dev', withSession, identity);
  app.use('/limited', identity.busy);
  app.use('/bare', identityVerification({ ...options, path: '/bare', reveal: ['given_name'] }));
  process.env['NODE_ENV'] = mode;
}

const logoIn = (ink: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 220 48" role="img"><rect width="48" height="48" rx="10" fill="#0b6e4f"/>
<path d="M14 33l10-19 10 19z" fill="#fff"/><text x="60" y="32" font-family="sans-serif" font-size="24" font-weight="700" fill="${ink}">Nordlicht</text></svg>`;

/** Beige, in both schemes. */
const beige = {
  accent: '#0b6e4f',
  background: { light: '#efe7da', dark: '#16130f' },
  surface: { light: '#fffaf0', dark: '#231e18' },
};

/** A shop and a town that sign the kit's pages; their hook fails, so that a return can be tried again. */
export function sites(app: Express, { options }: Sandbox): void {
  app.get('/shop-logo-:scheme.svg', (req, res) => {
    res.type('svg').send(logoIn(req.params.scheme === 'dark' ? '#fffaf0' : '#0b6e4f'));
  });
  app.get('/shop/own', (_req, res) => {
    res.send('<form method="post" action="/shop/start"><button>Own form</button></form>');
  });
  app.get('/favicon.ico', (_req, res) => void res.status(204).end());
  const look = { homeUrl: '/shop', privacyUrl: '/shop/privacy' };
  const shop = {
    ...look,
    name: 'Nordlicht',
    logo: { light: '/shop-logo-light.svg', dark: '/shop-logo-dark.svg' },
    colors: beige,
    font: 'Georgia, "DejaVu Serif", serif',
  };
  const town = { ...look, name: 'Stadtverwaltung Musterstadt', colors: { accent: '#ffcc00' } };
  const arabic = {
    ...look,
    name: 'Nordlicht',
    locale: () => 'ar',
    texts: { ar: { start_title: 'أثبت هويتك', start_button: 'المتابعة إلى محفظتي', cancel: 'إلغاء' } },
  };
  for (const [path, pages] of Object.entries({ '/shop': shop, '/town': town, '/arabic': arabic })) {
    const identity = identityVerification({
      ...options,
      path,
      pages,
      logger: false,
      reveal: ['given_name', 'family_name', 'birth_date'],
      derived: { nationality: 'DE' },
      onSuccess: () => {
        throw new Error('The shop is closed.');
      },
    });
    app.use(path, withSession, identity);
  }
}
